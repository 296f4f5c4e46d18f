/* What the times of a call tree are worth: without the cost of probes, by samples, scaled to all
 * calls. */
#include "proftrees.h"

TEST(probe_cost_is_taken_out_of_the_node_and_of_all_above)
{
    struct profmake m;
    struct prof_tree t;
    make_funcs(&m, false, PSPROF_ELAPSED);
    PROFMAKE64(&m, m.bytes, psprof_header, inside_ps, 1000);
    PROFMAKE64(&m, m.bytes, psprof_header, outside_ps, 500);
    read_made(&m, &t);
    /* bar: 200 - 100 of its own; foo: 800 - 100 - 150 of bar's; main: 1000 - 1 - 150 - 150 */
    CHECK_INT(node_at(&t, BAR)->self_ns, 100);
    CHECK_INT(node_at(&t, FOO)->total_ns, 550);
    CHECK_INT(node_at(&t, FOO)->self_ns, 450);
    CHECK_INT(node_at(&t, MAIN)->total_ns, 699);
    CHECK_INT(node_at(&t, MAIN)->self_ns, 149);
    CHECK_INT(prof_tree_settle(&t, true), 0);
    CHECK_INT(node_at(&t, MAIN)->self_ns, 200);
    CHECK_INT(t.thread[0].total_ns, 1000);
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(no_self_time_is_below_zero)
{
    struct profmake m;
    struct prof_tree t;
    make_funcs(&m, false, PSPROF_ELAPSED);
    PROFMAKE64(&m, m.bytes, psprof_header, inside_ps, 5000);
    read_made(&m, &t);
    CHECK_INT(node_at(&t, BAR)->self_ns, 0); /* 200 - 500 */
    CHECK_INT(node_at(&t, BAR)->total_ns, 0);
    CHECK_INT(node_at(&t, FOO)->total_ns, 0); /* 800 - 500 - 500 */
    CHECK_INT(node_at(&t, MAIN)->total_ns, 0);
    prof_tree_release(&t);
    PROFMAKE64(&m, m.bytes, psprof_header, inside_ps, UINT64_MAX);
    PROFMAKE64(&m, m.bytes, psprof_header, outside_ps, UINT64_MAX);
    read_made(&m, &t);
    CHECK_INT(t.thread[0].total_ns, 0);
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(times_of_some_calls_are_scaled_to_all_and_cost_by_kind)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, false, PSPROF_ADAPTIVE);
    uint32_t thread = profmake_thread(&m, 7, "main", 0);
    uint32_t main = profmake_node(&m, profmake_root(&m, thread), 0, MAIN, 1, 100000);
    uint32_t foo = profmake_node(&m, main, 0, FOO, 1600, 5000);
    PROFMAKE32(&m, profmake_slot(&m, foo), psprof_node, timed, 100);
    PROFMAKE64(&m, m.bytes, psprof_header, inside_ps, 10000);
    PROFMAKE64(&m, m.bytes, psprof_header, outside_ps, 20000);
    PROFMAKE64(&m, m.bytes, psprof_header, untimed_ps, 2000);
    read_made(&m, &t);
    CHECK_INT(prof_tree_scaled(&t), 1);
    CHECK_INT(node_at(&t, FOO)->self_ns, 80000 - 1600 * 10);
    /* of foo's calls 256 and 1344 / 16 cost 30 ns, the others 2; main's own one 10 */
    CHECK_INT(node_at(&t, MAIN)->total_ns, 100000 - 340 * 30 - 1260 * 2 - 10);
    prof_tree_release(&t);
    free(m.bytes);
}

/* main calls foo and bar, a million times each, and neither foo nor bar takes what the clock says:
   the probes of foo cost twice what those of bar do. Samples each 0.1 ms. */
static uint32_t make_sampled(struct profmake *m, int type, uint32_t foo_samples,
                             uint32_t bar_samples)
{
    profmake_start(m, false, type);
    uint32_t thread = profmake_thread(m, 7, "main", 0), calls = 1000000;
    uint32_t main = profmake_node(m, profmake_root(m, thread), 0, MAIN, 1, 65000000);
    uint32_t foo = profmake_node(m, main, 0, FOO, calls, 45000000);
    uint32_t bar = profmake_node(m, main, 0, BAR, calls, 20000000);
    PROFMAKE64(m, m->bytes, psprof_header, inside_ps, 20000);
    PROFMAKE32(m, m->bytes, psprof_header, sample_ns, 100000);
    PROFMAKE32(m, profmake_slot(m, foo), psprof_node, samples, foo_samples);
    PROFMAKE32(m, profmake_slot(m, bar), psprof_node, samples, bar_samples);
    PROFMAKE64(m, profmake_slot(m, thread), psprof_thread, hook_samples, 550);
    return main;
}

TEST(samples_tell_what_functions_took_without_the_probes)
{
    struct profmake m;
    struct prof_tree t;
    make_sampled(&m, PSPROF_ELAPSED, 50, 50);
    read_made(&m, &t);
    CHECK(node_at(&t, BAR)->self_ns > 4500000 && node_at(&t, BAR)->self_ns < 5500000);
    CHECK(node_at(&t, BAR)->error_ns > 2000000 && node_at(&t, BAR)->error_ns < 5000000);
    CHECK(node_at(&t, FOO)->error_ns > node_at(&t, FOO)->self_ns - 5000000);
    CHECK_INT(node_at(&t, MAIN)->total_ns,
              node_at(&t, MAIN)->self_ns + node_at(&t, FOO)->self_ns + node_at(&t, BAR)->self_ns);
    prof_tree_release(&t);
    free(m.bytes);
}

/* By the clock foo took 17.5 ms without its probes, which cost 27.5 ms, and by samples 5. */
TEST(what_samples_lose_in_probes_is_a_part_of_their_cost)
{
    struct profmake m;
    struct prof_tree t;
    make_sampled(&m, PSPROF_ELAPSED, 50, 50);
    read_made(&m, &t);
    CHECK(node_at(&t, FOO)->self_ns > 7500000 && node_at(&t, FOO)->self_ns < 8500000);
    prof_tree_release(&t);
    free(m.bytes);
}

/* By the clock foo took no more than its probes: it was read before what foo waited for had come.
 */
TEST(what_the_clock_does_not_see_has_samples)
{
    struct profmake m;
    struct prof_tree t;
    uint32_t main = make_sampled(&m, PSPROF_ELAPSED, 800, 50);
    PROFMAKE64(&m, profmake_slot(&m, main + 1), psprof_node, time, 27000000);
    read_made(&m, &t);
    CHECK_INT(node_at(&t, FOO)->self_ns, 80000000);
    prof_tree_release(&t);
    free(m.bytes);
}

/* 10 ms of a million calls and of one: samples count both as well, but only one has probes. */
TEST(errors_contain_what_probes_change)
{
    struct profmake m;
    struct prof_tree t;
    uint32_t main = make_sampled(&m, PSPROF_ADAPTIVE, 100, 100);
    PROFMAKE32(&m, m.bytes, psprof_header, sampling, PSPROF_SAMPLED_ALONE);
    for (uint32_t n = main; n <= main + 2; n++)
        PROFMAKE64(&m, profmake_slot(&m, n), psprof_node, time, 0);
    PROFMAKE64(&m, profmake_slot(&m, main + 2), psprof_node, count, 1);
    read_made(&m, &t);
    CHECK(node_at(&t, BAR)->error_ns > 1900000 && node_at(&t, BAR)->error_ns < 2100000);
    CHECK(node_at(&t, FOO)->error_ns > 4000000 && node_at(&t, FOO)->error_ns < 10000000);
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(what_samples_do_not_see_is_waiting_and_stays)
{
    struct profmake m;
    struct prof_tree t;
    uint32_t main = make_sampled(&m, PSPROF_ELAPSED, 50, 50);
    PROFMAKE64(&m, profmake_slot(&m, main), psprof_node, time, 1065000000);
    read_made(&m, &t);
    CHECK_INT(node_at(&t, MAIN)->self_ns / 1000, 999999); /* less its own probe */
    prof_tree_release(&t);
    free(m.bytes);
}

/* A second that main has by the clock and not by samples, in a thread that had 1.2 s. */
static uint64_t self_of_main(uint64_t cpu_ns)
{
    struct profmake m;
    struct prof_tree t;
    uint32_t main = make_sampled(&m, PSPROF_ELAPSED, 50, 50);
    uint32_t thread = profmake_get32(&m, m.bytes + offsetof(struct psprof_header, threads));
    PROFMAKE32(&m, m.bytes, psprof_header, sampling, PSPROF_SAMPLED_KERNEL);
    PROFMAKE64(&m, m.bytes, psprof_header, outside_ps, 20000);
    PROFMAKE64(&m, profmake_slot(&m, main), psprof_node, time, 1065000000);
    PROFMAKE64(&m, profmake_slot(&m, thread), psprof_thread, spent_ticks, 1200000000);
    PROFMAKE64(&m, profmake_slot(&m, thread), psprof_thread, cpu_ns, cpu_ns);
    read_made(&m, &t);
    uint64_t self_ns = node_at(&t, MAIN)->self_ns;
    prof_tree_release(&t);
    free(m.bytes);
    return self_ns;
}

TEST(what_samples_do_not_see_is_no_waiting_on_a_cpu)
{
    CHECK(self_of_main(200000000) > 950000000);
    CHECK(self_of_main(1200000000) < 10000000);
}

TEST(adaptive_has_its_times_by_samples_and_waits)
{
    struct profmake m;
    struct prof_tree t;
    uint32_t main = make_sampled(&m, PSPROF_ADAPTIVE, 300, 100);
    PROFMAKE32(&m, m.bytes, psprof_header, sampling, PSPROF_SAMPLED_ALONE);
    PROFMAKE64(&m, profmake_slot(&m, main), psprof_node, time, 7000000);
    PROFMAKE64(&m, profmake_slot(&m, main + 1), psprof_node, time, 0);
    PROFMAKE64(&m, profmake_slot(&m, main + 2), psprof_node, time, 0);
    read_made(&m, &t);
    CHECK_INT(node_at(&t, FOO)->self_ns, 30000000);
    CHECK_INT(node_at(&t, BAR)->self_ns, 10000000);
    CHECK_INT(node_at(&t, MAIN)->self_ns, 7000000);
    CHECK_INT(t.thread[0].total_ns, 47000000);
    CHECK_INT(prof_tree_scaled(&t), 0);
    prof_tree_release(&t);
    free(m.bytes);
}

/* 30 ms of samples, 10 ms of waiting, in a thread of 20 ms. */
TEST(samples_are_no_more_than_their_thread_had_time_for)
{
    struct profmake m;
    struct prof_tree t;
    uint32_t main = make_sampled(&m, PSPROF_ADAPTIVE, 200, 100);
    uint32_t thread = profmake_get32(&m, m.bytes + offsetof(struct psprof_header, threads));
    PROFMAKE32(&m, m.bytes, psprof_header, sampling, PSPROF_SAMPLED_ALONE);
    PROFMAKE64(&m, profmake_slot(&m, main), psprof_node, time, 10000000);
    PROFMAKE64(&m, profmake_slot(&m, main + 1), psprof_node, time, 0);
    PROFMAKE64(&m, profmake_slot(&m, main + 2), psprof_node, time, 0);
    PROFMAKE64(&m, profmake_slot(&m, thread), psprof_thread, spent_ticks, 20000000);
    PROFMAKE64(&m, profmake_slot(&m, thread), psprof_thread, end_ticks, 20000000);
    read_made(&m, &t);
    CHECK_INT(t.thread[0].total_ns, 20000000);
    CHECK_INT(node_at(&t, FOO)->total_ns, 10000000);
    CHECK_INT(node_at(&t, MAIN)->total_ns, 20000000);
    prof_tree_release(&t);
    free(m.bytes);
}

/* main, of one second, calls foo 1600 times, of which 100 were timed, and foo bar. */
static void read_scaled(struct profmake *m, int64_t foo_ns, uint32_t bar_calls, uint32_t bar_timed,
                        int64_t bar_ns, struct prof_tree *t)
{
    profmake_start(m, false, PSPROF_ADAPTIVE);
    uint32_t thread = profmake_thread(m, 7, "main", 0);
    uint32_t main = profmake_node(m, profmake_root(m, thread), 0, MAIN, 1, 1000000000);
    uint32_t foo = profmake_node(m, main, 0, FOO, 1600, foo_ns);
    uint32_t bar = profmake_node(m, foo, 0, BAR, bar_calls, bar_ns);
    PROFMAKE32(m, profmake_slot(m, foo), psprof_node, timed, 100);
    PROFMAKE32(m, profmake_slot(m, bar), psprof_node, timed, bar_timed);
    read_made(m, t);
}

/* One timed call of foo was long: scaled, foo takes 16 s of main's one, and bar a half of that. */
TEST(scaled_callees_take_no_more_than_their_caller)
{
    struct profmake m;
    struct prof_tree t;
    read_scaled(&m, 1000000000, 1600, 100, 500000000, &t);
    CHECK_INT(node_at(&t, MAIN)->total_ns, 1000000000);
    CHECK_INT(node_at(&t, FOO)->total_ns, 1000000000);
    CHECK_INT(node_at(&t, BAR)->total_ns, 500000000);
    CHECK(node_at(&t, FOO)->error_ns > 1000000000);
    prof_tree_release(&t);
    free(m.bytes);
}

/* None of foo's timed calls was one of the two in which it called bar, which took 0.4 s. */
TEST(scaled_callers_take_no_less_than_what_is_known_of_their_callees)
{
    struct profmake m;
    struct prof_tree t;
    read_scaled(&m, 1000000, 2, 2, 400000000, &t);
    CHECK_INT(node_at(&t, BAR)->total_ns, 400000000);
    CHECK_INT(node_at(&t, FOO)->total_ns, 400000000);
    CHECK_INT(node_at(&t, MAIN)->self_ns, 600000000);
    CHECK(node_at(&t, FOO)->error_ns > 384000000);
    CHECK(node_at(&t, MAIN)->error_ns > 384000000);
    prof_tree_release(&t);
    free(m.bytes);
}

/* 3200 timed calls of foo stand for 25 that were timed: 2 / 5 of its time, not 2 / 56. */
TEST(calls_that_stand_for_several_count_once_in_the_error)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, false, PSPROF_ADAPTIVE);
    uint32_t thread = profmake_thread(&m, 7, "main", 0);
    uint32_t foo = profmake_node(&m, profmake_root(&m, thread), 0, FOO, 6400, 500000000);
    PROFMAKE32(&m, profmake_slot(&m, foo), psprof_node, timed, 3200);
    m.bytes[profmake_slot(&m, foo) - m.bytes + offsetof(struct psprof_node, sparse)] =
        PSPROF_SPARSER << 4;
    read_made(&m, &t);
    CHECK_INT(node_at(&t, FOO)->self_ns, 1000000000);
    CHECK_INT(node_at(&t, FOO)->error_ns, 400000000);
    prof_tree_release(&t);
    free(m.bytes);
}
