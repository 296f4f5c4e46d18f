/* The flat profile with all its rows, for people. */
#include "write.h"

#include "core/stacks/flat.h"

int write_flat(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    (void)before;
    return stacks_flat_text(s, &(struct stacks_flat_options){0}, out);
}
