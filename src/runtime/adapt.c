/*
 * Which calls of a hot node are timed (adaptive, where there are no samples). All of them, as long
 * as they take so much longer than the timing that it costs little. Of shorter calls, behind the
 * first PSPROF_ALL_TIMED, one in 16, and of those that are as short as the timing, behind
 * PSPROF_MANY_TIMED, one in 128. The gaps between look random, and differ from node to node: no
 * pattern of the program, and no other node's, coincides with them. A node whose calls are mostly
 * short and rarely very long (a buffer that is written now and then) has a long mean, and so none
 * of these is missed once one was seen.
 *
 * Each time they get sparser or denser, what was timed is scaled in the same measure, time and
 * number: so all calls have the same weight in what the report scales up.
 */
#include "runtime.h"

enum {
    LONG = 32, /* times what it costs to time a call: to time it is 3% of the call */
    BRIEF = 8, /* below this part of that, calls are as short as their hooks */
    DENSE = 0  /* PSPROF_SPARSE, PSPROF_SPARSER */
};

static uint64_t long_ticks;

void rt_adapt_start(const struct psprof_header *h)
{
    double ps = (double)h->inside_ps + (double)h->outside_ps;
    long_ticks = (uint64_t)(ps * LONG * (double)h->ticks_per_second / 1e12) + 1;
}

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

static void thin_out(struct psprof_node *n, unsigned shift)
{
    uint64_t had = n->timed, time = (uint64_t)n->time, timed = had >> shift;
    if (!timed)
        return;
    n->timed = (uint32_t)timed;
    n->time = (int64_t)(time / had * timed + time % had * timed / had);
}

static bool fill_up(struct psprof_node *n, unsigned shift)
{
    uint32_t timed;
    int64_t time;
    if (__builtin_mul_overflow(n->timed, 1u << shift, &timed) ||
        __builtin_mul_overflow(n->time, (int64_t)1 << shift, &time))
        return false;
    n->timed = timed;
    n->time = time;
    return true;
}

static void set_sparse(struct psprof_node *n, unsigned now)
{
    unsigned most = PSPROF_SPARSE_MOST(n->sparse);
    n->sparse = (uint8_t)((most > now ? most : now) << 4 | now);
}

/* It gets sparser at half of what makes it denser: what varies little does not go to and fro. */
static bool is_long(uint64_t mean, bool was_long, uint64_t ticks)
{
    return mean >= (was_long ? ticks / 2 : ticks);
}

static unsigned wanted(const struct psprof_node *n)
{
    unsigned now = PSPROF_SPARSE_NOW(n->sparse);
    uint64_t mean = n->timed ? (uint64_t)n->time / n->timed : 0;
    if (is_long(mean, now == DENSE, long_ticks))
        return DENSE;
    bool is_brief = !is_long(mean, now == PSPROF_SPARSE, long_ticks / BRIEF);
    return n->count > PSPROF_MANY_TIMED && is_brief ? PSPROF_SPARSER : PSPROF_SPARSE;
}

static void change_density(struct psprof_node *n)
{
    unsigned now = PSPROF_SPARSE_NOW(n->sparse), next = wanted(n);
    if (next > now)
        thin_out(n, next - now);
    else if (next < now && !fill_up(n, now - next))
        return;
    set_sparse(n, next);
}

/* The gap ends where calls get sparser. */
static void skip_some(struct psprof_node *n)
{
    unsigned now = PSPROF_SPARSE_NOW(n->sparse), skip = now == DENSE ? 0 : random_gap(n, 1u << now);
    uint64_t later = PSPROF_MANY_TIMED + 1;
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

/* A number that has no more room: what was timed counts half. */
void rt_adapt(struct psprof_node *n)
{
    if (n->count > PSPROF_ALL_TIMED) {
        change_density(n);
        skip_some(n);
    }
    if (n->timed == UINT32_MAX)
        thin_out(n, 1);
    n->timed++;
}
