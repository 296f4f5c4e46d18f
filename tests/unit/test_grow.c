#include "unit.h"

#include "core/base/grow.h"

struct pair {
    uint64_t a, b;
};

TEST(grow_keeps_the_records_that_are_there)
{
    struct pair *pair = NULL;
    size_t cap = 0, wrong = 0;
    for (size_t n = 0; n < 1000; n++) {
        CHECK(grow(&pair, &cap, n, sizeof *pair) && cap > n);
        pair[n] = (struct pair){n, ~n};
    }
    for (size_t n = 0; n < 1000; n++)
        wrong += pair[n].a != n || pair[n].b != ~n;
    CHECK_INT(wrong, 0);
    CHECK(cap <= 1500);
    free(pair);
}

TEST(grow_moves_nothing_while_there_is_room)
{
    char **text = NULL;
    size_t cap = 0;
    CHECK(grow(&text, &cap, 0, sizeof *text));
    char **first = text;
    for (size_t n = 0; n < cap; n++)
        CHECK(grow(&text, &cap, n, sizeof *text) && text == first);
    free(text);
}

TEST(grow_within_ends_at_what_is_allowed)
{
    uint8_t *byte = NULL;
    size_t cap = 0, n = 0;
    while (n < 1000 && grow_within(&byte, &cap, n, 100, 1))
        byte[n++] = 7;
    CHECK_INT(n, 100);
    CHECK_INT(cap, 100);
    free(byte);
}

TEST(grow_zeroed_clears_all_that_is_new)
{
    uint32_t *number = NULL;
    size_t cap = 0, wrong = 0;
    CHECK(grow_zeroed(&number, &cap, 3, sizeof *number));
    memset(number, 0xff, cap * sizeof *number);
    size_t before = cap;
    CHECK(grow_zeroed(&number, &cap, 500, sizeof *number));
    CHECK(cap >= 500);
    for (size_t n = 0; n < cap; n++)
        wrong += number[n] != (n < before ? UINT32_MAX : 0);
    CHECK_INT(wrong, 0);
    free(number);
}

TEST(grow_refuses_what_no_address_reaches)
{
    struct pair *pair = NULL;
    size_t cap = 0;
    CHECK(!grow_to(&pair, &cap, SIZE_MAX / 2, sizeof *pair));
    CHECK(!pair);
    CHECK_INT(cap, 0);
}

TEST(shrink_halves_what_is_used_by_a_quarter_and_no_further_than_asked)
{
    uint32_t *number = NULL;
    size_t cap = 0;
    CHECK(grow_to(&number, &cap, 1000, sizeof *number));
    number[249] = 7;
    shrink(&number, &cap, 251, 16, sizeof *number);
    CHECK_INT(cap, 1000);
    shrink(&number, &cap, 250, 16, sizeof *number);
    CHECK_INT(cap, 500);
    CHECK_INT(number[249], 7);
    for (int i = 0; i < 10; i++)
        shrink(&number, &cap, 0, 16, sizeof *number);
    CHECK_INT(cap, 31);
    free(number);
    number = NULL;
    cap = 0;
    shrink(&number, &cap, 0, 0, sizeof *number);
    CHECK(!number);
}
