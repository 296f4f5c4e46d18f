/*
 * sched_deadline: the events of SCHED_DEADLINE tasks that the kernel does not report: Admit,
 * Release, Deadline, Yield, Slice and Expel, inferred from their parameters and switches by the
 * kernel's own rules (Documentation/scheduler/sched-deadline.rst): each wake-up after the deadline,
 * or with more run time left than the time to it allows, begins a new period; who used up his run
 * time or yielded waits for the next.
 *
 * All are marked SCHED_INFERRED. Admit and Expel show at the first switch or wake-up after they
 * happened. A Slice that is inferred means that the time was up; one that is not, that another with
 * an earlier deadline came.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/trace/decode.h"
#include "core/trace/task_names.h"

struct sched_parameters {
    uint64_t runtime_ns, deadline_ns, period_ns;
};

struct sched_deadline_task;
struct sched_deadlines {
    const struct sched_names *names;
    bool (*get_parameters)(void *arg, int32_t pid,
                           struct sched_parameters *out); /* false: gone, or not known */
    void *arg;
    struct imap index; /* pid -> index + 1 */
    struct sched_deadline_task *task;
    size_t tasks, cap, waiting; /* waiting: for their next release */
};
enum { SCHED_DEADLINE_TASKS_MAX = 4096 }; /* more are not followed */

void sched_deadlines_release(struct sched_deadlines *d);

/* Hands on the event, and what is inferred from it before or behind it, to take. Events come in the
 * order of time. */
void sched_deadlines_feed(struct sched_deadlines *d, const struct sched_event *e,
                          sched_emit_fn *emit, void *arg);
