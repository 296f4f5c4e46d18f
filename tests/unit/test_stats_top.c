#include "unit.h"

#include "core/base/buf.h"
#include "core/stats/top.h"
#include "core/stats/usage.h"

#include "../../src/core/stats/health.h"

#include <stdio.h>
#include <string.h>

static void add(struct stats_top *t, int pid, const char *name, uint64_t started, uint64_t cpu_ms,
                uint64_t resident)
{
    stats_top_add(t, &(struct usage_process){.pid = pid,
                                             .name = name,
                                             .state = 'S',
                                             .started = started,
                                             .cpu_ns = cpu_ms * 1000000,
                                             .threads = 1,
                                             .resident_bytes = resident});
}

TEST(one_reading_has_no_shares)
{
    struct stats_top t = {0};
    struct buf out = BUF_INIT;
    stats_top_begin(&t, 5000000000);
    add(&t, 1, "init", 1, 500, 1);
    stats_top_end(&t);
    CHECK_INT(t.span_ns, 0);
    CHECK_INT(t.process[0].cpu_ns, 0);
    CHECK(stats_top_pct(&t, 0) == 0);
    stats_top_text(&t, 5, 0, &out);
    CHECK_INT(out.len, 0);
    buf_release(&out);
    stats_top_release(&t);
}

TEST(most_cpu_time_first_then_memory_then_the_id)
{
    struct stats_top t = {0};
    stats_top_begin(&t, 1000000000);
    for (int pid = 1; pid <= 6; pid++)
        add(&t, pid, "p", 1, 100, 1);
    stats_top_end(&t);
    stats_top_begin(&t, 3000000000);
    add(&t, 6, "p", 1, 100, 5);
    add(&t, 5, "p", 1, 100, 5);
    add(&t, 1, "p", 1, 100, 7);
    add(&t, 2, "p", 1, 1100, 1);
    add(&t, 3, "p", 1, 4100, 1);
    add(&t, 4, "p", 1, 90, 9); /* its time fell: nothing is new */
    stats_top_end(&t);
    CHECK_INT(t.span_ns, 2000000000);
    CHECK_INT(t.count, 6);
    static const int order[] = {3, 2, 4, 1, 5, 6};
    for (size_t i = 0; i < 6; i++)
        CHECK_INT(t.process[i].pid, order[i]);
    CHECK(stats_top_pct(&t, 0) == 200);
    CHECK(stats_top_pct(&t, 1) == 50);
    CHECK(stats_top_pct(&t, 2) == 0);
    stats_top_release(&t);
}

TEST(ids_that_are_used_again_and_processes_that_end)
{
    struct stats_top t = {0};
    stats_top_begin(&t, 1000000000);
    add(&t, 1, "ends", 1, 900, 1);
    add(&t, 2, "old", 1, 900, 1);
    stats_top_end(&t);
    stats_top_begin(&t, 2000000000);
    add(&t, 2, "new", 2, 950, 1);
    add(&t, 3, "begun", 3, 20, 1);
    stats_top_end(&t);
    CHECK_INT(t.count, 2);
    CHECK_STR(t.process[0].name, "new");
    CHECK_INT(t.process[0].cpu_ns, 950000000);
    CHECK_INT(t.process[1].cpu_ns, 20000000);
    CHECK_INT(t.times.count, 2);
    stats_top_begin(&t, 3000000000);
    add(&t, 1, "ends", 4, 10, 1); /* its id again, two rounds later */
    stats_top_end(&t);
    CHECK_INT(t.count, 1);
    CHECK_INT(t.process[0].cpu_ns, 10000000);
    stats_top_release(&t);
}

TEST(of_many_processes_the_first_are_kept)
{
    struct stats_top t = {0};
    for (uint64_t round = 1; round <= 2; round++) {
        stats_top_begin(&t, round * 1000000000);
        for (int i = 0; i < 5000; i++) {
            int pid = i * 7919 % 5000 + 1; /* each once, in no order */
            add(&t, pid, "p", 1, round * (uint64_t)pid, 1);
        }
        stats_top_end(&t);
    }
    CHECK_INT(t.processes, 5000);
    CHECK_INT(t.count, STATS_TOP_MAX);
    for (int i = 0; i < STATS_TOP_MAX; i++)
        CHECK_INT(t.process[i].pid, 5000 - i);
    stats_top_release(&t);
}

TEST(ids_of_ended_processes_are_forgotten)
{
    struct stats_top t = {0};
    for (int round = 1; round <= 2000; round++) {
        stats_top_begin(&t, (uint64_t)round * 1000000000);
        add(&t, 1, "stays", 1, (uint64_t)round, 1);
        for (int i = 0; i < 10; i++)
            add(&t, 2 + round * 10 + i, "short", 1, 0, 1);
        stats_top_end(&t);
        CHECK(round == 1 || t.process[0].cpu_ns == 1000000);
    }
    CHECK(t.times.of_pid.slots <= 8192);
    CHECK_INT(t.times.count, 11);
    stats_top_release(&t);
}

TEST(names_are_cut_and_shown)
{
    struct stats_top t = {0};
    struct buf out = BUF_INIT;
    char name[100];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (uint64_t round = 1; round <= 2; round++) {
        stats_top_begin(&t, round * 1000000000);
        add(&t, 1, name, 1, round, 1);
        add(&t, 2, "a\x1b[2J\nb", 1, 10 * round, 1);
        stats_top_end(&t);
    }
    CHECK_INT(strlen(t.process[1].name), STATS_TOP_NAME - 1);
    stats_top_text(&t, 1, 0, &out);
    CHECK_STR(buf_str(&out), "2 processes, by CPU time over 1.00 s; 100% is one CPU\n"
                             "pid  CPU %  resident  threads  state  program\n"
                             "  2    1.0        1B        1  S      a?[2J?b\n");
    buf_release(&out);
    stats_top_release(&t);
}

TEST(the_busiest_process_is_named_if_it_uses_much)
{
    struct stats_health busy = {.cpus_busy = true}, well = {0};
    struct stats_top t = {.count = 1, .span_ns = 1000000000};
    struct buf out = BUF_INIT;
    snprintf(t.process[0].name, sizeof t.process[0].name, "a\x1b");
    t.process[0].pid = 7;
    t.process[0].cpu_ns = 240000000;
    stats_health_busiest(&busy, &t, &out);
    t.process[0].cpu_ns = 260000000;
    stats_health_busiest(&well, &t, &out);
    stats_health_busiest(&busy, NULL, &out);
    CHECK_STR(buf_str(&out), "");
    stats_health_busiest(&busy, &t, &out);
    CHECK_STR(buf_str(&out), "; busiest: a? (7), 26% of a CPU");
    buf_release(&out);
}
