/*
 * sched_trigger: the event at which a view freezes, so that what led to it stays visible.
 *
 *     struct sched_trigger t = {.run_pid = 42, .late_ns = 5000000};
 *     if (sched_trigger_check(&t, &event)) ... t.hit says why
 *
 * All zero asks for nothing. Events come in the order of time. Memory: 32 bytes a task, of
 * SCHED_TRIGGER_TASKS at most; of more tasks wake-ups and deadlines are not watched. With late_ns
 * or missed also a sched_history.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/timeline/cpu_history.h"
#include "core/trace/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCHED_TRIGGER_TASKS = 1 << 17 };

enum sched_hit_kind {
    SCHED_HIT_RUN,    /* the task has run: its run just ended */
    SCHED_HIT_LATE,   /* woken, it waited longer than asked before it ran */
    SCHED_HIT_MISSED, /* a deadline passed before its task slept or yielded */
};

struct sched_hit {
    enum sched_hit_kind kind;
    int32_t pid;
    uint64_t time_ns;  /* of the event */
    uint64_t took_ns;  /* the run, the wait, or how long after the deadline that was */
    int16_t cpu;       /* where it ran; -1: not known */
    uint64_t since_ns; /* of the wake-up, or of the period that had the deadline; else the time of
                          the event less took_ns */
    struct sched_meanwhile meanwhile; /* since then where the task waited; of a missed deadline it
                                         is one of those that ran */
};

struct sched_trigger {
    int32_t run_pid;  /* 0: none */
    uint64_t late_ns; /* 0: wake-ups are not watched */
    bool missed;      /* deadlines are */
    struct sched_hit hit;
    /* its own */
    uint64_t run_since_ns;            /* of run_pid; 0: it does not run */
    struct imap ready, due, released; /* pid -> time + 1 */
    struct sched_history history;
};

void sched_trigger_release(struct sched_trigger *t);
/* Whether this event is one; t->hit is then about it. */
bool sched_trigger_check(struct sched_trigger *t, const struct sched_event *e);
/* Takes note of an event of a task that is not watched, for who ran meanwhile. */
void sched_trigger_other(struct sched_trigger *t, const struct sched_event *e);
/* Forgets what it waits for the end of: after events that it was not given. */
void sched_trigger_forget(struct sched_trigger *t);

/* What happened at a time, for views to open there: the late or missed run that began then, or
 * with pid -1 only the time, with a wait of SCHED_HIT_AROUND_NS. */
enum { SCHED_HIT_AROUND_NS = 1000000 };
struct sched_spans;
struct sched_hit sched_hit_at(const struct sched_spans *s, uint64_t at_ns);

struct sched_names;
/* `42 tr waited to run 10.378ms on CPU 1; meanwhile 77 cc1 ran 8.200ms, 12 make 2.100ms' */
void sched_hit_text(const struct sched_hit *hit, const struct sched_names *names, struct buf *out);
