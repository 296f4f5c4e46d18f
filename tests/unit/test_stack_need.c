/* Whether copies of the stack are longer, by what chains needed. */
#include "core/sample/stack_need.h"
#include "unit.h"

enum { SHORT = 16384, LAST = 256, FIRST = 1024 };

static void add(struct stack_need *n, unsigned chains, uint64_t used)
{
    for (unsigned i = 0; i < chains; i++)
        stack_need_add(n, used, false);
}

TEST(longer_when_some_of_the_last_need_more)
{
    struct stack_need n = {.short_bytes = SHORT};
    add(&n, 10 * LAST, SHORT);
    add(&n, 2, SHORT + 1);
    CHECK(!n.longer);
    stack_need_add(&n, 100, true);
    CHECK(n.longer);
}

TEST(a_few_of_many_need_more)
{
    struct stack_need n = {.short_bytes = SHORT};
    for (unsigned i = 0; i < 100; i++) {
        add(&n, LAST - 2, 100);
        add(&n, 2, SHORT + 1);
        CHECK(!n.longer);
    }
}

TEST(shorter_after_chains_in_a_row_each_time_twice_as_many)
{
    struct stack_need n = {.short_bytes = SHORT};
    for (unsigned wanted = FIRST; wanted <= 1 << 20; wanted *= 2) {
        add(&n, 3, SHORT + 1);
        CHECK(n.longer);
        add(&n, wanted - 1, SHORT);
        add(&n, 1, SHORT + 1);
        add(&n, wanted - 1, SHORT);
        CHECK(n.longer);
        add(&n, 1, SHORT);
        CHECK(!n.longer);
    }
    add(&n, 3, SHORT + 1);
    add(&n, 1 << 20, SHORT);
    CHECK(!n.longer);
}

TEST(shorter_for_good_when_the_ring_has_no_room)
{
    struct stack_need n = {.short_bytes = SHORT};
    stack_need_lost(&n);
    add(&n, 3, SHORT + 1);
    CHECK(n.longer);
    stack_need_lost(&n);
    add(&n, 100 * LAST, SHORT + 1);
    CHECK(!n.longer);
}

TEST(nothing_to_choose)
{
    struct stack_need n = {0};
    add(&n, 10000, UINT64_MAX);
    CHECK(!n.longer);
}
