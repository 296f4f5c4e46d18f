/* cpu_clock: the properties of a processor's counter: PROCESSOR/cpu.c fills them in, cpu.h reads
 * the counter. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)
extern const char cpu_clock_name[];
uint64_t cpu_ticks_hz(void);  /* 0: unknown, to be measured */
bool cpu_ticks_usable(void);  /* readable, and of one rate on all CPUs */
bool cpu_user_counters(void); /* perf's counters are readable on all CPUs, which are of one kind */
uint64_t cpu_user_counter(uint32_t n);
#pragma GCC visibility pop
