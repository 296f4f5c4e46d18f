/* event_names: the events that have the same names and numbers in all kernels. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_name {
    const char *name, *alias;
    uint32_t type; /* perf_event_attr's, as config */
    uint64_t config;
};

/* The event of that name or alias, NULL when there is none. */
const struct event_name *event_name_find(const char *name, size_t len);

/* The ith, NULL behind the last. */
const struct event_name *event_name_at(size_t i);

/* `r' and hexadecimal digits: the processor's own number. */
bool event_name_raw(const char *name, size_t len, uint64_t *config);

/* It is the processor's own, or another device's: not of the kernel's software. */
bool event_is_counter(uint32_t type);

/* It happens while the kernel runs, even when a program is the cause. */
bool event_in_kernel(uint32_t type, uint64_t config);

/* It counts nanoseconds. */
bool event_is_clock(uint32_t type, uint64_t config);
