/*
 * What is not the common case of a call. Frames that were left without an exit (longjmp, threads
 * cancelled) are known to be dead when a function of the same stack is entered or left at or above
 * their stack pointer; after a longjmp that was seen, also by where the return address of the
 * entered function lies. They are closed with the time of that event, and counted.
 */
#include "event.h"

#include <errno.h>

static struct rt_frame *base_frame(struct rt_thread *t)
{
    return t->current->frames;
}

/* The first frame of a stack that is not the thread's own. */
static bool is_first(const struct rt_stack *s, const struct rt_frame *f)
{
    return f == s->frames + 1 && !s->own;
}

static uintptr_t site_in(const struct rt_stack *s, const struct rt_frame *f, uintptr_t site)
{
    return is_first(s, f) ? ~site : site;
}

static void close_frame(struct rt_frame *f, uint64_t now)
{
    if (f->span && f->node->time < 0 && (psprof_header->type != PSPROF_ADAPTIVE || f->timed))
        f->node->time += (int64_t)now;
    f->span = 0;
    f->timed = false;
}

static void drop_top(struct rt_tls *t, uint64_t now)
{
    struct rt_frame *f = t->top;
    if (f->span)
        t->thread->slot->missed_exits++;
    close_frame(f, now);
    RT_ORDERED();
    t->top = f - 1;
}

void rt_close_stack(struct rt_thread *t, struct rt_stack *s, struct rt_frame *top, uint64_t now)
{
    for (struct rt_frame *f = top; f > s->frames; f--) {
        t->slot->missed_exits += f->span != 0;
        close_frame(f, now);
    }
    s->top = s->frames;
}

/* Not a second entry of the call at this place of the stack: by the same hook call nothing can
   be entered inside itself without a new frame of the stack. */
static bool is_inlined(const struct rt_stack *s, const struct rt_frame *f, uintptr_t span,
                       uintptr_t site, uintptr_t back)
{
    if (f->site != site_in(s, f, site))
        return false;
    for (; f > s->frames && f->span == span && f->site == site_in(s, f, site); f--)
        if (f->back == back)
            return false;
    return true;
}

/* The first word above sp that holds the return address lies in the frame of the function that has
   just been entered, or is its slot: all that began below is gone. */
static uintptr_t own_frame_end(struct rt_tls *t, uintptr_t sp, uintptr_t site)
{
    const struct rt_frame *first = base_frame(t->thread) + 1;
    uintptr_t end = t->top >= first && first->span ? t->lo + first->span : sp;
    for (uintptr_t at = (sp + sizeof at - 1) & ~(sizeof at - 1); at + sizeof at <= end;
         at += sizeof at)
        if (*(const uintptr_t *)at == site)
            return at;
    return sp;
}

static bool is_dead(const struct rt_stack *s, const struct rt_frame *f, uintptr_t span,
                    uintptr_t end, uintptr_t site, uintptr_t back)
{
    return f->span < end || f->span < span ||
           (f->span == span && !is_inlined(s, f, span, site, back));
}

static bool is_timing(void)
{
    return psprof_header && psprof_header->type != PSPROF_COUNT;
}

/* now: of all that one event drops; 0 as long as nothing was. */
static void drop_to(struct rt_tls *t, const struct rt_frame *f, uint64_t *now)
{
    if (t->top > f && !*now && is_timing())
        *now = rt_now();
    while (t->top > f)
        drop_top(t, *now);
}

/* Empty frames belong to hooks that a signal interrupted, if what is below them lives. Mostly there
   is nothing to drop, and the clock is not read. */
static void drop_dead_for_entry(struct rt_tls *t, uintptr_t sp, uintptr_t site, uintptr_t back)
{
    uintptr_t span = sp - t->lo, end = span;
    uint64_t now = 0;
    bool jumped = t->thread->jumped;
    if (jumped)
        end = own_frame_end(t, sp, site) - t->lo;
    t->thread->jumped = false;
    for (;;) {
        struct rt_frame *f = t->top;
        while (f > base_frame(t->thread) && !f->span)
            f--;
        bool dead =
            f > base_frame(t->thread) && is_dead(t->thread->current, f, span, end, site, back);
        if (!dead && !(jumped && f < t->top))
            return;
        drop_to(t, dead ? f - 1 : f, &now);
    }
}

/* Where a signal came inside hooks, these are the empty frames on top; the call belongs to what is
   below them. */
static struct rt_frame *find_caller(struct rt_tls *t, unsigned *in_hook)
{
    struct rt_frame *f = t->top, *first = base_frame(t->thread);
    *in_hook = 0;
    for (; f > first && !f->span; f--)
        ++*in_hook;
    if (f == first)
        *in_hook += t->thread->current->in_hook;
    return f;
}

/* Adaptive: whether a call that is not to be skipped can be timed. */
static bool is_timed(struct rt_frame *n)
{
    n->node->skip = 0;
    if (n->node->time < 0) /* open already, on another stack */
        return false;
    rt_adapt(n->node);
    return true;
}

static void start_timing(struct rt_frame *n, uint64_t now)
{
    if (psprof_header->type == PSPROF_ADAPTIVE)
        n->timed = (uintptr_t)now | 1;
    rt_time_in(&psprof_tls, n->node, now);
}

/* By the first reading that is right. */
RT_COLD void rt_time_slow(struct rt_frame *n)
{
    if (psprof_running != RT_SAMPLED && (psprof_header->type != PSPROF_ADAPTIVE || is_timed(n)))
        start_timing(n, rt_now());
}

void rt_push(struct rt_tls *t, uintptr_t fn, uintptr_t span, uintptr_t site, uintptr_t back)
{
    unsigned in_hook;
    struct rt_stack *s = t->thread->current;
    if (t->top == s->frames && !s->own)
        rt_stack_attach(s);
    struct rt_frame *f = find_caller(t, &in_hook), *n = t->top + 1;
    if (n >= t->limit) {
        t->thread->slot->refused++;
        return;
    }
    t->top = n;
    RT_ORDERED();
    rt_frame_init(n, rt_child(t->thread, f->node, fn, in_hook), span, site_in(s, n, site), back);
    n->node->count++;
    if (psprof_header->type != PSPROF_ADAPTIVE || !rt_skips(n->node))
        rt_time_slow(n);
}

/* Open calls do not run while recording is stopped. */
static void add_to_open(struct rt_thread *t, uint64_t add)
{
    for (struct rt_stack *s = t->stacks; s; s = s->next)
        if (!s->paused)
            rt_stack_time(s, add);
}

void rt_park(void)
{
    struct rt_tls *t = &psprof_tls;
    if (t->state != RT_LIVE || t->thread->parked)
        return;
    int kept = errno;
    struct rt_thread *thread = t->thread;
    rt_samples_read(t, 0, 0);
    thread->current->top = t->top;
    t->top = &psprof_outside;
    thread->parked = true;
    if (is_timing())
        add_to_open(thread, *t->last = rt_now());
    errno = kept;
}

static void unpark_thread(struct rt_tls *t)
{
    struct rt_thread *thread = t->thread;
    if (is_timing())
        add_to_open(thread, -(*t->last = rt_now()));
    thread->parked = false;
    t->top = thread->current->top;
    rt_samples_drop(t);
}

bool rt_live(struct rt_tls *t, uintptr_t sp, bool entry)
{
    if (psprof_mode == RT_OFF) {
        rt_park();
        return false;
    }
    if (t->state == RT_NEW && (!entry || !rt_thread_begin(sp)))
        return false;
    if (t->state != RT_LIVE)
        return false;
    if (t->thread->parked)
        unpark_thread(t);
    return true;
}

static bool use_stack(struct rt_tls *t, uintptr_t sp, bool may_add, uint64_t now)
{
    const struct rt_stack *s = t->thread->current;
    t->lo = s->lo;
    return sp - s->lo < s->hi - s->lo || rt_stack_switch(t, sp, may_add, now);
}

RT_COLD RT_PROBE void rt_enter_slow(uintptr_t fn, uintptr_t site, uintptr_t sp, uintptr_t back)
{
    int kept = errno;
    struct rt_tls *t = &psprof_tls;
    uint64_t samples = RT_UNLIKELY(rt_is_due(RT_NO_CLOCK, t)) ? rt_samples_read(t, fn, back) : 0;
    if (psprof_mode == RT_COUNT) {
        rt_count_slow(fn, site);
    } else if (rt_live(t, sp, true) && use_stack(t, sp, true, 0)) {
        drop_dead_for_entry(t, sp, site, back);
        rt_push(t, fn, sp - t->lo, site, back);
        if (RT_UNLIKELY(samples))
            rt_samples_add(rt_top_node(t), samples);
    }
    if (RT_UNLIKELY(rt_is_due(RT_PAGE, t)))
        rt_samples_to_hooks(t);
    errno = kept;
}

static void push_known(struct rt_tls *t, struct rt_frame *n, struct psprof_node *node,
                       uintptr_t span, uintptr_t site, uintptr_t back)
{
    t->top = n;
    RT_ORDERED();
    rt_frame_init(n, node, span, site, back);
    node->count++;
    if (psprof_running != RT_SAMPLED && (psprof_header->type != PSPROF_ADAPTIVE || !rt_skips(node)))
        rt_time_slow(n);
}

/* Above the first frame there is nothing to drop, unless after a jump, and nothing to hang. Nothing
   here changes errno. */
RT_PROBE void rt_enter_other(uintptr_t fn, uintptr_t site, uintptr_t sp, uintptr_t back)
{
    struct rt_tls *t = &psprof_tls;
    struct rt_frame *f = t->top;
    uintptr_t span = sp - t->lo;
    struct psprof_node *node = NULL;
    if (span < f->span && f > base_frame(t->thread) && !t->thread->jumped)
        node = rt_child_known(t->thread, f->node, fn);
    if (RT_UNLIKELY(!node)) {
        rt_enter_slow(fn, site, sp, back);
        return;
    }
    push_known(t, f + 1, node, span, site, back);
    if (RT_UNLIKELY(rt_is_due(RT_PAGE, t)))
        rt_samples_to_hooks(t);
}

/* After an exit the stack pointer is the function's own, or its caller's. */
static void drop_dead_for_exit(struct rt_tls *t, uintptr_t sp, bool in_callers, uint64_t now)
{
    while (t->top > base_frame(t->thread)) {
        const struct rt_frame *f = in_callers ? t->top - 1 : t->top;
        if (f == base_frame(t->thread) || !f->span || f->span >= sp - t->lo)
            return;
        drop_top(t, now);
    }
}

/* The nearest open call that this can be the exit of; NULL when there is none. */
static struct rt_frame *find_exiting(struct rt_tls *t, uintptr_t fn, uintptr_t site)
{
    for (struct rt_frame *f = t->top; f > base_frame(t->thread); f--) {
        bool same = f->span &&
                    ((uintptr_t)f->node->pc << 1 == fn << 1 || f->node == &t->thread->refused_node);
        if (same && f->site == site_in(t->thread->current, f, site))
            return f;
    }
    return NULL;
}

static void leave_function(struct rt_tls *t, uintptr_t fn, uintptr_t sp, uintptr_t site,
                           bool in_callers, uint64_t now)
{
    drop_dead_for_exit(t, sp, in_callers, now);
    struct rt_frame *f = find_exiting(t, fn, site);
    if (!f) {
        t->thread->slot->orphan_exits++;
        return;
    }
    while (t->top > f)
        drop_top(t, now);
    close_frame(f, now);
    RT_ORDERED();
    t->top = f - 1;
    if (is_first(t->thread->current, f)) {
        t->thread->current->top = f - 1;
        rt_stack_use(t, t->thread->current->from);
    }
}

/* When the call that is left has ended: as the hook read it, 0 where it did not. A handler may have
   made calls since. */
static uint64_t exit_time(struct rt_tls *t, uint64_t now)
{
    if (!now && is_timing())
        now = rt_now();
    if (now && now < *t->last)
        now = *t->last;
    if (now)
        *t->last = now;
    return now;
}

RT_COLD RT_PROBE void rt_exit_slow(uintptr_t fn, uintptr_t site, uintptr_t sp, uintptr_t back,
                                   uint64_t now)
{
    int kept = errno;
    struct rt_tls *t = &psprof_tls;
    rt_samples_read(t, 0, 0);
    if (psprof_mode != RT_COUNT && rt_live(t, sp, false)) {
        now = exit_time(t, now);
        if (use_stack(t, sp, false, now)) {
            leave_function(t, fn, sp, site, back == site, now);
            t->top[1].back = back;
        }
    }
    rt_samples_to_hooks(t);
    errno = kept;
}
