/*
 * tracing_kept: the last events of a trace, kept to be written as a recording on request: the
 * view's key s.
 */
#ifndef PSUITE_ENGINE_TRACE_SNAPSHOT_H
#define PSUITE_ENGINE_TRACE_SNAPSHOT_H

#include "engine/trace/trace.h"

enum { TRACING_KEPT_MOST = 1 << 19 }; /* 32 bytes each; older ones go */

struct tracing_kept {
    struct sched_event *event; /* a ring */
    size_t first, count, room;
};

void tracing_kept_release(struct tracing_kept *k);
void tracing_kept_take(struct tracing_kept *k, const struct sched_event *e);

/* Writes them, with the names and facts of the tracing, into psuite-trace-N.rec of the working
 * directory, N the first that is free, and gives its name. 0 or -errno. */
enum { TRACING_KEPT_NAME = 32 };
int tracing_kept_save(const struct tracing_kept *k, const struct tracing *t,
                      char name[TRACING_KEPT_NAME], struct fail *f);

#endif
