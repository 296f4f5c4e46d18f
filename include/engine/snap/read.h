/*
 * snap_read: reads a snap and each of its recordings, and finds the names of what was sampled on
 * this machine, as tprof does with a recording.
 */
#pragma once

#include "core/snap/contents.h"
#include "core/timeline/timeline_model.h"
#include "core/trace/task_names.h"
#include "engine/sampling/report.h"
#include "engine/trace/trace.h"

enum { SNAP_MAX_RUNS = 1 << 21 }; /* and marks; older ones are left out, which the page says */

struct snap_naming {
    struct debugfile_search search; /* of debug files */
    bool no_demangle;
};

struct snap_reading {
    struct snap_contents contents;
    struct snap_file file;
    struct sampling sampling;
    struct stacks stacks;
    struct sampled_indexes indexes;
    struct snap_samples samples;
    struct tracing tracing;
    struct sched_spans spans;
    struct sched_export scheduler;
    struct stats_replay stats;
    bool sampled, stacked, traced, begun, measured; /* which of these are to be released */
};

/* A recording that cannot be read is missing in the contents, and the notes say why. -EINVAL and f:
 * the bytes are no snap; -ENOMEM. snap_read_release either way. */
int snap_read(const uint8_t *bytes, size_t len, const struct snap_naming *naming,
              struct snap_reading *out, struct fail *f);
void snap_read_release(struct snap_reading *r);
