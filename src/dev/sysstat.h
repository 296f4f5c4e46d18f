/*
 * sysstat: #c/sysstat's ten columns, and where each comes from:
 *
 * - switches: perf's context-switches on each CPU; else the machine's, `ctxt' of /proc/stat.
 * - interrupts: the machine's, `intr' of /proc/stat. /proc/interrupts has them by CPU, but takes as
 *   long to make as all else together, and on large machines milliseconds.
 * - syscalls: the tracepoint raw_syscalls:sys_enter, counted on each CPU, without a ring.
 * - faults: perf's page-faults on each CPU; else the machine's, `pgfault' of /proc/vmstat.
 * - TLB misses: the processor's dTLB-load-misses; 0 is none, as emulated ones read.
 * - TLB flushes: the tracepoint tlb:tlb_flush, on x86, where it happens; else the machine's,
 *   `nr_tlb_remote_flush' of /proc/vmstat (CONFIG_DEBUG_TLBFLUSH).
 * - load: the machine's average of a minute, in thousandths, shared out evenly over the CPUs, for
 *   Linux has none a CPU.
 * - idle, interrupt: percent of the time since a reading half a second ago or more, at first since
 *   the machine's start: /proc/stat.
 *
 * Switches and faults are totals since the machine's start: perf counts from the first reading on,
 * and the machine's total at that time is added to the first CPU's line. Of system calls, TLB
 * misses and flushes Linux keeps no such total: they count from the first reading. Numbers that
 * exist only for the machine are in the first CPU's line, and the others have 0
 * (core/procfs/plan9_text.h): sums are right either way.
 */
#pragma once

#include "core/base/fail.h"
#include "core/procfs/cpu_stat.h"
#include "plat/cpucount.h"

#include <stdbool.h>

struct buf;

enum { SYSSTAT_SOURCES = 6 };

struct sysstat {
    bool opened, noted;
    struct cpucount *count[SYSSTAT_SOURCES];
    uint64_t before[SYSSTAT_SOURCES]; /* on all CPUs, when count was opened */
    struct fail why[SYSSTAT_SOURCES]; /* count is NULL */
    struct cpu_stat older, newer;     /* readings */
    uint64_t newer_ns;
    bool known; /* newer is one */
};

void sysstat_release(struct sysstat *s);
int sysstat_text(struct sysstat *s, struct buf *out, struct fail *f);

/* A line for each column that this machine cannot fill: `sysstat COLUMN NAME: WHY; HINT'. */
int sysstat_absent(struct sysstat *s, struct buf *out, struct fail *f);
