/*
 * event: a call begins, a call ends: the hot path. No lock, no system call, no atomic operation.
 *
 * Against signals: top is raised before its frame is filled and lowered after it is emptied (span
 * 0), so that a handler's own calls take frames above, and know that they came inside a hook.
 */
#ifndef PSPROF_EVENT_H
#define PSPROF_EVENT_H

#include "cpu.h"
#include "runtime.h"

/* Of calls of a hot node one in 16 is timed, in steps of no period. */
static inline bool rt_is_timed(uint64_t count)
{
    return count < 256 || (uint32_t)count * 0x9e3779b1u < 0x10000000u;
}

static inline struct psprof_node *rt_last_child(const struct psprof_node *parent)
{
    return (struct psprof_node *)(uintptr_t)parent->private_[1];
}

static inline __attribute__((always_inline)) void
rt_time_in(struct rt_tls *t, struct rt_frame *n, struct psprof_node *node, int mode, uint64_t count)
{
    if (mode == RT_COUNT)
        return;
    if (mode < RT_ADAPTIVE)
        node->timed = count;
    else if (!(n->timed = rt_is_timed(count)))
        return;
    else
        node->timed++;
    uint64_t now = mode == RT_EXACT || mode == RT_ADAPTIVE ? cpu_ticks() : psprof_clock();
    *t->last = now;
    node->time -= (int64_t)now;
}

/* Fills the frame n for a call of the function of a node. */
static inline __attribute__((always_inline)) void rt_fill(struct rt_tls *t, struct rt_frame *n,
                                                          struct psprof_node *node, uintptr_t sp,
                                                          uintptr_t site, uintptr_t back, int mode)
{
    n->node = node;
    n->site = site;
    n->back = back;
    RT_ORDERED();
    n->span = sp - t->lo;
    RT_ORDERED();
    uint64_t count = ++node->count;
    rt_time_in(t, n, node, mode, count);
}

static inline __attribute__((always_inline)) void rt_enter(uintptr_t fn, uintptr_t sp,
                                                           uintptr_t site, uintptr_t back)
{
    struct rt_tls *t = &psprof_tls;
    struct rt_frame *f = t->top, *n = f + 1;
    int mode = psprof_mode;
    /* Inside the current stack and below the top frame, or inlined into its function. */
    bool inside =
        RT_LIKELY(sp - t->lo < f->span) || (sp == f->sp && rt_is_inlined(f, sp, site, back));
    if (RT_UNLIKELY(!inside || n >= t->limit || mode == RT_OFF)) {
        rt_enter_odd(fn, sp, site, back);
        return;
    }
    n->sp = sp;
    RT_ORDERED();
    t->top = n;
    RT_ORDERED();
    n->sp = sp; /* a handler may have used the frame before it was ours */
    struct psprof_node *node = rt_last_child(f->node);
    if (RT_UNLIKELY((uintptr_t)node->private_[0] != fn || node->time < 0))
        node = rt_child(t->thread, f->node, fn, 0);
    rt_fill(t, n, node, sp, site, back, mode);
}

static inline __attribute__((always_inline)) uint64_t rt_time_out(int mode)
{
    if (mode == RT_EXACT)
        return cpu_ticks();
    return mode == RT_EXACT_CLOCK ? psprof_clock() : 0;
}

/* back: where the hook returns to. Where that is the function's own return address, the hook was
   called in place of the return: the stack is its caller's. */
static inline __attribute__((always_inline)) void rt_exit(uintptr_t fn, uintptr_t sp,
                                                          uintptr_t site, uintptr_t back)
{
    int mode = psprof_mode;
    uint64_t now = rt_time_out(mode);
    struct rt_tls *t = &psprof_tls;
    struct rt_frame *f = t->top;
    uintptr_t d = sp - t->lo;
    bool ours = f->span && (d <= f->span || (back == site && d <= f[-1].span)) && f->site == site &&
                (uintptr_t)f->node->pc == fn;
    if (RT_UNLIKELY(!ours || mode == RT_OFF)) {
        rt_exit_odd(fn, sp, site, back, now);
        return;
    }
    struct psprof_node *node = f->node;
    f->span = 0;
    RT_ORDERED();
    if (mode >= RT_ADAPTIVE && f->timed)
        now = rt_now();
    if (now) {
        *t->last = now;
        node->time += (int64_t)now;
    }
    RT_ORDERED();
    t->top = f - 1;
}

#endif
