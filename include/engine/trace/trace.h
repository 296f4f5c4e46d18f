/*
 * tracing: delivers the scheduler's events, live or recorded, one after the other in order, to the
 * caller:
 *
 *     tracing_run(&want, &t, &f);       traces until something ends it, then
 *     tracing_wait(&t, &f);             waits for the command that was run, and
 *     tracing_release(&t);
 *
 * or tracing_read(&want, path, &t, &f): a recording of ours, or Plan 9's stream of 16-byte events.
 * A pipe is read while it grows; so is a file that a server hands out (plat/file_stream.h), until
 * an interrupt, want.seconds, or its end. Of a recording want.pid are the tasks to hand on, with
 * what they start; of a served stream all are, as that has only tasks for which it was asked.
 */
#pragma once

#include "core/base/fail.h"
#include "core/containers/imap.h"
#include "core/trace/deadline.h"
#include "core/trace/decode.h"
#include "core/trace/merge.h"
#include "core/trace/recording.h"
#include "core/trace/task_names.h"
#include "plat/child.h"
#include "plat/trace.h"
#include "plat/wait.h"

#include <stdbool.h>

struct tracing;

struct tracing_want {
    char *const *command; /* NULL: none. Traced from birth to end, with what it starts */
    const int *pid;       /* only these processes, with what they start; none: all that runs */
    size_t pids;
    double seconds; /* 0: until an interrupt, or the end of what is traced */
    bool interrupts, calls;
    const char *const *function; /* calls of functions with such names, as marks: patterns of */
    size_t functions;            /* kernel_text_find */
    size_t buffer_bytes;         /* a CPU; 0: plat/trace.h's default */
    const char *record; /* a file to record into, as well; NULL: none; "-" standard output */
    bool force;         /* over one that is there */

    void (*event)(void *arg, const struct tracing *t, const struct sched_event *e);
    /* Those of all other tasks, of which nothing is counted or recorded; may be NULL. */
    void (*other)(void *arg, const struct tracing *t, const struct sched_event *e);
    /* After each round, at most 50 ms apart; may be NULL. */
    void (*round)(void *arg, const struct tracing *t);
    /* In the place of wait_ready, to draw meanwhile; false ends the tracing. May be NULL. */
    bool (*wait)(void *arg, struct wait_on *on, size_t n, int timeout_ms);
    void *arg;
};

struct tracing_command {
    struct child child;
    bool runs;
    int status;      /* when it has ended */
    bool executed;   /* it became itself, */
    bool failed;     /* or could not: no tracing was refused */
    int interrupted; /* by this signal */
};

/* The tasks that are traced. */
struct tracing_tasks {
    struct imap followed; /* pids: 1 */
    bool follows;
    struct imap bits; /* with calls, of tasks that were seen: 32 or 64 */
};

/* The recording that is written. */
struct tracing_record {
    struct sched_recording_writer writer;
    int handle; /* -1 none */
    int err;
    struct fail fail;
};

/* The recording that is read. */
struct image;
struct tracing_file {
    const struct image *image; /* while it is read; NULL: none */
    bool plan9, cut, ended;    /* Plan 9's; its end is missing; its writer ended it */
    bool some_tasks;           /* it has the events of some tasks only */
};

struct tracing {
    struct sched_names names;
    uint64_t begin_ns, end_ns; /* of the observation, on the clock of the events */
    uint64_t events;
    uint64_t lost, losses; /* events that did not fit the kernel's buffers; places where that was.
                              A loss of unknown size counts only as a place */
    uint64_t unprobed;     /* functions that the kernel does not probe */
    uint64_t left_out; /* switches missing from the kernel's trace, as far as others prove them */
    bool all_instead;  /* in a pid namespace, whose numbers the events do not have: all tasks are
                          traced, though some processes were asked for */
    char method[128];
    struct tracing_file file;
    struct tracing_command command;

    /* the engine's own */
    const struct tracing_want *want;
    struct trace *trace;
    struct trace_decoder decoder;
    struct sched_merge merge;
    struct sched_deadlines deadlines;
    struct tracing_tasks tasks;
    struct tracing_record record;
};

int tracing_run(const struct tracing_want *want, struct tracing *t, struct fail *f);
int tracing_read(const struct tracing_want *want, const char *path, struct tracing *t,
                 struct fail *f);
/* A recording of ours that is in memory, of all its tasks. */
int tracing_read_bytes(const struct tracing_want *want, const uint8_t *bytes, size_t len,
                       struct tracing *t, struct fail *f);
int tracing_wait(struct tracing *t, struct fail *f);
void tracing_release(struct tracing *t);
