/*
 * Which calls of a hot node are timed (adaptive): one in 16 behind the first PSPROF_ALL_TIMED, one
 * in 128 behind PSPROF_MANY_TIMED, after gaps that look random, and differ from node to node: no
 * pattern of the program, and no other node's, coincides with them.
 *
 * Each time they get sparser, what was timed is thinned out in the same measure, time and number:
 * so all calls have the same weight in what the report scales up.
 */
#include "runtime.h"

static uint32_t hash_node(const struct psprof_node *n)
{
    uint32_t x = (uint32_t)n->count * 0x9e3779b1u ^ (uint32_t)((uintptr_t)n >> 6) * 0x85ebca6bu;
    x = (x ^ x >> 15) * 0x2c1b3c6du;
    return x ^ x >> 13;
}

/* From 0, of every - 1 in the mean. */
static unsigned random_gap(const struct psprof_node *n, unsigned every)
{
    return (unsigned)((uint64_t)hash_node(n) * (2 * every - 1) >> 32);
}

static void thin_out(struct psprof_node *n, uint64_t timed)
{
    uint64_t had = n->timed, time = (uint64_t)n->time;
    if (!had || !timed)
        return;
    n->timed = (uint32_t)timed;
    n->time = (int64_t)(time / had * timed + time % had * timed / had);
}

/* The first call where it gets sparser is never skipped. */
static void skip_some(struct psprof_node *n)
{
    uint64_t first = PSPROF_ALL_TIMED + 1, later = PSPROF_MANY_TIMED + 1;
    if (n->count == first)
        thin_out(n, n->timed / PSPROF_SPARSE);
    if (n->count == later)
        thin_out(n, n->timed / (PSPROF_SPARSER / PSPROF_SPARSE));
    unsigned skip = random_gap(n, n->count < later ? PSPROF_SPARSE : PSPROF_SPARSER);
    if (n->count < later && n->count + skip >= later)
        skip = (unsigned)(later - n->count - 1);
    n->skip = (uint16_t)skip;
}

/* The preemption may have been before it: the call keeps what such calls took so far. */
RT_COLD void rt_adapt_long(struct psprof_node *n, uint64_t ticks)
{
    uint64_t away = rt_preempted_ticks(psprof_tls.thread);
    uint64_t mean = n->timed > 1 ? ((uint64_t)n->time - ticks) / (n->timed - 1) : 0;
    uint64_t max = ticks > mean ? ticks - mean : 0;
    n->time -= (int64_t)(away < max ? away : max);
}

void rt_adapt(struct psprof_node *n)
{
    if (n->count > PSPROF_ALL_TIMED)
        skip_some(n);
    n->timed++;
}
