/*
 * The workloads: each function does `amount' of its work, fills the numbers that
 * include/plat/workload.h lists, and returns how many these are, or -errno.
 */
#pragma once

#include <stdint.h>

typedef int workload_run(uint64_t amount, uint64_t *number);

/* table.c: the workloads by name, ended by a NULL name. */
struct workload {
    const char *name;
    workload_run *run;
};
extern const struct workload workloads[];

/* --- burn.c --- */
workload_run workload_shares, workload_burn;
/* Spends time in the caller: a unit takes the same time wherever it is called. */
static inline __attribute__((always_inline)) void spin_inline(uint64_t units)
{
    for (; units; units--)
        __asm__ volatile("" : "+r"(units));
}
/* How many units take about 100 us. */
uint64_t spin_units(void);

/* --- chain.c --- */
workload_run workload_chain;

/* --- kernel.c --- */
workload_run workload_counted, workload_faults, workload_touch, workload_switches, workload_io;

/* --- waits.c --- */
workload_run workload_sleep, workload_lock, workload_pipe;

/* --- timer.c --- */
workload_run workload_timer;

/* --- pause.c --- */
void workload_sleep_ns(uint64_t ns);
