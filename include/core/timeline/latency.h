/*
 * sched_latency: statistics of durations: exact count, sum, minimum, maximum and its time, and a
 * histogram: 32 steps an octave, so that a quantile is off by 1.6% at most.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SCHED_OCTAVES = 60, SCHED_STEPS = 32 };

struct sched_latency {
    uint64_t count, sum_ns, min_ns, max_ns, max_at_ns;
    uint32_t *octave[SCHED_OCTAVES]; /* SCHED_STEPS counters each, made when one is needed */
    uint64_t missed;                 /* not in the histogram: out of memory */
};

void sched_latency_release(struct sched_latency *l); /* and all is 0 */
void sched_latency_add(struct sched_latency *l, uint64_t ns, uint64_t at_ns);
size_t sched_latency_octaves(const struct sched_latency *l); /* how many it has in memory */
void sched_latency_merge(struct sched_latency *into, const struct sched_latency *l);

/* Below which the share (0..1) of them lies; between min and max. 0 when there are none. */
uint64_t sched_latency_quantile(const struct sched_latency *l, double share);

/* How many took from `from` up to less than `to`; both powers of two (or 0, UINT64_MAX). */
uint64_t sched_latency_between(const struct sched_latency *l, uint64_t from_ns, uint64_t to_ns);
