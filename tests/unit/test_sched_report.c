#include "unit.h"

#include "core/base/buf.h"
#include "core/timeline/report.h"

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
