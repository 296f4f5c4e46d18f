/*
 * pairs: lists of pairs, each by ascending pc.
 */
#pragma once

#include "core/profdev/device.h"

/* pc is not below the last one; the same once more adds to it. -ENOMEM. */
int profdev_pairs_add(struct profdev_pairs *p, uint64_t pc, uint64_t count);

/* What is in either, in a new list; counts that do not fit are the largest number. -ENOMEM. */
int profdev_pairs_merge(const struct profdev_pairs *a, const struct profdev_pairs *b,
                        struct profdev_pairs *out);
