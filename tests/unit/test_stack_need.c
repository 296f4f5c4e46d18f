#include "unit.h"

#include "core/sample/stack_need.h"

enum { SHORT_BYTES = 8192, LONG_BYTES = 65528, SHALLOW = 3000, DEEP = 40000 };

static struct stack_need need;

static void begin(void)
{
    need = (struct stack_need){.short_bytes = SHORT_BYTES};
}

/* Chains that need used bytes. What is copied is what there is, up to the size that is chosen. */
static void add(int chains, uint64_t used)
{
    for (int i = 0; i < chains; i++) {
        uint64_t max = need.is_short ? SHORT_BYTES : LONG_BYTES;
        stack_need_add(&need, used < max ? used : max, used + 500 < max ? used + 500 : max,
                       used > max);
    }
}

TEST(stack_need_chooses_nothing_where_there_is_one_size)
{
    need = (struct stack_need){0};
    add(5000, SHALLOW);
    stack_need_lost(&need, 5000);
    CHECK(!need.is_short);
}

TEST(stack_need_begins_long_and_is_short_after_1024_shallow_chains)
{
    begin();
    add(1023, SHALLOW);
    CHECK(!need.is_short);
    add(1, SHALLOW);
    CHECK(need.is_short);
    add(5000, SHALLOW);
    CHECK(need.is_short);
}

TEST(stack_need_stays_long_while_a_chain_in_a_thousand_is_deep)
{
    begin();
    for (int i = 0; i < 100; i++) {
        add(1, DEEP);
        add(1000, SHALLOW);
        CHECK(!need.is_short);
    }
}

TEST(stack_need_is_long_again_after_three_deep_chains_of_256)
{
    begin();
    add(1024, SHALLOW);
    add(2, DEEP);
    CHECK(need.is_short);
    add(1, DEEP);
    CHECK(!need.is_short);
}

TEST(stack_need_bears_two_deep_chains_of_256)
{
    begin();
    add(1024, SHALLOW);
    for (int i = 0; i < 20; i++) {
        add(2, DEEP);
        add(254, SHALLOW);
        CHECK(need.is_short);
    }
}

TEST(stack_need_wants_twice_as_many_shallow_chains_each_time)
{
    begin();
    for (int wanted = 1024; wanted <= 1 << 20; wanted *= 2) {
        add(wanted - 1, SHALLOW);
        CHECK(!need.is_short);
        add(1, SHALLOW);
        CHECK(need.is_short);
        add(3, DEEP);
        CHECK(!need.is_short);
    }
    add((1 << 20) - 1, SHALLOW);
    CHECK(!need.is_short);
    add(1, SHALLOW);
    CHECK(need.is_short);
}

TEST(stack_need_is_short_where_more_is_lost_than_needed)
{
    begin();
    add(60, SHALLOW);
    stack_need_lost(&need, 3);
    CHECK(!need.is_short); /* of 63 */
    add(1, SHALLOW);
    CHECK(need.is_short);
}

TEST(stack_need_stays_long_where_less_is_lost_than_needed)
{
    begin();
    for (int i = 0; i < 50; i++) {
        add(20, DEEP);
        add(80, SHALLOW);
        stack_need_lost(&need, 5);
        CHECK(!need.is_short);
    }
    stack_need_lost(&need, 200);
    CHECK(need.is_short);
}

/* A tenth was lost by the long copies. */
TEST(stack_need_after_losses_is_long_where_more_is_needed)
{
    begin();
    add(90, SHALLOW);
    stack_need_lost(&need, 10);
    CHECK(need.is_short);
    add(236, SHALLOW);
    add(20, DEEP);
    CHECK(need.is_short); /* for 8% */
    add(216, SHALLOW);
    add(39, DEEP);
    CHECK(need.is_short); /* 255 are too few */
    add(1, DEEP);
    CHECK(!need.is_short); /* 16% */
}

TEST(stack_need_is_short_where_long_copies_lose_everything)
{
    begin();
    stack_need_lost(&need, 63);
    CHECK(!need.is_short);
    stack_need_lost(&need, 1);
    CHECK(need.is_short);
}

/* On a slow processor long copies lose two samples of three, and short ones lose fewer. */
TEST(stack_need_stays_long_where_all_chains_are_deep)
{
    begin();
    for (int i = 0; i < 1000; i++) {
        add(1, DEEP);
        stack_need_lost(&need, 2);
        CHECK(!need.is_short);
    }
}

/* Half of the chains are deep: short copies are worth a try, and lose as many. */
TEST(stack_need_tries_short_copies_once_where_they_lose_as_many)
{
    int changes = 0;
    bool before = false;
    begin();
    for (int i = 0; i < 5000; i++) {
        add(1, i % 2 ? DEEP : SHALLOW);
        stack_need_lost(&need, 3);
        changes += need.is_short != before;
        before = need.is_short;
    }
    CHECK_INT(changes, 2);
    CHECK(!need.is_short);
}

/* The kernel copied less than the short size: there was no more of the stack. */
TEST(stack_need_counts_no_chain_that_ends_with_its_stack)
{
    begin();
    add(1024, SHALLOW);
    CHECK(need.is_short);
    for (int i = 0; i < 1000; i++)
        stack_need_add(&need, 2000, 4000, true);
    CHECK(need.is_short);
}
