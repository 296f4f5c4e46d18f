/*
 * sched_delays: the tasks that came late to a CPU: when, by how much, and who ran there instead.
 *
 *     struct sched_delays d = {.limit_ns = 1000000};
 *     sched_delays_add(&d, &event, &names)        each event, in the order of time
 *     sched_delays_end(&d, &spans, &names, end_ns)
 *     for (i = 0; i < d.kept; i++) ... d.delay[i]       the longest first
 *
 * A delay is a wake-up until its task ran, a wake-up whose task still waits at the end, or a
 * deadline that passed. Waits after a preemption are none. After lost events what was waited for
 * is not known any more, and forgotten.
 *
 * Memory: 192 bytes a delay that is kept, of the longest SCHED_DELAYS_KEPT or without a limit
 * SCHED_DELAYS_LONGEST; and that of two sched_triggers.
 */
#pragma once

#include "core/timeline/timeline_model.h"
#include "core/timeline/trigger.h"
#include "core/trace/task_names.h"

enum { SCHED_DELAYS_KEPT = 1024, SCHED_DELAYS_LONGEST = 100 };

struct sched_delay {
    struct sched_hit hit;
    bool waits;                  /* it has not run by the end, which is hit.time_ns */
    char name[SCHED_NAME_BYTES]; /* as of then; */
    char ran_name[SCHED_RAN_TASKS][SCHED_NAME_BYTES]; /* those of hit.meanwhile.ran */
};

struct sched_delays {
    uint64_t limit_ns;         /* only what took longer; 0: the longest, however short */
    struct sched_delay *delay; /* of them the longest; sorted only at the end */
    size_t kept;
    uint64_t late, waiting, missed; /* how many took longer; without a limit not all are counted */
    uint64_t dropped;               /* for lack of memory */
    bool some_tasks; /* the source has some tasks only: meanwhile.idle_ns may have been others' */
    /* its own */
    struct sched_trigger by_wait, by_deadline;
};

void sched_delays_release(struct sched_delays *d);
void sched_delays_add(struct sched_delays *d, const struct sched_event *e,
                      const struct sched_names *names);
/* An event of a task whose delays are not wanted: it ran while others waited. */
void sched_delays_other(struct sched_delays *d, const struct sched_event *e);
/* Adds the tasks that wait now, and sorts. */
void sched_delays_end(struct sched_delays *d, const struct sched_spans *spans,
                      const struct sched_names *names, uint64_t end_ns);

/* "wake-up", "waiting" or "deadline". */
const char *sched_delay_kind(const struct sched_delay *d);
/* `77 cc1 79%, 12 make 20%, idle 1%': who had the CPU, in shares of the time from hit.since_ns on;
 * "-" when that is not known. */
void sched_delay_meanwhile(const struct sched_delays *all, const struct sched_delay *d,
                           struct buf *out);
