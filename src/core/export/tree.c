/* The call tree as lines, for people. */
#include "write.h"

#include "core/stacks/tree.h"

int write_tree(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    (void)before;
    return stacks_tree_text(s, &stacks_tree_defaults, out);
}
