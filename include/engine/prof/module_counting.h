/*
 * module_counting: counts what programs execute, or what they allocate, for the profiling device:
 * exactly: by breakpoints, in the processes of programs that the caller starts, or by single steps,
 * in a process that runs already.
 *
 * A process of its own traces them (plat/breaks.h, breaks_follow): the caller goes on, and may wait
 * for its programs as ever. When the caller ends, however it does, the programs go on without
 * breakpoints and steps; when the process is killed, those that have breakpoints are killed, too.
 */
#pragma once

#include "core/profdev/device.h"

#include <stdbool.h>

struct module_counting;

/* Counts as p->running says, in the files of p's list, in each program that is the first of it.
 * -errno and f: the process could not be started. */
int module_counting_start(const struct profdev *p, struct module_counting **out, struct fail *f);

/* Follows a process that is held before its exec (child_hold_traceable), and what it starts.
 * -EPERM ... */
int module_counting_program(struct module_counting *c, int pid, struct fail *f);

/* Attaches to a process that runs: its threads count, by single steps, and nothing else does.
 * -EPERM, -ESRCH, and as breaks_attach. */
int module_counting_process(struct module_counting *c, int pid, struct fail *f);

/* Puts what was counted since the start into p, in the place of what it was told before. all: the
 * counting ends, and the programs go on. -ENOMEM; -ECONNRESET: the process was killed. */
int module_counting_count(struct module_counting *c, bool all, struct profdev *p, struct fail *f);

void module_counting_free(struct module_counting *c); /* NULL: nothing; ends the counting */
