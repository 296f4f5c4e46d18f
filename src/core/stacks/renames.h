/*
 * stacks_renames: matches modules of two compared stacks that have different names: prog-old and
 * prog-new, libx.so.1.2 and libx.so.1.3.
 *
 * A module that only the old stacks have and one that only the new ones have are such a pair when
 * half of the functions of the smaller one have the same names in the other. Functions without a
 * name tell nothing. A module is in one pair at most, that with the most functions in common.
 */
#pragma once

#include "core/stacks/diff.h"
#include "core/stacks/flat.h"

/* At most STACKS_MAX_RENAMES into out, the surest first; how many, or -ENOMEM. Names are the
 * stacks' own. */
int stacks_renames_find(const struct stacks_flat *before, const struct stacks_flat *after,
                        struct stacks_rename *out);
