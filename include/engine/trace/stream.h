/*
 * tracing_stream: the scheduler's events of some processes as Plan 9's /proc/trace hands them out
 * (core/trace/plan9.h), for the server of that file. The kernel is traced while one of the
 * processes lives; events are buffered until they are read.
 *
 * As many events wait as in Plan 9; what comes when it is full is dropped, and counted. In the
 * stream is what Plan 9 has a number for: no migrations, no losses; and no wake-up of a task that
 * runs on, as there it would end the run.
 */
#pragma once

#include "core/base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACING_STREAM_EVENTS = 16384 };

struct tracing_stream;

struct tracing_stream *tracing_stream_new(void); /* NULL: no memory */
void tracing_stream_free(struct tracing_stream *s);

/* Traces a process from here on, with its threads and what these start. What is started is traced
 * for itself: it goes on when its parent is dropped. Errors of trace_open; -ESRCH. */
int tracing_stream_add(struct tracing_stream *s, int pid, struct fail *f);
/* No more, with its threads. What waits stays. */
void tracing_stream_drop(struct tracing_stream *s, int pid);
bool tracing_stream_has(const struct tracing_stream *s, int pid);

/* A User event of it, now; of one that is not traced nothing, as in Plan 9. */
void tracing_stream_mark(struct tracing_stream *s, int pid);

/* Takes from the kernel what happened up to the call before. Wants to be called again so many ms
 * later; -1: no process is traced any more, and the kernel does not trace. */
int tracing_stream_tend(struct tracing_stream *s);

/* Takes whole events, the oldest first, as many as wait and fit: how many bytes. 0: none waits, and
 * no process is traced; -EAGAIN: none waits yet; -EINVAL: len is less than one. */
long tracing_stream_read(struct tracing_stream *s, void *bytes, size_t len, struct fail *f);

struct tracing_stream_state {
    size_t tasks;     /* threads that are traced */
    uint64_t waiting; /* events */
    uint64_t dropped; /* for want of room here */
    uint64_t lost;    /* in the kernel */
    uint64_t losses;  /* the places where that was; a loss of unknown size counts only as a place */
};
struct tracing_stream_state tracing_stream_state(const struct tracing_stream *s);
