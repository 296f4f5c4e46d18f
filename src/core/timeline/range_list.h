/*
 * sched_list: a ring of numbers of runs or marks.
 */
#pragma once

#include "core/timeline/timeline_model.h"

/* False when memory ends. */
bool sched_list_add(struct sched_list *l, uint32_t number);
void sched_list_drop(struct sched_list *l); /* the oldest */
void sched_list_release(struct sched_list *l);

static inline uint32_t *sched_list_item(const struct sched_list *l, size_t i)
{
    return &l->item[(l->head + i) & (l->cap - 1)];
}

/* A store of items. sched_store_grow makes space for one more of `each' bytes in *items and drops
 * the oldest when there are max. */
struct sched_store {
    void **items;
    size_t *cap, each, max;
    uint32_t *first, *count;
};
bool sched_store_grow(const struct sched_store *t);
