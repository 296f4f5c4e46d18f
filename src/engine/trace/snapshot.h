/*
 * tracing_snapshot: the last events of a trace, kept to be written as a recording on request: the
 * view's key s.
 */
#pragma once

#include "engine/trace/trace.h"

enum { TRACING_SNAPSHOT_MAX = 1 << 19 }; /* 32 bytes each; older ones go */

struct tracing_snapshot {
    struct sched_event *event; /* a ring */
    size_t first, count, cap;
};

void tracing_snapshot_release(struct tracing_snapshot *k);
void tracing_snapshot_add(struct tracing_snapshot *k, const struct sched_event *e);

/* Writes them, with the names and facts of the tracing, into psuite-trace-N.rec of the working
 * directory, N the first that is free, and gives its name. 0 or -errno. */
enum { TRACING_SNAPSHOT_NAME = 32 };
int tracing_snapshot_save(const struct tracing_snapshot *k, const struct tracing *t,
                          char name[TRACING_SNAPSHOT_NAME], struct fail *f);
