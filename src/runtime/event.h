/*
 * event: a call begins, a call ends: the hot path. No lock, no system call, no atomic operation,
 * and no call but at its end, so that it needs no stack of its own. What is not common goes to
 * stack.c.
 *
 * Against signals: top is raised before its frame is filled and lowered after it is emptied (span
 * 0), so that a handler's own calls take frames above, and know that they came inside a hook.
 */
#ifndef PSPROF_EVENT_H
#define PSPROF_EVENT_H

#include "cpu.h"
#include "runtime.h"

#define RT_HOT static inline __attribute__((always_inline))

/* Of calls of a hot node one in 16 is timed, in steps of no period. */
RT_HOT bool rt_is_timed(uint64_t count)
{
    return count < 256 || (uint32_t)count * 0x9e3779b1u < 0x10000000u;
}

RT_HOT struct psprof_node *rt_last_child(const struct psprof_node *parent)
{
    return (struct psprof_node *)(uintptr_t)parent->private_[1];
}

RT_HOT void rt_time_in(struct rt_tls *t, struct psprof_node *node, uint64_t now)
{
    *t->last = now;
    node->time -= (int64_t)now;
}

/* The frame is whole with its span. */
RT_HOT void rt_fill(struct rt_frame *n, struct psprof_node *node, uintptr_t span, uintptr_t site,
                    uintptr_t back)
{
    n->node = node;
    n->site = site;
    n->back = back;
    RT_ORDERED();
    n->span = span;
    RT_ORDERED();
}

/* Inlined functions stand at their host's place of the stack. What is meant is told from a frame
   that is dead where their node is made (stack.c), not here. The real frames that may follow need
   room. */
RT_HOT bool rt_inlined_fits(const struct rt_tls *t, const struct rt_frame *f, uintptr_t span,
                            uintptr_t site)
{
    return span == f->span && site == f->site && f + 2 + span / RT_BYTES_A_FRAME < t->limit;
}

RT_HOT void rt_enter(uintptr_t fn, uintptr_t sp, uintptr_t site, uintptr_t back)
{
    struct rt_tls *t = &psprof_tls;
    struct rt_frame *f = t->top, *n = f + 1;
    int mode = psprof_mode;
    uintptr_t span = sp - t->lo;
    if (span >= f->span && !rt_inlined_fits(t, f, span, site))
        goto odd;
    struct psprof_node *node = rt_last_child(f->node);
    if (RT_UNLIKELY((uintptr_t)node->private_[0] != fn || mode > RT_LAST_FAST))
        goto odd;
    if (mode != RT_COUNT && RT_UNLIKELY(node->time < 0))
        goto odd;
    t->top = n;
    RT_ORDERED();
    rt_fill(n, node, span, site, back);
    uint64_t count = ++node->count;
    if (mode == RT_COUNT)
        return;
    if (mode == RT_EXACT)
        node->timed = count;
    else if (!(n->timed = rt_is_timed(count)))
        return;
    else
        node->timed++;
    rt_time_in(t, node, cpu_ticks());
    return;
odd:
    rt_enter_odd(fn, sp, site, back);
}

/* back: where the hook returns to. Where that is the function's own return address, the hook was
   called in place of the return: the stack is its caller's. */
RT_HOT void rt_exit(uintptr_t fn, uintptr_t sp, uintptr_t site, uintptr_t back)
{
    int mode = psprof_mode;
    uint64_t now = mode == RT_EXACT ? cpu_ticks() : 0;
    struct rt_tls *t = &psprof_tls;
    struct rt_frame *f = t->top;
    uintptr_t d = sp - t->lo;
    struct psprof_node *node = f->node;
    if (d > f->span && (back != site || !f->span || d > f[-1].span))
        goto odd;
    if (RT_UNLIKELY(f->site != site || (uintptr_t)node->pc != fn || mode > RT_LAST_FAST))
        goto odd;
    f->span = 0;
    RT_ORDERED();
    if (mode != RT_COUNT) {
        if (mode == RT_ADAPTIVE && f->timed)
            now = cpu_ticks();
        if (now) {
            *t->last = now;
            node->time += (int64_t)now;
        }
    }
    RT_ORDERED();
    t->top = f - 1;
    return;
odd:
    rt_exit_odd(fn, sp, site, back, now);
}

#endif
