/*
 * What the hooks add to a call: between its two readings of the clock, and around them. The real
 * hooks are called on a tree and a stack of their own, in batches, of which the best is taken. That
 * is done when recording begins and when it ends: other programs may have slowed one of them.
 */
#include "count.h"
#include "psprof.h"

#include <string.h>
#include <time.h>

enum { BATCHES = 12, CALLS = 64, DEEP = 65536, SITE = 1 };

static void empty_function(void)
{
}

struct scratch {
    struct psprof_node root, leaf;
    struct psprof_thread slot;
    struct rt_thread thread;
    struct rt_arcs arcs;
    bool has_event; /* that of the calling thread's own: not all kinds can be had twice */
};

/* skip: so many calls are not timed (adaptive). */
static void tree_init(struct scratch *s, unsigned skip)
{
    memset(&s->root, 0, sizeof s->root);
    memset(&s->leaf, 0, sizeof s->leaf);
    uintptr_t fn = cpu_code((uintptr_t)empty_function);
    rt_node_init(&s->root, 0, 0);
    rt_node_init(&s->leaf, fn, 0);
    s->leaf.skip = (uint16_t)skip;
    if (psprof_header->type == PSPROF_COUNT)
        s->leaf.private_[0] = SITE;
    s->root.private_[1] = (uintptr_t)&s->leaf;
    s->arcs.to[0] = &s->leaf;
}

/* The calling thread becomes one that runs on this tree. */
static bool set_up(struct scratch *s)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!rt_stack_add(&s->thread, here - DEEP, here + DEEP, &s->root))
        return false;
    s->thread.current = s->thread.stacks;
    s->thread.slot = &s->slot;
    psprof_tls.last = &s->slot.last_ticks;
    psprof_tls.thread = &s->thread;
    psprof_tls.arcs = &s->arcs;
    psprof_tls.state = RT_LIVE;
    s->has_event = psprof_tls.watch->offset;
    if (!s->has_event)
        rt_event_begin(&s->thread);
    rt_thread_clock_begin(&s->thread);
    return true;
}

static void take_down(struct scratch *s)
{
    if (!s->has_event)
        rt_event_end(&s->thread);
    rt_watch_free(&s->thread);
    rt_stacks_release(&s->thread);
}

static void run_batch(void)
{
    for (int i = 0; i < CALLS; i++) {
        __cyg_profile_func_enter((void *)(uintptr_t)empty_function, (void *)SITE);
        __cyg_profile_func_exit((void *)(uintptr_t)empty_function, (void *)SITE);
    }
}

/* Ticks of the elapsed clock that a batch took, and those the leaf has for its own. */
static uint64_t time_batch(struct scratch *s, unsigned skip, uint64_t (*clock)(void),
                           uint64_t *inside)
{
    tree_init(s, skip);
    rt_stack_use(&psprof_tls, s->thread.current);
    uint64_t from = clock();
    run_batch();
    uint64_t whole = clock() - from;
    *inside = s->leaf.time > 0 ? (uint64_t)s->leaf.time : 0;
    return whole;
}

static uint64_t ticks_to_ps(uint64_t ticks, uint64_t hz, unsigned calls)
{
    return hz && calls ? (uint64_t)((double)ticks * 1e12 / (double)hz / calls) : 0;
}

static uint64_t steady_ns(void)
{
    return rt_clock_ns(CLOCK_MONOTONIC);
}

struct cost {
    uint64_t whole_ps, inside_ps;
};

/* By the recording's own clock where it shows single calls, else by a finer one. */
static struct cost best_cost(const struct psprof_header *h, struct scratch *s, unsigned skip)
{
    bool fine = psprof_clock && h->type != PSPROF_SAMPLE;
    uint64_t hz = fine ? h->ticks_per_second : 1000000000;
    struct cost c = {UINT64_MAX, UINT64_MAX};
    for (int i = 0; i < BATCHES; i++) {
        uint64_t inside, whole = time_batch(s, skip, fine ? psprof_clock : steady_ns, &inside);
        whole = ticks_to_ps(whole, hz, CALLS);
        inside = fine ? ticks_to_ps(inside, hz, CALLS) : 0;
        if (whole < c.whole_ps)
            c = (struct cost){whole, inside};
    }
    return c;
}

static void lower_timed(struct psprof_header *h, struct cost c)
{
    uint64_t before = h->inside_ps + h->outside_ps;
    if (before && before <= c.whole_ps)
        return;
    h->inside_ps = c.inside_ps;
    h->outside_ps = c.whole_ps - c.inside_ps;
}

static void lower_untimed(struct psprof_header *h, struct cost c)
{
    if (!h->untimed_ps || c.whole_ps < h->untimed_ps)
        h->untimed_ps = c.whole_ps;
}

static void lower_costs(struct psprof_header *h, struct scratch *s)
{
    struct cost first = best_cost(h, s, 0);
    if (h->type == PSPROF_COUNT || psprof_running == RT_SAMPLED)
        lower_untimed(h, first);
    else
        lower_timed(h, first);
    if (h->type == PSPROF_ADAPTIVE && psprof_running != RT_SAMPLED)
        lower_untimed(h, best_cost(h, s, UINT16_MAX));
}

void rt_calibrate(struct psprof_header *h)
{
    static struct scratch scratch;
    struct rt_tls kept = psprof_tls;
    int mode = psprof_mode;
    struct rt_sigstate held;
    rt_signals_block(&held);
    uint32_t unsampled = h->threads_unsampled;
    memset(&scratch, 0, sizeof scratch);
    if (set_up(&scratch)) {
        if (mode != psprof_running)
            rt_mode_set(psprof_running);
        lower_costs(h, &scratch);
        if (mode != psprof_running)
            rt_mode_set(mode);
        take_down(&scratch);
        h->threads_unsampled = unsampled; /* this was none of the program's */
    }
    psprof_tls = kept;
    rt_signals_restore(&held);
}
