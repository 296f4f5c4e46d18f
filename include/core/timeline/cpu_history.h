/*
 * sched_history: what the CPUs did lately, for who ran while a task waited.
 *
 *     struct sched_history h = {0};
 *     sched_history_add(&h, &event)                  each event, in the order of time
 *     sched_history_ran(&h, &wait, &meanwhile)       who ran on the CPUs where that task waited
 *
 * The last SCHED_HISTORY switches and migrations are kept: 24 bytes each, allocated with the first.
 * What is older, or what a source gives no CPU for, is not counted.
 */
#pragma once

#include "core/trace/event.h"

#include <stddef.h>
#include <stdint.h>

enum { SCHED_HISTORY = 1 << 15, SCHED_RAN_TASKS = 3 };

struct sched_change; /* a CPU's task from a time on, or a task's new CPU */

struct sched_history {
    struct sched_change *change; /* a ring */
    size_t count;                /* ever added */
};

/* A wait that ended on cpu, for which the task may have moved. */
struct sched_wait {
    int32_t pid;
    int16_t cpu; /* -1: not known */
    uint64_t from_ns, to_ns;
};

struct sched_ran {
    int32_t pid;
    uint64_t ns;
};

/* Of a wait: the tasks that ran longest there, longest first. What the times leave of the wait is
 * not known. */
struct sched_meanwhile {
    struct sched_ran ran[SCHED_RAN_TASKS];
    size_t ran_count;
    size_t others; /* tasks that ran, too; */
    uint64_t others_ns, idle_ns;
};

void sched_history_release(struct sched_history *h);
/* Without memory the event is left out. */
void sched_history_add(struct sched_history *h, const struct sched_event *e);

void sched_history_ran(const struct sched_history *h, const struct sched_wait *w,
                       struct sched_meanwhile *out);
