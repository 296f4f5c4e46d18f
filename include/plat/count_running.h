/*
 * count_running: counts events of processes that run already, or of the whole machine.
 *
 * A process is counted with all its threads, and with everything that these start from then on,
 * also after it has ended. Threads that begin while the counters are opened are counted once: the
 * counters are opened again until no thread is new.
 */
#pragma once

#include "plat/count.h"

struct count_running;

struct count_running_want {
    const struct count_event *event;
    size_t events;
    const int *pid; /* a thread's id stands for its process; one that is named twice counts once */
    size_t pids;    /* 0: the whole machine, with a counter of each event on each online CPU */
};

/*
 * Opens the counters, which then count. An event without a counter only has its state; fails when
 * there is none because of permission (-EACCES, -EPERM, with the remedy), when there is no such
 * process (-ESRCH), and when the counters do not fit into the limit on open files, which is raised
 * first (-EMFILE).
 */
int count_running_open(const struct count_running_want *want, struct count_running **out,
                       struct fail *f);
void count_running_close(struct count_running *c); /* NULL: nothing */

/* What each event was so far, in sum, with the state of its counter. Of a process that has ended it
 * stays. */
void count_running_read(const struct count_running *c, struct counter_reading *out);

/* How many threads or CPUs were counted at the beginning; threads of which it is not certain that
 * they are counted, because the processes started others all the time. */
size_t count_running_targets(const struct count_running *c);
size_t count_running_unsure(const struct count_running *c);
