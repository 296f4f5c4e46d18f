/*
 * kernel_counts: reads single numbers from short texts of the kernel:
 *   /proc/vmstat   lines `NAME N`, counted since the start
 *   /proc/stat     a line `ctxt N` among others: switches of all CPUs
 *   /proc/loadavg  `0.52 0.58 0.59 1/467 1234`: how many tasks ran or were ready, over a minute
 *   /sys           files that are one number
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The number behind a name that begins a line, of /proc/vmstat or /proc/stat. False: none. */
bool kernel_count(const char *text, const char *name, uint64_t *out);

/* The first average, in thousandths. */
bool kernel_load(const char *text, uint64_t *out);

/* All that the text is. */
bool kernel_number(const char *text, int64_t *out);
