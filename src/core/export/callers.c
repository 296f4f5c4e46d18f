/* The call tree upwards, for people. */
#include "write.h"

#include "core/stacks/tree.h"

int write_callers(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    (void)before;
    return stacks_callers_text(s, &stacks_tree_defaults, out);
}
