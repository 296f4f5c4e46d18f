/*
 * snap_contents: the recordings of one snap, read and put on one clock. What is absent is NULL;
 * nothing is owned. Views of a snap are made of it: page.h, report.h.
 */
#pragma once

#include "core/sample/to_stacks.h"
#include "core/snap/file.h"
#include "core/stats/record.h"
#include "core/timeline/export.h"

#include <stdbool.h>
#include <stdint.h>

struct snap_samples {
    const struct sampled *sampled;         /* by thread, with a timeline */
    const struct stacks *stacks;           /* of it, not timed */
    const struct sampled_indexes *indexes; /* from one to the other */
    const char *described;                 /* "perf cpu-clock, user and kernel mode" */
};

struct snap_contents {
    const struct snap_file *file;
    uint64_t begin_ns, end_ns; /* of what is shown, on CLOCK_MONOTONIC; end over begin */
    const struct snap_samples *samples;
    const struct sched_export *scheduler; /* its window is within that time */
    struct stats_replay *stats;
};

/* Times of stats, ms since 1970, as ns from begin_ns; may be negative. */
int64_t snap_stats_time(const struct snap_contents *c, uint64_t time_ms);

/* By how much CLOCK_REALTIME was set while it was recorded, ns: so far stats' times are wrong. */
int64_t snap_clock_drift(const struct snap_contents *c);

/* How many samples are in the time that is shown. */
uint64_t snap_samples_shown(const struct snap_contents *c);
