/*
 * work: a workload of plat/workload.h as a process that waits to be told how much to do.
 *
 *     work_start(t, &w, "shares", &f);
 *     attach something to w.pid
 *     work_do(t, &w, 1500, poll, arg, &f);      w.number has what it printed
 *     work_end(&w);
 */
#pragma once

#include "plat/coprocess.h"
#include "plat/workload.h"
#include "private.h"

struct work {
    struct coprocess process;
    const char *name;
    int pid; /* of the workload itself */
    char line[160];
    size_t len;
    uint64_t number[WORKLOAD_NUMBERS];
    size_t numbers;
};

/* Once it is ready. On failure there is nothing to end. */
int work_start(struct selftest *t, struct work *w, const char *name, struct fail *f);
/* Does `amount'. poll, which may be NULL, is called at least every 50 ms meanwhile. -ETIMEDOUT,
 * -EINTR after an interrupt, or -EPIPE when the workload has ended. */
int work_do(struct selftest *t, struct work *w, uint64_t amount, void (*poll)(void *arg), void *arg,
            struct fail *f);
/* Its input ends, and so does it; else it is killed after three seconds. Its exit status. */
int work_end(struct work *w);

enum { WORK_ARGUMENTS = 7 };
/* The command that runs a workload once; cpu NULL: on any. */
void work_command(const char *argv[WORK_ARGUMENTS], const char *name, const char *amount,
                  const char *cpu);
