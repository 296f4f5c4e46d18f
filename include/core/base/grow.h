/*
 * grow: arrays that grow, and shrink. `array' is the address of the pointer to the first of the
 * records, of `each' bytes; *cap of them fit in its memory, which grows by half. False when out of
 * memory or there are enough: nothing has changed then.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The capacity of a full array of cap records after it grew. */
static inline size_t grow_cap(size_t cap)
{
    return cap ? cap + cap / 2 + 1 : 16;
}

/* Makes room for least records, and never for more than most. */
static inline bool grow_between(void *array, size_t *cap, size_t least, size_t most, size_t each)
{
    if (least <= *cap || least > most)
        return least <= *cap;
    size_t more = grow_cap(*cap);
    more = more < least ? least : more > most ? most : more;
    void *old;
    memcpy(&old, array, sizeof old); /* a pointer to records of any type */
    void *bigger = more <= (size_t)-1 / each ? realloc(old, more * each) : NULL;
    if (!bigger)
        return false;
    memcpy(array, &bigger, sizeof bigger);
    *cap = more;
    return true;
}

/* For one record more than count. */
static inline bool grow(void *array, size_t *cap, size_t count, size_t each)
{
    return grow_between(array, cap, count + 1, (size_t)-1, each);
}

/* Appends a record to an array of count ones: GROW_ADD(t->row, t->cap, t->rows, row). False, and
 * nothing is appended, as above. WITHIN: where most are allowed. */
#define GROW_ADD(array, cap, count, ...) GROW_ADD_WITHIN(array, cap, count, (size_t)-1, __VA_ARGS__)
#define GROW_ADD_WITHIN(array, cap, count, most, ...)                                              \
    (grow_between(&(array), &(cap), (count) + 1, (most), sizeof *(array)) &&                       \
     ((array)[(count)++] = (__VA_ARGS__), true))

/* For one more than count, where most are allowed. */
static inline bool grow_within(void *array, size_t *cap, size_t count, size_t most, size_t each)
{
    return grow_between(array, cap, count + 1, most, each);
}

/* For count records in all. */
static inline bool grow_to(void *array, size_t *cap, size_t count, size_t each)
{
    return grow_between(array, cap, count, (size_t)-1, each);
}

/* The same; the new ones are zero up to *cap. */
static inline bool grow_zeroed(void *array, size_t *cap, size_t count, size_t each)
{
    size_t before = *cap;
    if (!grow_to(array, cap, count, each))
        return false;
    char *bytes;
    memcpy(&bytes, array, sizeof bytes);
    if (*cap > before)
        memset(bytes + before * each, 0, (*cap - before) * each);
    return true;
}

/* Halves the memory of an array of which a quarter or less is used, as long as there is room for
 * `least' records: what a burst took is given back step by step. */
static inline void shrink(void *array, size_t *cap, size_t count, size_t least, size_t each)
{
    size_t less = *cap / 2;
    if (!less || less < least || count > *cap / 4)
        return;
    void *old;
    memcpy(&old, array, sizeof old);
    void *smaller = realloc(old, less * each);
    if (!smaller)
        return;
    memcpy(array, &smaller, sizeof smaller);
    *cap = less;
}
