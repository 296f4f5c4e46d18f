#include "range_list.h"

#include <stdlib.h>

static bool grow_list(struct sched_list *l)
{
    size_t cap = l->cap ? l->cap * 2 : 4;
    uint32_t *item = malloc(cap * sizeof *item);
    if (!item)
        return false;
    for (size_t i = 0; i < l->count; i++)
        item[i] = *sched_list_item(l, i);
    free(l->item);
    *l = (struct sched_list){.item = item, .count = l->count, .cap = cap};
    return true;
}

bool sched_list_add(struct sched_list *l, uint32_t number)
{
    if (l->count == l->cap && !grow_list(l))
        return false;
    *sched_list_item(l, l->count++) = number;
    return true;
}

void sched_list_drop(struct sched_list *l)
{
    l->head = (l->head + 1) & (l->cap - 1);
    if (--l->count == 0)
        sched_list_release(l);
}

void sched_list_release(struct sched_list *l)
{
    free(l->item);
    *l = (struct sched_list){0};
}
