/*
 * sched_trigger: the event at which a view freezes, so that what led to it stays visible.
 *
 *     struct sched_trigger t = {.run_pid = 42, .late_ns = 5000000};
 *     if (sched_trigger_check(&t, &event)) ... t.hit says why
 *
 * All zero asks for nothing. Events come in the order of time. Memory: 32 bytes a task, of
 * SCHED_TRIGGER_TASKS at most; of more tasks wake-ups and deadlines are not watched. With late_ns
 * also a sched_history.
 */
#ifndef PSUITE_CORE_TIMELINE_TRIGGER_H
#define PSUITE_CORE_TIMELINE_TRIGGER_H

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
    uint64_t time_ns; /* of the event */
    uint64_t took_ns; /* the run, the wait, or how long after the deadline that was */
    int16_t cpu;      /* where it ran; -1: not known */
    struct sched_ran ran[SCHED_RAN_TASKS]; /* of a late wake-up: who ran where it waited */
    size_t ran_count;
};

struct sched_trigger {
    int32_t run_pid;  /* 0: none */
    uint64_t late_ns; /* 0: wake-ups are not watched */
    bool missed;      /* deadlines are */
    struct sched_hit hit;
    /* its own */
    uint64_t run_since_ns;  /* of run_pid; 0: it does not run */
    struct imap ready, due; /* pid -> time + 1 */
    struct sched_history history;
};

void sched_trigger_release(struct sched_trigger *t);
/* Whether this event is one; t->hit is then about it. */
bool sched_trigger_check(struct sched_trigger *t, const struct sched_event *e);
/* Forgets what it waits for the end of: after events that it was not given. */
void sched_trigger_forget(struct sched_trigger *t);

struct buf;
struct sched_names;
/* `42 tr waited to run 10.378ms on CPU 1; meanwhile 77 cc1 ran 8.200ms, 12 make 2.100ms' */
void sched_hit_text(const struct sched_hit *hit, const struct sched_names *names, struct buf *out);

#endif
