#include "applets/time_events.h"

#include "applets/applet.h"
#include "core/base/buf.h"
#include "core/text/table.h"

#include <string.h>

#define IN_THE_PROCESSOR "cycles,instructions,branches,branch-misses,cache-references,cache-misses"

const char time_default_events[] =
    "task-clock,context-switches,cpu-migrations,page-faults," IN_THE_PROCESSOR;

/* A clock of a CPU goes on when it is idle. */
const char time_machine_events[] = "context-switches,cpu-migrations,page-faults," IN_THE_PROCESSOR;

static int list_events(const struct applet *a)
{
    SCOPED_BUF text = BUF_INIT;
    struct table t;
    table_init(&t, "<known_are,_and_rHEX_for_the_processor's_own:");
    table_cell(&t, "%s", count_names());
    table_print(&t, &text, 80);
    applet_print_err(a, &text, USAGE);
    return USAGE;
}

int time_events_parse(const struct applet *a, const char *list, struct time_runs *t)
{
    struct fail f;
    for (const char *at = list;; at++) {
        size_t len = strcspn(at, ",");
        if (t->events == TIME_COUNTERS)
            return applet_misuse(a, "-c: %s: at most %d counters", at, TIME_COUNTERS);
        struct count_event *e = &t->event[t->events];
        if (count_find(at, len, e, &f) < 0) {
            applet_fail(a, &f);
            return list_events(a);
        }
        t->report.counter[t->events++].name = e->name;
        t->report.counters++;
        at += len;
        if (!*at)
            return 0;
    }
}
