#include "unit.h"

#include "core/containers/radix.h"

#include <stdlib.h>

enum { MANY = 5000 };

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 16;
}

TEST(radix_sorts_by_high_then_low_and_keeps_the_order_of_equals)
{
    static struct radix_key key[MANY];
    uint64_t state = 7;
    for (uint32_t i = 0; i < MANY; i++)
        key[i] = (struct radix_key){random_bits(&state) % 50 << 40, random_bits(&state) % 9, i};
    radix_sort(key, MANY);
    int wrong = 0;
    for (size_t i = 1; i < MANY; i++) {
        const struct radix_key *a = &key[i - 1], *b = &key[i];
        wrong += a->high > b->high || (a->high == b->high && a->low > b->low) ||
                 (a->high == b->high && a->low == b->low && a->index > b->index);
    }
    CHECK_INT(wrong, 0);
}

/* Only bytes in which keys differ are sorted by, also when they are the first and the last. */
TEST(radix_sorts_by_few_bytes)
{
    struct radix_key key[] = {{7 + (UINT64_C(1) << 56), UINT64_C(2) << 56, 0},
                              {7, UINT64_C(1) << 56, 1},
                              {7 + (UINT64_C(2) << 56), UINT64_C(1) << 56, 2},
                              {7, UINT64_C(1) << 56, 3}};
    static const uint32_t order[] = {1, 3, 2, 0};
    radix_sort(key, 4);
    for (size_t i = 0; i < 4; i++)
        CHECK_INT(key[i].index, order[i]);
}

TEST(radix_of_none_and_of_one)
{
    struct radix_key one = {UINT64_MAX, 3, 9};
    radix_sort(&one, 0);
    radix_sort(&one, 1);
    CHECK(one.low == UINT64_MAX && one.index == 9);
}
