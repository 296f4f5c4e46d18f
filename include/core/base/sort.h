/* sort: the order of two values, their exchange, and qsort that also accepts an empty array. The C
 * library's must not be given a null pointer, even for no elements, and an array that was never
 * filled is a null pointer. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

/* Below 0, 0 or above 0, as strcmp: a comes first if it is less. What decides if they are equal
 * follows behind ?: as in `ORDER(y->total, x->total) ?: strcmp(x->name, y->name)'. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Exchanges two variables. */
#define SWAP(a, b)                                                                                 \
    do {                                                                                           \
        __typeof__(a) swapped_ = (a);                                                              \
        (a) = (b);                                                                                 \
        (b) = swapped_;                                                                            \
    } while (0)

static inline void sort_array(void *array, size_t count, size_t size,
                              int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(array, count, size, compare);
}

static inline int order_of_u64(const void *a, const void *b)
{
    return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}
