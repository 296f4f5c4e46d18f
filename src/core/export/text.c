/* For people: the call tree, the same upwards, and the flat profile with all its rows. */
#include "write.h"

#include "core/stacks/flat.h"
#include "core/stacks/tree.h"

int write_tree(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    return stacks_tree_text(s, &stacks_tree_defaults, out);
}

int write_callers(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    return stacks_callers_text(s, &stacks_tree_defaults, out);
}

int write_flat(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    return stacks_flat_text(s, &(struct stacks_flat_options){0}, out);
}
