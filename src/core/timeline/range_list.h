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
