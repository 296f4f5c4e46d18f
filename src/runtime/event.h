/*
 * event: records the entry and exit of calls: the hot path. No lock, no system call, no atomic
 * operation, and no call but at its end, so that it needs no stack of its own (a clock that is a
 * function aside). What is not common goes to stack.c.
 *
 * One body, compiled once for each kind of measurement: struct rt_how is a constant in each copy,
 * so that no hook tests what is measured. Count has no frames at all: count.h.
 *
 * Against signals: top is raised before its frame is filled and lowered after it is emptied (span
 * 0), so that a handler's own calls take frames above, and know that they came inside a hook.
 */
#pragma once

#include "cpu.h"
#include "runtime.h"

#include <linux/perf_event.h>

enum rt_clock {
    RT_NO_CLOCK,  /* nothing is timed: samples alone */
    RT_TICKS,     /* the processor's counter */
    RT_PAGE,      /* it and an offset, as long as the thread was not switched: clock_thread.c */
    RT_CALL_CLOCK /* psprof_clock */
};

struct rt_how {
    enum rt_clock clock;
    bool adaptive;
};

typedef const volatile struct perf_event_mmap_page rt_page;

/* The layout in an event's ring. */
struct rt_sample {
    struct perf_event_header header;
    uint64_t abi, ip;
};
#pragma GCC visibility push(hidden)

/* sample_cost.c: by an event of the calling thread that is not enabled. high_ns: what all but one
   stayed below, 0 not known; under emulation most may be short by chance. */
struct rt_sample_cost {
    uint64_t typical_ns, high_ns;
};
struct rt_sample_cost rt_sample_cost(int event, rt_page *page, uint64_t ticks_per_second);
#pragma GCC visibility pop

RT_HOT rt_page *rt_page_of(const struct rt_tls *t)
{
    return (rt_page *)((uintptr_t)t->watch + t->watch->offset);
}

/* A sample was taken, or where there is no other clock the thread was switched. */
RT_HOT bool rt_is_due(enum rt_clock clock, const struct rt_tls *t)
{
    if (clock != RT_NO_CLOCK && clock != RT_PAGE)
        return false;
    rt_page *page = rt_page_of(t);
    if (clock == RT_PAGE)
        return page->data_head != t->head_seen;
    return (page->data_head ^ t->head_seen) | (page->lock ^ t->clock_seen);
}

/* 0: there was a switch since the offset was made. The counter is read before the lock: when that
   has the same value as then, there was no switch before the reading. */
RT_HOT uint64_t rt_page_clock(const struct rt_tls *t)
{
    uint32_t seen = t->clock_seen; /* first: a handler may make both anew */
    RT_ORDERED();
    uint64_t now = cpu_ticks() + t->clock_offset;
    RT_ORDERED();
    return RT_LIKELY(rt_page_of(t)->lock == seen) ? now : 0;
}

/* 0: only rt_now can tell. */
RT_HOT uint64_t rt_read(enum rt_clock clock, const struct rt_tls *t)
{
    switch (clock) {
    case RT_NO_CLOCK:
        return 0;
    case RT_TICKS:
        return cpu_ticks();
    case RT_PAGE:
        return rt_page_clock(t);
    default:
        return psprof_clock();
    }
}

/* What an exit has to know, by one look at the page. The counter is read first, as the hook's own
   time is not the function's. */
struct rt_look {
    uint64_t now;
    bool known, due; /* known: now is right, or is not asked for */
};

RT_HOT struct rt_look rt_look(struct rt_how how, const struct rt_tls *t)
{
    if (how.adaptive)
        return (struct rt_look){0, true, false};
    if (how.clock != RT_PAGE)
        return (struct rt_look){rt_read(how.clock, t), true, rt_is_due(how.clock, t)};
    uint32_t seen = t->clock_seen; /* in the order of rt_page_clock */
    RT_ORDERED();
    uint64_t now = cpu_ticks() + t->clock_offset;
    RT_ORDERED();
    rt_page *page = rt_page_of(t);
    bool known = RT_LIKELY(page->lock == seen);
    return (struct rt_look){now, known, RT_UNLIKELY(page->data_head != t->head_seen)};
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

/* The frame is complete once it has its span. */
RT_HOT void rt_frame_init(struct rt_frame *n, struct psprof_node *node, uintptr_t span,
                          uintptr_t site, uintptr_t back)
{
    n->node = node;
    n->site = site;
    n->back = back;
    RT_ORDERED();
    n->span = span;
    RT_ORDERED();
}

/* A call from deeper in the stack, or of an inlined function, which is at its host's place of
   it. Such a call is distinguished from a dead frame where its node is made (stack.c), not here. */
RT_HOT bool rt_is_inside(const struct rt_frame *f, uintptr_t span, uintptr_t site)
{
    return span < f->span || (span == f->span && site == f->site);
}

/* Adaptive: the call is not timed. If it is, skip is to be set anew. */
RT_HOT bool rt_skips(struct psprof_node *node)
{
    return !__builtin_sub_overflow(node->skip, 1, &node->skip);
}

RT_HOT void rt_enter(struct rt_how how, uintptr_t fn, uintptr_t site, uintptr_t sp, uintptr_t back)
{
    struct rt_tls *t = &psprof_tls;
    struct rt_frame *f = t->top, *n = f + 1;
    uintptr_t span = sp - t->lo;
    if (!rt_is_inside(f, span, site) || RT_UNLIKELY(n >= t->limit) ||
        RT_UNLIKELY(rt_is_due(how.clock, t)))
        goto odd;
    struct psprof_node *node = rt_last_child(f->node);
    if (RT_UNLIKELY((uintptr_t)node->private_[0] != fn))
        goto other;
    if (!how.adaptive && how.clock != RT_NO_CLOCK && RT_UNLIKELY(node->time < 0))
        goto odd;
    t->top = n;
    RT_ORDERED();
    rt_frame_init(n, node, span, site, back);
    node->count++;
    if (how.clock == RT_NO_CLOCK || (how.adaptive && RT_LIKELY(rt_skips(node))))
        return;
    uint64_t now = how.adaptive ? 0 : rt_read(how.clock, t);
    if (how.adaptive || (how.clock == RT_PAGE && RT_UNLIKELY(!now)))
        rt_time_slow(n);
    else
        rt_time_in(t, node, now);
    return;
other:
    rt_enter_other(fn, site, sp, back);
    return;
odd:
    rt_enter_slow(fn, site, sp, back);
}

/* back: where the hook returns to. Where that is the function's own return address, the hook was
   called in place of the return: the stack is its caller's. */
RT_HOT void rt_exit(struct rt_how how, uintptr_t fn, uintptr_t site, uintptr_t sp, uintptr_t back)
{
    struct rt_tls *t = &psprof_tls;
    struct rt_look look = rt_look(how, t);
    uint64_t now = look.known ? look.now : 0;
    if (RT_UNLIKELY(!look.known) || RT_UNLIKELY(look.due))
        goto odd;
    struct rt_frame *f = t->top;
    uintptr_t d = sp - t->lo;
    struct psprof_node *node = f->node;
    if (d > f->span && (back != site || !f->span || d > f[-1].span))
        goto odd;
    if (RT_UNLIKELY(f->site != site || (uintptr_t)node->pc != fn))
        goto odd;
    f->span = 0;
    f->back = back;
    RT_ORDERED();
    if ((!how.adaptive && how.clock != RT_NO_CLOCK) || RT_UNLIKELY(f->timed)) {
        if (how.adaptive) {
            now = rt_read(how.clock, t);
        }
        *t->last = now;
        node->time += (int64_t)now;
        if (how.adaptive) {
            if (RT_UNLIKELY(now - f->timed > t->thread->long_ticks))
                rt_adapt_long(node, now - f->timed);
            f->timed = 0;
        }
    }
    RT_ORDERED();
    t->top = f - 1;
    return;
odd:
    rt_exit_slow(fn, site, sp, back, now);
}

/* Not recording: a thread that has open calls parks them, once. */
RT_HOT void rt_off(void)
{
    if (RT_UNLIKELY(psprof_tls.top != &psprof_outside))
        rt_park();
}
