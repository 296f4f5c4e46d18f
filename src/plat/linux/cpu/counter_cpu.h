/*
 * counter_cpu: the processor's own counter, one implementation a folder. Any of these may trap
 * where the processor has no such counter or the kernel keeps it from programs: the first calls are
 * made under counter.c's handler.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

extern const char counter_cpu_name[];
uint64_t counter_cpu_read(void);
uint64_t counter_cpu_hz(void); /* 0: the processor does not say */
bool counter_cpu_steady(void); /* one rate on all CPUs, whatever their frequency or sleep */
