#include "range_list.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct sched_list *l)
{
    size_t room = l->room ? l->room * 2 : 4;
    uint32_t *item = malloc(room * sizeof *item);
    if (!item)
        return false;
    for (size_t i = 0; i < l->count; i++)
        item[i] = *sched_list_item(l, i);
    free(l->item);
    *l = (struct sched_list){.item = item, .count = l->count, .room = room};
    return true;
}

bool sched_list_add(struct sched_list *l, uint32_t number)
{
    if (l->count == l->room && !make_room(l))
        return false;
    *sched_list_item(l, l->count++) = number;
    return true;
}

void sched_list_drop(struct sched_list *l)
{
    l->head = (l->head + 1) & (l->room - 1);
    if (--l->count == 0)
        sched_list_release(l);
}

void sched_list_release(struct sched_list *l)
{
    free(l->item);
    *l = (struct sched_list){0};
}

/* Numbers keep their places, as nothing was dropped before the last growth. */
bool sched_store_grow(const struct sched_store *t)
{
    if (*t->count < *t->room)
        return true;
    size_t room = *t->room ? *t->room * 2 : 1024;
    if (room > t->most)
        return false;
    void *bigger = realloc(*t->items, room * t->each);
    if (!bigger)
        return false;
    *t->items = bigger;
    *t->room = room;
    return true;
}
