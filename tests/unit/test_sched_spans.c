#include "unit.h"

#include "core/base/buf.h"
#include "core/timeline/export.h"
#include "core/timeline/timeline_model.h"
#include "core/trace/plan9.h"

#include <stdlib.h>
#include <string.h>

static const struct sched_limits many = {.runs = 4096, .marks = 4096};

static void take(struct sched_spans *s, uint64_t ns, int kind, int pid, int cpu, int other)
{
    struct sched_event e = {.time_ns = ns,
                            .pid = pid,
                            .other = other,
                            .cpu = (int16_t)cpu,
                            .kind = (uint8_t)kind,
                            .flags = kind == SCHED_READY ? SCHED_WOKEN : 0,
                            .state = kind == SCHED_SLEEP ? 'S' : 0};
    sched_spans_add(s, &e);
}

/* --- the goldens --- */

static char *plan9(struct sched_spans *s, uint64_t until_ns)
{
    size_t len;
    uint8_t *bytes = (uint8_t *)unit_file("golden/trace/sched.trace", &len);
    struct buf lines = BUF_INIT;
    sched_spans_init(s, &many, 0);
    for (size_t i = 0; i + SCHED_PLAN9_BYTES <= len; i += SCHED_PLAN9_BYTES) {
        struct sched_event e;
        sched_plan9_read(bytes + i, sched_plan9_big(bytes, len), &e);
        if (e.kind == SCHED_DEADLINE || e.time_ns <= until_ns)
            sched_spans_add(s, &e);
        sched_event_line(&lines, &e);
    }
    free(bytes);
    return lines.data;
}

TEST(verbose_lines_are_plan9s)
{
    struct sched_spans s;
    size_t len;
    char *got = plan9(&s, UINT64_MAX), *want = unit_file("golden/trace/verbose.out", &len);
    CHECK_STR(got, want);
    free(want);
    free(got);
    sched_spans_release(&s);
}

static void put_living(struct buf *out, const struct sched_spans *s, uint64_t now_ns)
{
    buf_printf(out, "now %" PRIu64 "\n", now_ns);
    for (int pid = 0; pid < 100; pid++) {
        char name[16];
        const struct sched_row *row = sched_row_of(s, pid);
        snprintf(name, sizeof name, "task%d", pid);
        if (row) {
            sched_row_text(out, row, name, now_ns);
            buf_addc(out, '\n');
        }
    }
}

TEST(rows_of_living_tasks_are_plan9s)
{
    struct sched_spans s;
    struct buf out = BUF_INIT;
    size_t len;
    char *want = unit_file("golden/trace/rows.out", &len);
    free(plan9(&s, UINT64_MAX));
    put_living(&out, &s, 1500000000);
    put_living(&out, &s, 4500000000);
    CHECK_STR(buf_str(&out), want);
    buf_release(&out);
    free(want);
    sched_spans_release(&s);
}

/* The golden has them in the order of their ends, without the one that ends with its task: that is
 * ours. */
TEST(spans_are_plan9s)
{
    struct sched_spans s;
    struct buf out = BUF_INIT;
    size_t len, rows = 0;
    char *want = unit_file("golden/trace/spans.tsv", &len);
    free(plan9(&s, UINT64_MAX));
    for (const char *at = want; (at = strchr(at, '\n')); at++)
        rows++;
    for (size_t i = 0; i < s.rows; i++) {
        const struct sched_row *row = s.row[i];
        for (size_t j = 0; j < row->runs.count; j++) {
            const struct sched_run *run = sched_run_at(&s, &row->runs, j);
            char line[64];
            snprintf(line, sizeof line, "%d\t%" PRIu64 "\t%" PRIu64 "\n", row->pid, run->start_ns,
                     run->end_ns);
            if (run->end == SCHED_DEAD)
                continue;
            CHECK(strstr(want, line));
            rows--;
        }
    }
    CHECK_INT(rows, 0);
    buf_release(&out);
    free(want);
    sched_spans_release(&s);
}

TEST(sched_time_text_matches_the_golden)
{
    size_t len;
    char *want = unit_file("golden/trace/times.tsv", &len);
    for (char *line = strtok(want, "\n"); line; line = strtok(NULL, "\n")) {
        struct buf out = BUF_INIT;
        char *tab = strchr(line, '\t');
        sched_time_text(&out, strtoll(line, NULL, 10));
        CHECK_STR(buf_str(&out), tab + 1);
        buf_release(&out);
    }
    free(want);
}

/* --- Linux's events --- */

TEST(a_wakeup_a_preemption_and_a_sleep)
{
    struct sched_spans s;
    sched_spans_init(&s, &many, 100);
    take(&s, 1000, SCHED_SLEEP, 5, 0, -1); /* ran since before */
    take(&s, 2000, SCHED_READY, 5, 0, 9);
    take(&s, 2300, SCHED_RUN, 5, 0, -1);
    take(&s, 3000, SCHED_SLICE, 5, 0, 7);
    take(&s, 3000, SCHED_RUN, 7, 0, -1);
    take(&s, 3500, SCHED_SLEEP, 7, 0, -1);
    take(&s, 3500, SCHED_RUN, 5, 0, -1);
    const struct sched_row *row = sched_row_of(&s, 5);
    const struct sched_stats *t = &row->stats;
    CHECK_INT(t->runs, 2);
    CHECK_INT(t->run_ns, 900 + 700);
    CHECK_INT(t->wakeup.count, 1);
    CHECK_INT(t->wakeup.max_ns, 300);
    CHECK_INT(t->wakeup.max_at_ns, 2300);
    CHECK_INT(t->stayed.max_ns, 500);
    CHECK_INT(t->sleep_ns, 1000);
    CHECK_INT(t->preempted, 1);
    CHECK_INT(t->by[0].pid, 7);
    const struct sched_run *first = sched_run_at(&s, &row->runs, 0);
    CHECK_INT(first->start_ns, 100);
    CHECK_INT(first->flags, SCHED_RUN_BEFORE);
    const struct sched_run *second = sched_run_at(&s, &row->runs, 1);
    CHECK_INT(second->ready_ns, 2000);
    CHECK_INT(second->woken_by, 9);
    CHECK_INT(second->ended_by, 7);
    struct sched_run open;
    CHECK(sched_run_open(row, 4000, &open));
    CHECK_INT(open.ready_ns, 3000);
    CHECK_INT(open.flags, SCHED_RUN_OPEN | SCHED_RUN_STAYED);
    CHECK_INT(s.cpu[0].busy_ns, 900 + 700 + 500);
    CHECK_INT(s.cpu[0].runs_here.count, 3);
    sched_spans_release(&s);
}

TEST(a_loss_ends_what_ran_where_it_was_last_seen)
{
    struct sched_spans s;
    sched_spans_init(&s, &many, 0);
    take(&s, 1000, SCHED_RUN, 5, 1, -1);
    take(&s, 1500, SCHED_READY, 6, 1, 5);
    struct sched_event lost = {.time_ns = 9000, .kind = SCHED_LOST, .cpu = 1, .arg = 77};
    sched_spans_add(&s, &lost);
    take(&s, 9500, SCHED_SLEEP, 5, 1, -1);
    const struct sched_row *row = sched_row_of(&s, 5);
    CHECK_INT(sched_run_at(&s, &row->runs, 0)->end_ns, 1500);
    CHECK_INT(sched_run_at(&s, &row->runs, 1)->start_ns, 9000);
    CHECK_INT(sched_run_at(&s, &row->runs, 1)->flags, SCHED_RUN_BEFORE);
    CHECK_INT(s.cpu[1].lost, 77);
    CHECK_INT(s.cpu[1].marks.count, 1);
    sched_spans_release(&s);
}

TEST(sched_spans_drops_the_oldest_beyond_its_limits)
{
    struct sched_spans s;
    struct sched_limits few = {.runs = 1024, .marks = 1024, .rows = 3};
    sched_spans_init(&s, &few, 0);
    for (int i = 0; i < 5000; i++) {
        take(&s, (uint64_t)i * 10, SCHED_RUN, 1 + i % 3, 0, -1);
        take(&s, (uint64_t)i * 10 + 5, SCHED_SLEEP, 1 + i % 3, 0, -1);
        take(&s, (uint64_t)i * 10 + 5, SCHED_USER, 1 + i % 3, 0, -1);
    }
    CHECK_INT(s.run.count, 1024);
    CHECK_INT(s.dropped.runs, 5000 - 1024);
    CHECK_INT(s.dropped.marks, 5000 - 1024);
    CHECK_INT(s.row[0]->runs.count + s.row[1]->runs.count + s.row[2]->runs.count, 1024);
    CHECK_INT(s.cpu[0].runs_here.count, 1024);
    CHECK_INT(s.row[0]->stats.runs, 1667);
    take(&s, 60000, SCHED_DEAD, 2, 0, -1);
    take(&s, 60001, SCHED_RUN, 8, 0, -1);
    CHECK_INT(s.rows, 3);
    CHECK_INT(s.dropped.rows, 1);
    CHECK(sched_run_at(&s, &s.cpu[0].runs_here, 0)->row != NULL ||
          sched_run_at(&s, &s.cpu[0].runs_here, 1)->row != NULL);
    take(&s, 60002, SCHED_RUN, 9, 1, -1);
    CHECK_INT(s.unplaced, 1);
    sched_spans_release(&s);
}

static void check_written(int (*write)(const struct sched_export *w), const struct sched_spans *s,
                          const char *wanted)
{
    static const struct sched_names names;
    struct buf out = BUF_INIT;
    CHECK_INT(write(&(struct sched_export){.spans = s, .names = &names, .title = "t", .out = &out}),
              0);
    CHECK(strstr(buf_str(&out), wanted) != NULL);
    buf_release(&out);
}

TEST(files_say_what_was_dropped)
{
    struct sched_spans s;
    struct sched_limits few = {.runs = 1024, .marks = 1024};
    sched_spans_init(&s, &few, 0);
    for (int i = 0; i < 1500; i++) {
        take(&s, (uint64_t)i * 10, SCHED_RUN, 1, 0, -1);
        take(&s, (uint64_t)i * 10 + 5, SCHED_SLEEP, 1, 0, -1);
        if (i < 1025)
            take(&s, (uint64_t)i * 10 + 5, SCHED_USER, 1, 0, -1);
    }
    check_written(sched_page, &s, "; 476 older runs, 1 older mark left out");
    check_written(sched_svg, &s, "; 476 older runs, 1 older mark left out");
    check_written(sched_chrome, &s, "\"runs_dropped\":476,\"marks_dropped\":1");
    sched_spans_release(&s);
}

TEST(sched_spans_keeps_only_so_many_dead_tasks)
{
    struct sched_spans s;
    struct sched_limits few = {.runs = 1024, .marks = 1024, .dead = 2};
    sched_spans_init(&s, &few, 0);
    for (int i = 0; i < 100; i++) {
        take(&s, (uint64_t)i * 10, SCHED_RUN, 1 + i, 0, -1);
        if (i % 10)
            take(&s, (uint64_t)i * 10 + 5, SCHED_DEAD, 1 + i, 0, -1);
    }
    CHECK_INT(s.rows, 10 + 2);
    CHECK_INT(s.dead, 2);
    CHECK_INT(s.dropped.rows, 100 - 12);
    CHECK(sched_row_of(&s, 1) && sched_row_of(&s, 91) && !sched_row_of(&s, 92));
    CHECK_INT(s.unplaced, 0);
    sched_spans_release(&s);
}

TEST(sched_spans_range_search_agrees_with_a_scan)
{
    struct sched_spans s;
    sched_spans_init(&s, &many, 0);
    for (int i = 0; i < 1000; i++) {
        take(&s, (uint64_t)i * 10 + 1, SCHED_RUN, 4, 0, -1);
        take(&s, (uint64_t)i * 10 + 6, SCHED_SLEEP, 4, 0, -1);
        take(&s, (uint64_t)i * 10 + 25, SCHED_DEADLINE, 4, 0, -1);
        take(&s, (uint64_t)i * 10 + 7, SCHED_USER, 4, 0, -1);
    }
    const struct sched_row *row = s.row[0];
    for (uint64_t from = 0; from < 10100; from += 37) {
        uint64_t to = from + from % 90;
        size_t runs = 0, marks = 0;
        struct sched_range r = sched_runs_between(&s, &row->runs, from, to);
        for (size_t i = 0; i < row->runs.count; i++) {
            const struct sched_run *run = sched_run_at(&s, &row->runs, i);
            bool in = run->end_ns > from && run->start_ns < to;
            CHECK(in == (i >= r.first && i < r.first + r.count));
            runs += in;
        }
        CHECK_INT(r.count, runs);
        r = sched_marks_between(&s, &row->marks, from, to);
        for (size_t i = 0; i < row->marks.count; i++) {
            const struct sched_mark *mark = sched_mark_at(&s, &row->marks, i);
            marks += mark->time_ns >= from && mark->time_ns < to;
        }
        CHECK_INT(r.count, marks);
    }
    sched_spans_release(&s);
}

TEST(latency_quantiles_are_within_two_percent)
{
    struct sched_latency l = {0};
    for (uint64_t i = 1; i <= 100000; i++)
        sched_latency_add(&l, i * 1000, i);
    CHECK_INT(l.min_ns, 1000);
    CHECK_INT(l.max_at_ns, 100000);
    for (int pct = 1; pct <= 99; pct++) {
        double got = (double)sched_latency_quantile(&l, pct / 100.0), want = pct * 1e6;
        CHECK(got > want * 0.983 && got < want * 1.017);
    }
    CHECK_INT(sched_latency_quantile(&l, 1), 100000000);
    CHECK_INT(sched_latency_between(&l, 0, 1 << 20), 1048);
    sched_latency_release(&l);
}

/* Where no runs are kept, statistics matter: those of the tasks that ran longest. */
TEST(dead_tasks_that_ran_longest_stay)
{
    struct sched_spans s;
    enum { DEAD = 16, TASKS = 5000 };
    sched_spans_init(&s, &(struct sched_limits){.dead = DEAD}, 1);
    for (int i = 0; i < TASKS; i++) {
        uint64_t at = 1000000 * (uint64_t)(i + 1);
        take(&s, at, SCHED_RUN, 10 + i, 0, -1);
        take(&s, at + 1000 + (i % 1000 == 7 ? 500000 : (uint64_t)i % 100), SCHED_DEAD, 10 + i, 0,
             -1);
    }
    CHECK(s.rows <= DEAD);
    CHECK_INT(s.rows + s.dropped.rows, TASKS);
    uint64_t ran_ns = s.dropped.run_ns, longest = 0;
    for (size_t i = 0; i < s.rows; i++) {
        ran_ns += s.row[i]->stats.run_ns;
        longest += s.row[i]->stats.run_ns > 500000;
    }
    CHECK_INT(longest, TASKS / 1000);
    CHECK_INT(ran_ns, s.cpu[0].busy_ns);
    sched_spans_release(&s);
}

/* A task that waits once in each of `octaves' octaves, and dies. */
static void run_and_die(struct sched_spans *s, int pid, uint64_t at_ns, unsigned octaves)
{
    for (unsigned o = 0; o < octaves; o++) {
        take(s, at_ns, SCHED_READY, pid, 0, -1);
        at_ns += UINT64_C(32) << o;
        take(s, at_ns, SCHED_RUN, pid, 0, -1);
        take(s, ++at_ns, SCHED_SLEEP, pid, 0, -1);
    }
    take(s, at_ns, SCHED_DEAD, pid, 0, -1);
}

/* Those that run longest stay, and have the largest histograms: ever larger ones, if only their
 * number were limited. */
TEST(histograms_of_dead_tasks_are_bounded)
{
    struct sched_spans s;
    enum { DEAD = 64, TASKS = 4000 };
    sched_spans_init(&s, &(struct sched_limits){.dead = DEAD}, 1);
    for (int i = 0; i < TASKS; i++) {
        run_and_die(&s, 10 + i, UINT64_C(100000000) * (uint64_t)(i + 1), 1 + (unsigned)i / 200);
        CHECK(s.dead_octaves < (DEAD + 3) * SCHED_DEAD_OCTAVES);
    }
    size_t octaves = 0;
    for (size_t i = 0; i < s.rows; i++)
        octaves += sched_latency_octaves(&s.row[i]->stats.wakeup);
    CHECK_INT(s.dead_octaves, octaves);
    CHECK(s.rows > DEAD / 8);
    sched_spans_reset(&s, 1);
    CHECK_INT(s.dead_octaves, 0);
    sched_spans_release(&s);
}

struct written {
    uint64_t runs, names;
    size_t most;
    struct buf tail;
};

static uint64_t count_text(const char *in, const char *what)
{
    uint64_t n = 0;
    for (const char *at = in; (at = strstr(at, what)); at++)
        n++;
    return n;
}

/* Pieces end between two events. */
static int count_piece(void *arg, struct buf *out)
{
    struct written *w = arg;
    w->runs += count_text(buf_str(out), "\"ended\":");
    w->names += count_text(buf_str(out), "\"thread_name\"");
    w->most = out->len > w->most ? out->len : w->most;
    buf_clear(&w->tail);
    buf_add(&w->tail, out->data, out->len);
    buf_clear(out);
    return 0;
}

/* Each task runs once, sleeps and dies: twice is each run written, for its task and its CPU. */
TEST(a_chrome_stream_has_all_runs)
{
    enum { TASKS = 50000, DEAD = 8 };
    struct sched_spans s;
    struct sched_names names = {0};
    struct buf out = BUF_INIT;
    struct written written = {0};
    struct sched_export w = {.spans = &s,
                             .names = &names,
                             .title = "stream",
                             .out = &out,
                             .flush = count_piece,
                             .arg = &written};
    sched_spans_init(&s, &(struct sched_limits){.dead = DEAD}, 1);
    struct sched_chrome_stream *stream = sched_chrome_begin(&w, &s);
    CHECK(stream);
    for (int i = 0; i < TASKS; i++) {
        take(&s, (uint64_t)(i + 1) * 100, SCHED_RUN, 10 + i, i % 2, -1);
        take(&s, (uint64_t)(i + 1) * 100 + 50, SCHED_DEAD, 10 + i, i % 2, -1);
    }
    take(&s, (TASKS + 2) * 100, SCHED_RUN, 5, 0, -1); /* runs still */
    take(&s, (TASKS + 3) * 100, SCHED_RUN, 6, 1, -1);
    CHECK(s.rows <= DEAD + 2);
    CHECK_INT(s.run.cap, 0);
    CHECK_INT(sched_chrome_end(stream), 0);
    CHECK_INT(written.runs, 2 * (TASKS + 2));
    CHECK_INT(written.names, TASKS + 2 + 2);
    CHECK(written.most < 1 << 17);
    CHECK(strstr(buf_str(&written.tail),
                 "],\"otherData\":{\"title\":\"stream\",\"start_ns\":1,\"lost\":0}}\n"));
    buf_release(&written.tail);
    buf_release(&out);
    sched_names_release(&names);
    sched_spans_release(&s);
}
