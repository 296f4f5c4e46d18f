#include "core/timeline/latency.h"

#include <math.h>
#include <stdlib.h>

void sched_latency_release(struct sched_latency *l)
{
    for (size_t i = 0; i < SCHED_OCTAVES; i++)
        free(l->octave[i]);
    *l = (struct sched_latency){0};
}

/* Octave 0 has 0..31 one by one; octave o from 2^(o+4) on in steps of 2^(o-1). */
static unsigned octave_of(uint64_t ns)
{
    unsigned bits = ns ? 64 - (unsigned)__builtin_clzll(ns) : 0;
    return bits <= 5 ? 0 : bits - 5;
}

static uint64_t step_start(unsigned octave, unsigned step)
{
    return octave ? (uint64_t)(SCHED_STEPS + step) << (octave - 1) : step;
}

static unsigned step_of(uint64_t ns, unsigned octave)
{
    return octave ? (unsigned)(ns >> (octave - 1)) - SCHED_STEPS : (unsigned)ns;
}

static uint32_t *octave_steps(struct sched_latency *l, unsigned octave)
{
    if (!l->octave[octave])
        l->octave[octave] = calloc(SCHED_STEPS, sizeof(uint32_t));
    return l->octave[octave];
}

static void note_extremes(struct sched_latency *l, uint64_t min_ns, uint64_t max_ns, uint64_t at_ns)
{
    if (!l->count || min_ns < l->min_ns)
        l->min_ns = min_ns;
    if (!l->count || max_ns > l->max_ns) {
        l->max_ns = max_ns;
        l->max_at_ns = at_ns;
    }
}

void sched_latency_add(struct sched_latency *l, uint64_t ns, uint64_t at_ns)
{
    unsigned octave = octave_of(ns);
    uint32_t *step = octave < SCHED_OCTAVES ? octave_steps(l, octave) : NULL;
    if (step)
        step[step_of(ns, octave)]++;
    else
        l->missed++;
    note_extremes(l, ns, ns, at_ns);
    l->sum_ns += ns;
    l->count++;
}

size_t sched_latency_octaves(const struct sched_latency *l)
{
    size_t n = 0;
    for (size_t i = 0; i < SCHED_OCTAVES; i++)
        n += l->octave[i] != NULL;
    return n;
}

void sched_latency_merge(struct sched_latency *into, const struct sched_latency *l)
{
    if (!l->count)
        return;
    for (unsigned o = 0; o < SCHED_OCTAVES; o++) {
        uint32_t *to = l->octave[o] ? octave_steps(into, o) : NULL;
        for (unsigned s = 0; to && s < SCHED_STEPS; s++)
            to[s] += l->octave[o][s];
    }
    note_extremes(into, l->min_ns, l->max_ns, l->max_at_ns);
    into->sum_ns += l->sum_ns;
    into->count += l->count;
    into->missed += l->missed;
}

static uint64_t clamp_ns(const struct sched_latency *l, uint64_t ns)
{
    return ns < l->min_ns ? l->min_ns : ns > l->max_ns ? l->max_ns : ns;
}

uint64_t sched_latency_quantile(const struct sched_latency *l, double share)
{
    uint64_t seen = 0, rank = (uint64_t)ceil(share * (double)l->count);
    if (rank <= 1 || rank >= l->count)
        return rank <= 1 && l->count > 1 ? l->min_ns : l->max_ns;
    for (unsigned o = 0; o < SCHED_OCTAVES; o++)
        for (unsigned s = 0; l->octave[o] && s < SCHED_STEPS; s++) {
            seen += l->octave[o][s];
            if (seen >= rank && l->octave[o][s])
                return clamp_ns(l, step_start(o, s) + (o ? ((uint64_t)1 << (o - 1)) / 2 : 0));
        }
    return l->max_ns;
}

uint64_t sched_latency_between(const struct sched_latency *l, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t n = 0;
    for (unsigned o = 0; o < SCHED_OCTAVES; o++)
        for (unsigned s = 0; l->octave[o] && s < SCHED_STEPS; s++) {
            uint64_t start = step_start(o, s);
            n += start >= from_ns && start < to_ns ? l->octave[o][s] : 0;
        }
    return n;
}
