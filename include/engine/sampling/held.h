/*
 * profiling: a sampling behind a Plan 9 file that grows: a process's `profile`, or the kernel's
 * `kpdata`. Several readers can read it any number of times, while it runs and after it was
 * stopped.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

struct profiling;

/* Begins to count: the user mode of a process, and of those that it forks from now on, until they
 * execute another program, as Plan 9's counters belong to the text; with pid 0 the kernel on all
 * CPUs. 997 times a second of running time; errors of sampling_begin. */
int profiling_start(int pid, struct profiling **out, struct fail *f);
void profiling_free(struct profiling *p); /* halts it; NULL: nothing */

/* Stops it: the counts are kept, and starting it again adds to them. Both do nothing when it is so.
 */
int profiling_pause(struct profiling *p, struct fail *f);
int profiling_resume(struct profiling *p, struct fail *f);

/* Takes what was sampled meanwhile; a process that has ended is halted. Wants to be called again so
 * many ms later, -1: it does not run. */
int profiling_tend(struct profiling *p);

/* Appends the file as it is now; samples come with the second look after they were taken, as they
 * are put in order. -ENOEXEC: the process's program cannot be read. */
int profiling_text(struct profiling *p, struct buf *out, struct fail *f);

/* How long the file is that profiling_text appends; 0: not known yet. Cheap. */
size_t profiling_length(struct profiling *p);
