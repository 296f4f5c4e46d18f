/* sampling_books: the CPU time of the sampled target in the kernel's accounting. */
#pragma once

#include "engine/sampling/sampling.h"

/* Of a time in user mode and one in the kernel, what is sampled. */
uint64_t sampling_time_of_modes(const struct sampling *s, uint64_t user, uint64_t kernel);

/* Time of the sampled processes so far; 0 when one of them is gone. */
uint64_t sampling_cpu_time_of_all_ms(const struct sampling *s);

/* The times of all CPUs so far; zeros when unknown. */
void sampling_read_cpus(struct cpu_times *out);
/* And since s->cpus_before, into the report. */
void sampling_account_cpus(struct sampling *s);
