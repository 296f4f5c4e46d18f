/* clock_cost: measures what reading a clock costs. */
#ifndef PSUITE_PLAT_LINUX_CPU_CLOCK_COST_H
#define PSUITE_PLAT_LINUX_CPU_CLOCK_COST_H

#include <stdint.h>

uint64_t clock_by_libc(void);    /* CLOCK_MONOTONIC in ns, by the vDSO where there is one */
uint64_t clock_by_syscall(void); /* the same, always by system call */

/* One reading: the median of batches, under 1 ms of work for any but the slowest. */
double clock_cost_ns(uint64_t (*read)(void));

#endif
