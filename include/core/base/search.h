/*
 * search: binary search in sorted records.
 */
#pragma once

#include <stddef.h>

/*
 * Index of the first of `count' records whose `member' is greater than key; count when none is. Of
 * records by their starts, the one before it is the last that starts at or before key; of records
 * by their ends that do not overlap, it is itself the only one that can hold key. Each argument is
 * evaluated once, but for record.
 */
#define FIRST_ABOVE(record, count, member, key)                                                    \
    ({                                                                                             \
        size_t low_ = 0, high_ = (count);                                                          \
        __typeof__(key) key_ = (key);                                                              \
        while (low_ < high_) {                                                                     \
            size_t middle_ = low_ + (high_ - low_) / 2;                                            \
            if ((record)[middle_].member <= key_)                                                  \
                low_ = middle_ + 1;                                                                \
            else                                                                                   \
                high_ = middle_;                                                                   \
        }                                                                                          \
        low_;                                                                                      \
    })
