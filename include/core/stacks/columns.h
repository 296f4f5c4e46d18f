/*
 * stacks_columns: stacks of the same program by different events, side by side: each is a value of
 * the result, as a sample of pprof has one for each of its types.
 *
 * Frames stay as they are, with their lines and addresses; nodes of equal chains are one. Times are
 * dropped.
 */
#pragma once

#include "core/stacks/stacks.h"

/* out is initialised with its values. Adds from's last value as value `column' of out. 0 or
 * -ENOMEM. */
int stacks_columns_add(struct stacks *out, const struct stacks *from, size_t column);
