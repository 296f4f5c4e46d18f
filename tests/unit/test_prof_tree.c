/* Call trees: read from files of both versions, settled, written again. What prof prints of them is
 * the applet's test. */
#include "../lib/profmake.h"
#include "unit.h"

#include "core/base/buf.h"
#include "core/prof/report.h"
#include "core/prof/stacks.h"
#include "core/prof/v1.h"
#include "core/prof/v2.h"
#include "core/symbol/demangle.h"

enum { MAIN = 0x1000, FOO = 0x1040, BAR = 0x1080 };

static void find(void *arg, uint32_t module, uint64_t address, struct prof_found *out)
{
    static const char *const names[] = {"main", "foo", "bar"};
    (void)arg;
    (void)module;
    if (address >= MAIN && address < BAR + 0x40)
        *out = (struct prof_found){.symbol = names[(address - MAIN) / 0x40],
                                   .start = address & ~UINT64_C(0x3f)};
}

static const struct prof_node *node_at(const struct prof_tree *t, uint64_t pc)
{
    for (size_t i = 0; i < t->nodes; i++)
        if (prof_linked(t, prof_place_at(t, t->node[i].place)) == pc)
            return &t->node[i];
    return NULL;
}

static void read_made(const struct profmake *m, struct prof_tree *t)
{
    struct fail f;
    CHECK_INT(prof_v2_read(m->bytes, profmake_len(m), t, &f), 0);
}

/* main calls foo a hundred times, foo bar; the bias is 0x50000. */
static void make_funcs(struct profmake *m, bool big, uint32_t type)
{
    profmake_start(m, big, type);
    uint32_t prog = profmake_module(m, "/bin/prog", 0x50000, (const uint8_t *)"\1\2\3", 3);
    uint32_t thread = profmake_thread(m, 7, "main", 1000);
    uint32_t main = profmake_node(m, profmake_root(m, thread), prog, 0x50000 + MAIN, 1, 1000);
    uint32_t foo = profmake_node(m, main, prog, 0x50000 + FOO, 100, 800);
    profmake_node(m, foo, prog, 0x50000 + BAR, 100, 200);
}

TEST(both_byte_orders_are_read)
{
    for (int big = 0; big < 2; big++) {
        struct profmake m;
        struct prof_tree t;
        make_funcs(&m, big, PSPROF_ELAPSED);
        read_made(&m, &t);
        CHECK_INT(t.nodes, 3);
        CHECK_INT(t.threads, 1);
        CHECK_INT(t.thread[0].tid, 7);
        CHECK_STR(t.thread[0].name, "main");
        CHECK_STR(t.module[0].path, "/bin/prog");
        CHECK_INT(t.module[0].build_id_bytes, 3);
        CHECK_STR(t.about.command, "prog arg");
        CHECK_INT(node_at(&t, FOO)->count, 100);
        CHECK_INT(node_at(&t, FOO)->self_ns, 600);
        CHECK_INT(node_at(&t, MAIN)->total_ns, 1000);
        CHECK_INT(t.notes, 0);
        prof_tree_release(&t);
        free(m.bytes);
    }
}

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

/* One timed call of foo was long: scaled, foo takes 16 s of main's one, and bar a half of that. */
TEST(scaled_callees_take_no_more_than_their_caller)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, false, PSPROF_ADAPTIVE);
    uint32_t thread = profmake_thread(&m, 7, "main", 0);
    uint32_t main = profmake_node(&m, profmake_root(&m, thread), 0, MAIN, 1, 1000000000);
    uint32_t foo = profmake_node(&m, main, 0, FOO, 1600, 1000000000);
    uint32_t bar = profmake_node(&m, foo, 0, BAR, 1600, 500000000);
    PROFMAKE32(&m, profmake_slot(&m, foo), psprof_node, timed, 100);
    PROFMAKE32(&m, profmake_slot(&m, bar), psprof_node, timed, 100);
    read_made(&m, &t);
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
    profmake_start(&m, false, PSPROF_ADAPTIVE);
    uint32_t thread = profmake_thread(&m, 7, "main", 0);
    uint32_t main = profmake_node(&m, profmake_root(&m, thread), 0, MAIN, 1, 1000000000);
    uint32_t foo = profmake_node(&m, main, 0, FOO, 1600, 1000000);
    uint32_t bar = profmake_node(&m, foo, 0, BAR, 2, 400000000);
    PROFMAKE32(&m, profmake_slot(&m, foo), psprof_node, timed, 100);
    PROFMAKE32(&m, profmake_slot(&m, bar), psprof_node, timed, 2);
    read_made(&m, &t);
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

TEST(open_calls_are_closed_by_the_last_event)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, false, PSPROF_ELAPSED);
    PROFMAKE64(&m, m.bytes, psprof_header, end_ticks, 0);
    PROFMAKE64(&m, m.bytes, psprof_header, ticks_per_second, 2000000000);
    uint32_t thread = profmake_thread(&m, 7, "main", UINT64_C(1) << 40);
    int64_t entered = -((INT64_C(1) << 40) - 600);
    profmake_node(&m, profmake_root(&m, thread), 0, MAIN, 1, entered);
    read_made(&m, &t);
    CHECK(!t.about.ended);
    CHECK(t.node[0].open);
    CHECK_INT(t.node[0].self_ns, 300);
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(pcs_lose_their_marks)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, true, PSPROF_ELAPSED);
    PROFMAKE32(&m, m.bytes, psprof_header, machine, 40);
    uint32_t thread = profmake_thread(&m, 7, "main", 0);
    profmake_node(&m, profmake_root(&m, thread), 0, UINT64_C(1) << 63 | FOO | 1, 1, 5);
    read_made(&m, &t);
    CHECK(node_at(&t, FOO) != NULL);
    prof_tree_release(&t);
    free(m.bytes);
}

/* Of the same place as a sibling: a handler's. Their callees join, too, of this caller only. */
TEST(siblings_of_one_place_are_one)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, false, PSPROF_ELAPSED);
    for (int i = 0; i < 2; i++) {
        uint32_t thread = profmake_thread(&m, 7, "main", 0);
        uint32_t main = profmake_node(&m, profmake_root(&m, thread), 0, MAIN, 1, 1000);
        uint32_t foo = profmake_node(&m, main, 0, FOO, 2, 300);
        profmake_node(&m, foo, 0, BAR, 1, 100);
        foo = profmake_node(&m, main, 0, FOO, 3, 200);
        profmake_node(&m, foo, 0, BAR, 4, 50);
    }
    read_made(&m, &t);
    CHECK_INT(t.nodes, 6);
    CHECK_INT(t.thread[1].begin, 3);
    CHECK_INT(node_at(&t, FOO)->count, 5);
    CHECK_INT(node_at(&t, FOO)->self_ns, 350);
    CHECK_INT(node_at(&t, BAR)->count, 5);
    CHECK_INT(t.node[t.thread[1].first].self_ns, 500);
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(prof_tree_skips_and_counts_damaged_nodes)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, false, PSPROF_ELAPSED);
    uint32_t thread = profmake_thread(&m, 7, "main", 0);
    uint32_t main = profmake_node(&m, profmake_root(&m, thread), 0, MAIN, 1, 1000);
    uint32_t foo = profmake_node(&m, main, 0, FOO, 1, 300);
    PROFMAKE32(&m, profmake_slot(&m, foo), psprof_node, down, main);
    PROFMAKE32(&m, profmake_slot(&m, foo), psprof_node, right, 4000);
    PROFMAKE32(&m, profmake_slot(&m, thread), psprof_thread, next, thread);
    read_made(&m, &t);
    CHECK_INT(t.nodes, 2);
    CHECK_INT(t.threads, 1);
    CHECK_INT(t.notes, 3);
    CHECK_STR(t.note[0], "index 1 used twice"); /* the thread */
    CHECK_STR(t.note[2], "index out of range 4000 [max 6]");
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(heads_that_are_none_are_refused)
{
    struct profmake m;
    struct prof_tree t;
    struct fail f;
    make_funcs(&m, false, PSPROF_ELAPSED);
    CHECK(prof_v2_read(m.bytes, PSPROF_HEADER_BYTES - 1, &t, &f) < 0);
    CHECK_STR(f.what, "cut off: 4095 bytes, the header alone has 4096");
    prof_tree_release(&t);
    PROFMAKE32(&m, m.bytes, psprof_header, slot_bytes, 128);
    CHECK(prof_v2_read(m.bytes, profmake_len(&m), &t, &f) < 0);
    CHECK_STR(f.what, "unknown layout (header of 4096 bytes, slots of 128)");
    prof_tree_release(&t);
    PROFMAKE32(&m, m.bytes, psprof_header, byte_order, 5);
    CHECK(prof_v2_read(m.bytes, profmake_len(&m), &t, &f) < 0);
    CHECK_STR(f.what, "damaged: no byte order");
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(recursion_counts_once_and_any_depth_is_walked)
{
    enum { DEPTH = 200000 };
    struct profmake m;
    struct prof_tree t;
    struct prof_names n;
    struct demangler names = {.off = true};
    struct prof_flat flat;
    struct stacks s;
    size_t flattened;
    profmake_start(&m, false, PSPROF_ELAPSED);
    uint32_t prog = profmake_module(&m, "/bin/prog", 0, NULL, 0);
    uint32_t at = profmake_root(&m, profmake_thread(&m, 7, "main", 0));
    for (int64_t i = 0; i < DEPTH; i++)
        at = profmake_node(&m, at, prog, FOO, 1, DEPTH - i);
    read_made(&m, &t);
    CHECK_INT(prof_names_make(&t, &(struct prof_naming){.find = find, .names = &names}, &n), 0);
    CHECK_INT(prof_flat_make(&n, PROF_NONE, &flat), 0);
    CHECK_INT(flat.rows, 1);
    CHECK_INT(flat.row[0].calls, DEPTH);
    CHECK_INT(flat.row[0].self_ns, DEPTH);
    CHECK_INT(flat.row[0].total_ns, DEPTH);
    prof_flat_release(&flat);
    CHECK_INT(prof_stacks(&n, &(struct prof_stacks_want){PROF_NONE, false, 10}, &s, &flattened), 0);
    CHECK_INT(s.nodes, 10);
    CHECK_INT(stacks_total(&s, 0), DEPTH);
    CHECK_INT(stacks_total(&s, 1), DEPTH);
    CHECK_INT(flattened, DEPTH - 10);
    stacks_release(&s);
    prof_names_release(&n);
    demangler_release(&names);
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(written_as_version_1_it_is_read_again)
{
    struct profmake m;
    struct prof_tree t, again;
    struct buf out = BUF_INIT;
    struct prof_v1_lost lost;
    profmake_start(&m, true, PSPROF_ELAPSED);
    uint32_t prog = profmake_module(&m, "/bin/prog", 0x50000, NULL, 0);
    uint32_t lib = profmake_module(&m, "/lib/lib.so", 0x90000, NULL, 0);
    for (int i = 0; i < 2; i++) {
        uint32_t root = profmake_root(&m, profmake_thread(&m, 7, "main", 0));
        uint32_t main = profmake_node(&m, root, prog, 0x50000 + MAIN, 1, 9999999);
        profmake_node(&m, main, prog, 0x50000 + FOO, 3, 5000000);
        profmake_node(&m, main, lib, 0x90000 + BAR, 2, 1000000);
    }
    read_made(&m, &t);
    CHECK_INT(prof_v1_write(&t, &out, &lost), 0);
    CHECK_INT(out.len, 7 * PROF_V1_RECORD);
    CHECK_INT(lost.nodes, 0);
    CHECK_INT(lost.foreign, 2);
    CHECK_INT(prof_v1_read((const uint8_t *)out.data, out.len, &again, NULL), 0);
    CHECK_INT(again.nodes, 6);
    CHECK_INT(again.about.root_ms, 19); /* of both threads together, cut */
    CHECK_INT(node_at(&again, FOO)->count, 3);
    CHECK_INT(node_at(&again, FOO)->total_ns, 5000000);
    CHECK_INT(node_at(&again, MAIN)->self_ns, 3000000); /* 9 - 5 - 1 */
    CHECK_INT(node_at(&again, 0)->count, 2);
    prof_tree_release(&again);
    prof_tree_release(&t);
    buf_release(&out);
    free(m.bytes);
}

TEST(version_1_has_room_for_65535_records)
{
    enum { CALLEES = 70000 };
    struct profmake m;
    struct prof_tree t, again;
    struct buf out = BUF_INIT;
    struct prof_v1_lost lost;
    profmake_start(&m, false, PSPROF_ELAPSED);
    uint32_t prog = profmake_module(&m, "/bin/prog", 0, NULL, 0);
    uint32_t root = profmake_root(&m, profmake_thread(&m, 7, "main", 0));
    uint32_t main = profmake_node(&m, root, prog, MAIN, 1, 1);
    for (uint32_t i = 0; i < CALLEES; i++)
        profmake_node(&m, main, prog, FOO + i, 1, 0);
    read_made(&m, &t);
    CHECK_INT(prof_v1_write(&t, &out, &lost), 0);
    CHECK_INT(out.len, (size_t)PROF_V1_MAX_RECORDS * PROF_V1_RECORD);
    CHECK_INT(lost.nodes, CALLEES + 1 - (PROF_V1_MAX_RECORDS - 1));
    CHECK_INT(prof_v1_read((const uint8_t *)out.data, out.len, &again, NULL), 0);
    CHECK_INT(again.nodes, PROF_V1_MAX_RECORDS - 1);
    CHECK_INT(again.notes, 0);
    prof_tree_release(&again);
    prof_tree_release(&t);
    buf_release(&out);
    free(m.bytes);
}

/* Version 1: main is open, entered at -30 on a clock that reads 50 at the dump. */
TEST(version_1_open_calls_have_the_roots_time_added)
{
    static const uint8_t file[] = {0,    1, 0xff, 0xff, 0,  0,    0,    0,    0,    0,   0,
                                   0,    0, 0,    0,    50, 0xff, 0xff, 0xff, 0xff, 0,   0,
                                   0x10, 0, 0,    0,    0,  1,    0xff, 0xff, 0xff, 0xe2};
    struct prof_tree t;
    CHECK_INT(prof_v1_read(file, sizeof file, &t, NULL), 0);
    CHECK_INT(t.node[0].self_ns, 20000000);
    CHECK(t.node[0].open);
    prof_tree_release(&t);
}
