/*
 * dev_text: what Plan 9's devices cons and proc say (cons(3), proc(3)), as bytes. Numbers are at
 * the right of 11 columns with a blank behind; one that is wider is whole all the same.
 *
 * What cannot be had is -1, in any column of numbers: a reader that knows no sign takes it for the
 * largest number, whose differences are 0; ours takes it for absent. So a sum over CPUs is that of
 * the lines that have a number.
 */
#pragma once

#include "core/procfs/meminfo.h"
#include "core/procfs/pid_status.h"

#include <stddef.h>
#include <stdint.h>

struct buf;

#define DEV_ABSENT INT64_MIN

/* --- sysstat: a line a CPU, ten numbers --- */

enum dev_sysstat_column {
    SYSSTAT_CPU,
    SYSSTAT_SWITCHES,
    SYSSTAT_INTERRUPTS,
    SYSSTAT_SYSCALLS,
    SYSSTAT_FAULTS,
    SYSSTAT_TLB_MISSES,
    SYSSTAT_TLB_FLUSHES,
    SYSSTAT_LOAD,
    SYSSTAT_IDLE_PCT,
    SYSSTAT_INTERRUPT_PCT,
    SYSSTAT_COLUMNS
};
void dev_sysstat_line(const int64_t column[SYSSTAT_COLUMNS], struct buf *out);
/* "context", "interrupt" ...: FORMATS' own word. */
const char *dev_sysstat_name(enum dev_sysstat_column column);

/* --- the others --- */

/* swap: memory in bytes, pages of user memory and of swap space, bytes of kernel malloc (the slabs,
 * of all memory); Linux has no pool for drawing, which reads 0/0. */
void dev_swap(const struct meminfo *m, uint64_t page_bytes, struct buf *out);

/* cputime: user, system, real, children's user and system, ms. */
void dev_cputime(const uint64_t ms[5], struct buf *out);

/* time: seconds, ns, ticks of the monotonic clock (ns), ticks a second. */
void dev_time(uint64_t real_ns, uint64_t mono_ns, struct buf *out);

/* status of a process: name, user and state in 28, 28 and 12 columns, then user, system and real
 * time, those of its children (ms; real time of children: -1), memory in KB, base priority and
 * priority, where 10 is the common one and more is better: 10 less nice. */
struct dev_status {
    const struct pid_status *process;
    const char *user;
    uint64_t hz, page_bytes; /* ticks a second */
    uint64_t now_ticks;      /* since the machine's start */
};
void dev_status(const struct dev_status *s, struct buf *out);
