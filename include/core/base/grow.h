/*
 * grow: makes space for one more record in an array.
 */
#ifndef PSUITE_CORE_BASE_GROW_H
#define PSUITE_CORE_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* The capacity of an array of room after it grew. */
static inline size_t grow_room(size_t room)
{
    return room ? room + room / 2 + 1 : 16;
}

/* array holds count records of each bytes and has *room; false when out of memory, nothing changed.
 */
static inline bool grow(void **array, size_t *room, size_t count, size_t each)
{
    if (count < *room)
        return true;
    size_t more = grow_room(*room);
    void *bigger = more <= (size_t)-1 / each ? realloc(*array, more * each) : NULL;
    if (!bigger)
        return false;
    *array = bigger;
    *room = more;
    return true;
}

#endif
