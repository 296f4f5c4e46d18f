/*
 * stack_need: how long slices of the stack have to be, where they are chosen: longer while more
 * than 2% of the chains end with their slice, the longest where half of them do; shorter when all
 * would fit into a quarter of it, or when more samples are lost than chains were cut before (at
 * least 5%), as a ring holds few long ones. A size that was left so is not asked for again.
 */
#ifndef PSUITE_CORE_SAMPLE_STACK_NEED_H
#define PSUITE_CORE_SAMPLE_STACK_NEED_H

#include "core/sample/sampled.h"

/* A chain whose slice had so many bytes, and which took so many of the stack; beyond: it ended
 * where the slice does, as what is behind it could not be read late. Slices of an earlier size do
 * not say that this one is too short. */
void stack_need_add(struct sampled_stack_need *n, size_t slice_bytes, uint64_t used_bytes,
                    bool beyond);

#endif
