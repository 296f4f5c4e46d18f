/*
 * stats_text: the files of Plan 9 that stats(1) reads, as numbers (FORMATS 9). Nothing is allocated
 * and nothing is copied; a text need not end in a NUL. Numbers too large for 64 bits are the
 * largest.
 *
 * A number that a machine cannot give stands as -1 (core/procfs/plan9_text.h) or `-' in its place.
 */
#pragma once

#include "core/procfs/plan9_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* #c/sysstat: a line a CPU. */
struct stats_sysstat_row {
    uint64_t column[SYSSTAT_COLUMNS];
    uint32_t absent; /* bit N: column N */
};
/* The next line from *at, which moves behind it: 1; 0 at the end; -EINVAL: no line of ten numbers.
 * Empty lines are passed over; what follows the tenth number is not looked at. */
int stats_sysstat_row(const char **at, const char *end, struct stats_sysstat_row *out);

/* #c/absent, psuite's own: a line `sysstat N NAME: WHY' for each column that is absent, from 1.
 * Calls reason with each WHY. */
void stats_absent_parse(const char *text, size_t len,
                        void (*reason)(void *arg, enum dev_sysstat_column col, const char *why,
                                       size_t why_len),
                        void *arg);

/* #c/swap, also in its old form, one line of four numbers. */
struct stats_swap {
    uint64_t used, total;           /* pages of memory for programs */
    uint64_t swap_used, swap_total; /* pages */
    uint64_t page_bytes;            /* 0: the old form does not say */
};
bool stats_swap_parse(const char *text, size_t len, struct stats_swap *out);

/* #l0/ether0/stats: at least eight numbers. */
struct stats_ether {
    uint64_t in, out; /* packets */
    uint64_t errors;  /* the sum of numbers 4 to 8 */
};
bool stats_ether_parse(const char *text, size_t len, struct stats_ether *out);

/* ether0/ifstats: the number behind "Signal:", dBm; 0 is no signal. */
bool stats_signal_parse(const char *text, size_t len, int *dbm);

/* battery: per cent left. Of /mnt/apm/battery at least two numbers are wanted. */
bool stats_battery_parse(const char *text, size_t len, bool apm, uint64_t *percent);

/* cputemp: degrees C of the first line, which has two numbers. */
bool stats_temp_parse(const char *text, size_t len, int *celsius);
