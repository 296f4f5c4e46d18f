/*
 * trace_request: what `trace' was asked for, and what its modes share.
 */
#ifndef PSUITE_APPLETS_TRACE_REQUEST_H
#define PSUITE_APPLETS_TRACE_REQUEST_H

#include "applets/applet.h"
#include "core/buf.h"
#include "core/sched_spans.h"
#include "engine/tracing.h"

enum { TRACE_PIDS_MOST = 64 };

struct trace_request {
    struct tracing_want want;
    const char *file; /* a recording, or -d's; NULL: live */
    int pid[TRACE_PIDS_MOST];
    bool lines, events, summary, latency, json;
    size_t rows;
    struct sched_limits keep; /* of runs and marks: none for texts */

    struct sched_spans spans; /* from here on the run's own */
    bool begun;
    struct buf out;
    int failed;
};

extern const struct applet applet_trace;

/* Traces or reads, printing as asked. Returns the exit status. */
int trace_session(struct trace_request *q);

#endif
