/* sort: qsort that also accepts an empty array. The C library's must not be given a null pointer,
 * even for no elements, and an array that was never filled is a null pointer. */
#pragma once

#include <stdlib.h>

static inline void sort_array(void *array, size_t count, size_t size,
                              int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(array, count, size, compare);
}
