/* perf: what sampling and counting share of the perf events interface. */
#pragma once

#include "core/base/fail.h"

#include <stddef.h>
#include <stdint.h>

struct perf_event_attr;

/* perf_event_open(2): a descriptor, or -1 and errno. */
int perf_open(struct perf_event_attr *attr, int pid, int cpu, int group, unsigned long flags);

/* Numbers of the online CPUs in *cpu (the caller frees); how many, or -errno. */
int perf_cpus(int **cpu);

/* Raises the limit on open files (RLIMIT_NOFILE) as far as this process may; how many of them can
 * be events. */
size_t perf_raise_descriptors(void);

/* kernel.perf_event_max_sample_rate. */
uint64_t perf_max_hz(void);

/* The remedy for an event that was refused, by the current privilege and
 * kernel.perf_event_paranoid, which must be no higher than most for an ordinary user. */
void perf_denied_hint(int max_paranoid, struct fail *f);
