/* sched_report_parts: what the files of core/timeline/report.h share. */
#pragma once

#include "core/timeline/report.h"

/* --- report_rows.c: which tasks are shown, in which order --- */

/* Rows that did anything, most run time first, then by pid. The run that has not ended is in
 * run_ns. The caller frees; *count 0 when memory ends. */
struct sched_shown {
    const struct sched_row *row;
    uint64_t run_ns, runs, key;
};
struct sched_shown *sched_shown(const struct sched_report *r, bool by_wakeups, size_t *count);

/* --- report_delays.c: the list of delays, below the head of a report, and as JSON --- */

void sched_delays_print(const struct sched_report *r, const struct report_part *part,
                        struct buf *out);
/* Members of an object that is open. Times are the monotonic clock's. */
void sched_delays_json(const struct sched_delays *d, struct json *j);
