/*
 * sampled_count: what sampled.c and sampled_count.c share.
 */
#ifndef PSUITE_CORE_SAMPLED_COUNT_H
#define PSUITE_CORE_SAMPLED_COUNT_H

#include "core/sampled.h"

/* Index of a thread, made when new; SIZE_MAX when memory ends. */
size_t sampled_thread_of(struct sampled *s, uint32_t pid, uint32_t tid);

void sampled_sample(struct sampled *s, const struct perfrec *r);

#endif
