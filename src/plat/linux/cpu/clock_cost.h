/* clock_cost: measures what reading a clock costs. */
#pragma once

#include <stdint.h>

uint64_t clock_by_libc(void);    /* CLOCK_MONOTONIC in ns, by the vDSO where there is one */
uint64_t clock_by_syscall(void); /* the same, always by system call */

/* One reading: the median of batches, under 1 ms of work for any but the slowest. */
double clock_cost_ns(uint64_t (*read)(void));
