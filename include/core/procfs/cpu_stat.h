/*
 * cpu_stat: parses the CPU times in the text of /proc/stat (proc(5)):
 *   cpu  USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL GUEST GUEST_NICE    all CPUs together
 *   cpu0 ...                                                                one, while it is online
 * in ticks; old kernels have fewer columns. USER and NICE hold GUEST and GUEST_NICE already.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CPU_STAT_MAX = 8192 }; /* CPUs */

struct cpu_times {
    uint32_t cpu; /* its number; of all together 0 */
    uint64_t user_ms, nice_ms, system_ms, idle_ms, iowait_ms, irq_ms, softirq_ms, steal_ms;
};

struct cpu_stat {
    struct cpu_times total;
    struct cpu_times *cpu; /* in the text's order, which is that of their numbers */
    size_t cpus;
};

/* hz: ticks a second. -EINVAL when the text has no line of all CPUs, -ENOMEM; then there is nothing
 * to release. Lines that are none are passed over, CPUs beyond the most too. */
int cpu_stat_parse(const char *text, uint64_t hz, struct cpu_stat *out);
void cpu_stat_release(struct cpu_stat *s);

/* What passed between two readings. What ran backwards, as iowait may, is 0. */
void cpu_times_since(const struct cpu_times *before, const struct cpu_times *now,
                     struct cpu_times *out);

/* All of it. */
uint64_t cpu_times_total_ms(const struct cpu_times *t);
