#include "unit.h"

#include "core/base/buf.h"
#include "core/timeline/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(names_over_the_limit_are_counted_in_the_report)
{
    static struct sched_names names;
    struct sched_spans *spans = calloc(1, sizeof *spans);
    struct sched_report r = {.spans = spans, .names = &names, .method = "a test"};
    struct buf out = BUF_INIT;
    sched_report_summary(&r, &out);
    CHECK(!strstr(buf_str(&out), "left out"));
    for (int i = 0; i < SCHED_TEXTS_MAX + 7; i++)
        sched_names_add_text(&names, "mark", 4);
    buf_clear(&out);
    sched_report_summary(&r, &out);
    CHECK(strstr(buf_str(&out), "; 7 names of tasks or marks left out\n"));
    sched_names_release(&names);
    free(spans);
    buf_release(&out);
}

/* A trace of days: the tasks that run have their names, however many came before them. */
TEST(names_of_tasks_that_ended_leave)
{
    static struct sched_names names;
    enum { TASKS = 5 * SCHED_NAMES_MAX };
    char name[16];
    for (int32_t i = 0; i < TASKS; i++) {
        snprintf(name, sizeof name, "task%d", (int)i);
        sched_names_set(&names, 100 + i, (uint64_t)i, name, sizeof name);
        sched_names_set(&names, 7, (uint64_t)i, "lives", 6);
        CHECK_STR(sched_names_get(&names, 100 + i), name);
        CHECK_STR(sched_names_get(&names, 7), "lives");
    }
    CHECK_INT(names.names, SCHED_NAMES_MAX);
    CHECK(names.index.slots <= 4 * SCHED_NAMES_MAX);
    CHECK_INT(names.dropped, 0);
    CHECK_STR(sched_names_get(&names, 100), "");
    CHECK_STR(sched_names_get(&names, 100 + TASKS - SCHED_NAMES_MAX / 2), "task147456");
    sched_names_release(&names);
}

static void set_name(struct sched_names *n, int32_t pid)
{
    char name[16];
    snprintf(name, sizeof name, "task%d", (int)pid);
    sched_names_set(n, pid, 1, name, sizeof name);
}

static void check_name(const struct sched_names *n, int32_t pid)
{
    char name[16];
    snprintf(name, sizeof name, "task%d", (int)pid);
    CHECK_STR(sched_names_get(n, pid), name);
}

TEST(names_that_retired_leave_in_their_order)
{
    struct sched_names names = {0};
    enum { GONE = SCHED_NAMES_RETIRED };
    for (int32_t pid = 1; pid <= GONE + 3; pid++)
        set_name(&names, pid);
    for (int32_t pid = GONE + 1; pid > 0; pid--) /* the last two live */
        sched_names_retire(&names, pid);
    set_name(&names, GONE); /* lives again */
    sched_names_retire(&names, GONE);
    sched_names_retire(&names, GONE);
    CHECK_INT(names.retired, GONE + 1);
    set_name(&names, 5000);
    CHECK_STR(sched_names_get(&names, GONE + 1), "");
    set_name(&names, 5001);
    CHECK_INT(names.names, GONE + 4);
    sched_names_retire(&names, 5001);
    set_name(&names, 5002);
    CHECK_STR(sched_names_get(&names, GONE - 1), "");
    check_name(&names, GONE);
    check_name(&names, GONE + 2);
    check_name(&names, GONE + 3);
    check_name(&names, 5001);
    sched_names_release(&names);
}

struct one_task {
    struct sched_spans *spans;
    struct sched_names *names;
    uint64_t time_ns;
};

static void add_event(struct one_task *t, unsigned kind, int32_t pid, uint64_t later_ns)
{
    struct sched_event e = {
        .time_ns = t->time_ns += later_ns, .kind = (uint8_t)kind, .pid = pid, .other = -1};
    set_name(t->names, pid);
    sched_spans_add(t->spans, &e);
}

static void run_task(struct one_task *t, int32_t pid, uint64_t ns)
{
    add_event(t, SCHED_RUN, pid, 10);
    add_event(t, SCHED_DEAD, pid, ns);
}

/* A live view of a machine that starts programs: what ended leaves rows and names of the number
 * that is kept, and no more; that of the ones that ran longest and of the living stays. */
TEST(a_live_view_forgets_tasks_that_ended)
{
    enum { TASKS = 40000, KEPT = 1000, LIVING = 50, BOUND = LIVING + KEPT + SCHED_NAMES_RETIRED };
    struct sched_spans spans;
    struct sched_names names = {0};
    struct one_task t = {&spans, &names, 1};
    sched_spans_init(&spans, &(struct sched_limits){.dead = KEPT}, 1);
    spans.names = &names;
    for (int32_t pid = 1; pid <= LIVING; pid++) {
        add_event(&t, SCHED_RUN, pid, 10);
        add_event(&t, SCHED_SLEEP, pid, 10);
    }
    run_task(&t, 100, 1 << 20);
    for (int32_t pid = 1000; pid < 1000 + TASKS; pid++) {
        run_task(&t, pid, 100);
        CHECK(spans.rows <= LIVING + KEPT);
        CHECK(names.names <= BOUND + 2);
    }
    for (size_t i = 0; i < spans.rows; i++)
        check_name(&names, spans.row[i]->pid);
    CHECK(spans.rows_cap <= 4 * KEPT);
    CHECK(names.cap <= 2 * BOUND);
    CHECK(names.index.slots <= 8 * BOUND);
    CHECK(spans.living.slots <= 4 * KEPT);
    check_name(&names, 1);
    check_name(&names, 100);
    CHECK_INT(names.dropped + spans.unplaced, 0);
    sched_spans_release(&spans);
    sched_names_release(&names);
}
