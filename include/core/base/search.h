/*
 * search: binary search in sorted records.
 */
#pragma once

#include <stddef.h>

/* The first index below count for which the condition holds, which then holds for all behind it;
 * count when for none. */
#define FIRST_WHERE(count, index, condition)                                                       \
    ({                                                                                             \
        size_t low_ = 0, high_ = (count);                                                          \
        while (low_ < high_) {                                                                     \
            size_t index = low_ + (high_ - low_) / 2;                                              \
            if (condition)                                                                         \
                high_ = index;                                                                     \
            else                                                                                   \
                low_ = index + 1;                                                                  \
        }                                                                                          \
        low_;                                                                                      \
    })

/*
 * Index of the first of `count' records whose `member' is greater than key; count when none is. Of
 * records by their starts, the one before it is the last that starts at or before key; of records
 * by their ends that do not overlap, it is itself the only one that can hold key. Each argument is
 * evaluated once, but for record.
 */
#define FIRST_ABOVE(record, count, member, key)                                                    \
    ({                                                                                             \
        __typeof__(key) key_ = (key);                                                              \
        FIRST_WHERE(count, middle_, (record)[middle_].member > key_);                              \
    })
