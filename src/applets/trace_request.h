/*
 * trace_request: what `trace' was asked for, and what its modes share.
 */
#pragma once

#include "applets/applet.h"
#include "applets/progress.h"
#include "core/base/buf.h"
#include "core/ktrace/where.h"
#include "core/text/report_fit.h"
#include "core/timeline/delays.h"
#include "core/timeline/export.h"
#include "core/timeline/timeline_model.h"
#include "core/timeline/trigger.h"
#include "engine/trace/trace.h"

enum { TRACE_MAX_PIDS = 64, TRACE_MAX_OUTPUTS = 8, TRACE_MAX_PATTERNS = 16 };
/* Runs that the timeline keeps, and as many marks; live also tasks that died. A live summary, which
 * has no end, keeps so many rows of these: some 3 KB each. */
enum {
    TRACE_KEPT_LIVE = 1 << 18,
    TRACE_KEPT_WHOLE = 1 << 22,
    TRACE_KEPT_DEAD = 1024,
    TRACE_KEPT_DEAD_ROWS = 2048
};

/* A format that a timeline is written in. */
struct trace_drawing {
    const char *name;
    int (*write)(const struct sched_export *w);
    bool streams;       /* it can be written while events come, with all runs */
    const char *opened; /* how the file is looked at */
};

struct trace_output {
    const struct trace_drawing *format;
    const char *path;
    bool streamed; /* written while events come, not at the end */
};

/* Which calls of functions of the kernel. */
struct trace_functions_request {
    const char *pattern[TRACE_MAX_PATTERNS];
    size_t patterns;    /* 0: the scheduler's events are traced */
    bool kernel, calls; /* of functions, or of system calls */
    struct ktrace_where where;
    uint64_t slower_ns;
    bool stacks; /* with the stack of each call */
};

struct trace_request {
    struct tracing_want want;
    const char *file; /* a recording, or -d's; NULL: live */
    int pid[TRACE_MAX_PIDS];
    bool lines, events, summary, latency, delayed, json;
    bool executes;            /* -x */
    bool all;                 /* with lines: also what Plan 9 does not have */
    struct report_size size;  /* of the summary */
    struct sched_limits keep; /* of runs and marks: none for texts */
    bool view;                /* the timeline in the terminal */
    struct trace_functions_request functions;
    struct sched_trigger trigger; /* on which that freezes, and what has no view ends */
    double keep_s, from_s, to_s;  /* of what is written: the last of it, or from the start on */
    double at_s;                  /* where a timeline opens; below 0: not asked for */
    struct trace_output output[TRACE_MAX_OUTPUTS];
    size_t outputs;
    struct trace_stream *stream; /* that is being written; NULL: none */

    struct sched_delays delays; /* its limit */

    struct sched_spans spans;  /* from here on the run's own */
    struct sched_names *names; /* which spans retires; NULL: it keeps all */
    bool begun;
    int interrupted; /* by this signal, so far */
    struct progress progress;
    struct buf out;
    int failed;
    bool hit;            /* the trigger */
    struct sched_hit at; /* what is at at_s */
};

extern const struct applet applet_trace;

bool trace_triggered(const struct trace_request *q); /* on something */

/* --- trace_processes.c --- */

/* As Plan 9's trace does: a process that is not there is reported, the others are traced. */
int trace_drop_missing(struct trace_request *q);
/* Of -t's process: Plan 9's letter is easily taken for that of seconds. */
int trace_check_trigger(const struct trace_request *q);

/* --- trace_outputs.c --- */

/* Takes -o FORMAT:FILE, or a recording's path. Negative: it was told. */
int trace_parse_output(struct trace_request *q, const struct opt_state *o);
/* The applet's `values' (applets/applet.h). */
void trace_values(const struct opt *o, struct buf *out);
/* Which of them are written while events come, and whether any is not: only for these runs are
 * kept.
 */
bool trace_choose_streams(struct trace_request *q);
/* With the first event, before it is added: opens these. The exit status. */
int trace_begin_streams(struct trace_request *q, const struct tracing *t);
/* Ends them; whole: else the files are removed. The exit status. */
int trace_end_streams(struct trace_request *q, bool whole);
/* Writes the others. Returns the exit status. */
int trace_write_outputs(struct trace_request *q, const struct tracing *t);

/* --- trace_functions.c --- */

/* Options: 1; -1: it was told. */
int trace_functions_add(struct trace_request *q, const char *pattern);
int trace_functions_add_calls(struct trace_request *q, const char *pattern);
int trace_functions_where(struct trace_request *q, const char *text);
int trace_functions_slower(struct trace_request *q, const struct opt_state *o);
/* Whether functions are marks in a timeline, which is then asked for. */
bool trace_functions_as_marks(struct trace_request *q);
/* What cannot be asked for together; NULL: nothing. */
const char *trace_functions_conflict(const struct trace_request *q);
/* Traces calls, printing as asked. Returns the exit status. */
int trace_functions(struct trace_request *q);

/* --- trace_view.c --- */

/* The timeline in the terminal. Returns the exit status. */
int trace_view(struct trace_request *q);

/* Traces or reads, printing as asked. Returns the exit status. */
int trace_session(struct trace_request *q);
