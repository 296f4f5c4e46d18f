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
