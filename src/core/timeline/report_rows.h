/*
 * sched_report_rows: which tasks a report shows, in which order.
 */
#pragma once

#include "core/timeline/report.h"

/* Rows that did anything, most run time first, then by pid. The run that has not ended is in
 * run_ns. The caller frees; *count 0 when memory ends. */
struct sched_shown {
    const struct sched_row *row;
    uint64_t run_ns, runs, key;
};
struct sched_shown *sched_shown(const struct sched_report *r, bool by_wakeups, size_t *count);
