#include "unit.h"

#include "core/sample/stack_need.h"

static struct sampled s;

static void add(int chains, size_t slice, uint64_t used, bool beyond)
{
    for (int i = 0; i < chains; i++)
        stack_need_add(&s.unwound.need, slice, used, beyond);
}

/* With slices of 8 KB, of which the kernel may fill less. */
static void begin(void)
{
    s = (struct sampled){.err = 0};
    CHECK_INT(sampled_stack_step(&s, 8192, 0), 0);
}

TEST(stack_need_is_for_longer_slices_where_chains_end_with_them)
{
    begin();
    add(1, 8192, 8000, true);
    add(14, 8192, 8000, false);
    CHECK_INT(sampled_stack_step(&s, 8192, 0), 0);
    add(1, 8192, 8000, false);
    CHECK_INT(sampled_stack_step(&s, 8192, 0), 1);
    CHECK_INT(sampled_stack_step(&s, 16384, 0), 0);
    CHECK_INT(s.unwound.need.least_bytes, 8192);
    CHECK_INT(s.unwound.need.most_bytes, 16384);
}

TEST(stack_need_is_for_no_more_where_one_chain_in_a_hundred_is_cut)
{
    begin();
    for (int i = 0; i < 20; i++) {
        add(1, 8192, 8000, true);
        add(99, 8192, 8000, false);
        CHECK_INT(sampled_stack_step(&s, 8192, 0), 0);
    }
}

TEST(stack_need_leaves_slices_of_the_size_before_alone)
{
    begin();
    add(40, 8192, 8000, true);
    CHECK_INT(sampled_stack_step(&s, 8192, 0), SAMPLED_STACK_LONGEST);
    sampled_stack_step(&s, 16384, 0);
    add(100, 8192, 8000, true);
    CHECK_INT(sampled_stack_step(&s, 16384, 0), 0);
    add(10, 16384, 8000, true);
    CHECK_INT(sampled_stack_step(&s, 16384, 0), 1);
}

TEST(stack_need_is_for_shorter_slices_where_samples_are_lost)
{
    begin();
    sampled_stack_step(&s, 32768, 0);
    add(95, 32768, 30000, false);
    CHECK_INT(sampled_stack_step(&s, 32768, 5), 0);
    CHECK_INT(sampled_stack_step(&s, 32768, 6), -1);
    for (int i = 0; i < 10; i++) {
        add(100, 16384, 8000, true);
        CHECK_INT(sampled_stack_step(&s, 16384, 6), 0);
    }
}

TEST(stack_need_keeps_slices_that_save_more_chains_than_they_lose_samples)
{
    begin();
    add(30, 8192, 8000, true);
    add(70, 8192, 8000, false);
    CHECK_INT(sampled_stack_step(&s, 8192, 0), 1);
    sampled_stack_step(&s, 16384, 0);
    add(70, 16384, 9000, false);
    CHECK_INT(sampled_stack_step(&s, 16384, 30), 0);
    CHECK_INT(sampled_stack_step(&s, 16384, 31), -1);
}

TEST(stack_need_tries_again_where_the_shortest_slices_were_lost)
{
    s = (struct sampled){.err = 0};
    CHECK_INT(sampled_stack_step(&s, 8192, 1000), 0);
    add(20, 8192, 8000, true);
    CHECK_INT(sampled_stack_step(&s, 8192, 1010), -1);
    add(20, 8192, 8000, true);
    CHECK_INT(sampled_stack_step(&s, 8192, 1010), SAMPLED_STACK_LONGEST);
}

TEST(stack_need_is_for_shorter_slices_where_little_is_used)
{
    begin();
    sampled_stack_step(&s, 32768, 0);
    add(999, 32768, 8191, false);
    CHECK_INT(sampled_stack_step(&s, 32768, 0), 0);
    add(1, 32768, 8191, false);
    CHECK_INT(sampled_stack_step(&s, 32768, 0), -1);
    sampled_stack_step(&s, 16384, 0);
    add(1000, 16384, 4096, false);
    CHECK_INT(sampled_stack_step(&s, 16384, 0), 0);
    add(999, 16384, 4095, false);
    CHECK_INT(sampled_stack_step(&s, 16384, 0), 0);
    add(1, 16384, 4095, false);
    CHECK_INT(sampled_stack_step(&s, 16384, 0), -1);
}
