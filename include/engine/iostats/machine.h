/*
 * iostats_machine: reads which processes of this machine do I/O (core/io/machine.h), until the
 * time is over, an interrupt comes, or a key ends the live view.
 *
 * The source is /proc/PID/io, which needs a kernel with CONFIG_TASK_IO_ACCOUNTING. An ordinary
 * user may read that of the own processes; the others are counted as not readable. Waiting times
 * are those of /proc/PID/stat, which the kernel measures where kernel.task_delayacct is 1, of
 * living threads.
 */
#pragma once

#include "core/base/fail.h"
#include "core/io/machine.h"

struct iostats_machine_want {
    double seconds;    /* after which it ends; 0: never */
    double interval;   /* between two rounds; 0: a second */
    enum io_sort sort; /* of the live view, at first */
    /* After each round, which is interval after the one before; false ends it. NULL: not wanted. */
    bool (*round)(void *arg, const struct io_machine *m);
    void *arg;
};

/* The first round: what all others are compared with. -ENOENT, with a hint: there is no accounting.
 * io_machine_free ends it. */
int iostats_machine_start(struct io_machine **m, struct fail *f);

/* Rounds until the end. */
void iostats_machine_run(struct io_machine *m, const struct iostats_machine_want *want);

/* The same with a table on the terminal. -ENOTTY, with a hint: there is none. */
int iostats_machine_top(struct io_machine *m, const struct iostats_machine_want *want,
                        struct fail *f);
