/*
 * Clocks that know when the thread was switched, without a system call: as long as the lock of its
 * event's page (thread_event.c) does not change, the thread runs, and its time is the processor's
 * counter and an offset. When it has moved, the offset is made anew.
 *
 * The time on a CPU has it from CLOCK_THREAD_CPUTIME_ID; without a page that clock is read each
 * time. Elapsed time goes on while the thread waits, but not while it was preempted: a function
 * that happens to be interrupted there has not taken longer.
 */
#include "cpu.h"
#include "event.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { TRIES = 100, LONG_NS = 20000 /* a preemption takes no less */ };

static double ticks_a_ns;
static bool by_counter;

static uint64_t cpu_time(void)
{
    return (uint64_t)((double)rt_clock_ns(CLOCK_THREAD_CPUTIME_ID) * ticks_a_ns);
}

/* Where the thread's tree goes on from. */
static uint64_t not_back(const struct rt_thread *t, uint64_t now)
{
    now += t->clock_base + 1;
    return now < t->slot->last_ticks ? t->slot->last_ticks : now;
}

/* Offset and counter of one run between two switches. A handler that comes between makes its own.
 */
static uint64_t renew_clock(void)
{
    struct rt_tls *t = &psprof_tls;
    if (!t->thread) /* asked for its steps */
        return by_counter ? cpu_ticks() : cpu_time();
    for (int tries = 0; t->watch->offset && tries < TRIES; tries++) {
        uint32_t seen = rt_page_of(t)->lock;
        uint64_t now = not_back(t->thread, cpu_time()), offset = now - cpu_ticks();
        if (seen != rt_page_of(t)->lock)
            continue;
        t->clock_offset = offset;
        RT_ORDERED();
        t->clock_seen = seen;
        return now;
    }
    return not_back(t->thread, cpu_time());
}

uint64_t rt_thread_clock(void)
{
    uint64_t now = psprof_tls.watch->offset ? rt_page_clock(&psprof_tls) : 0;
    return now ? now : renew_clock();
}

/* --- elapsed --- */

static long count_waits(void)
{
    struct rusage r;
    return getrusage(RUSAGE_THREAD, &r) == 0 ? r.ru_nvcsw : 0;
}

static void mark_times(struct rt_thread *t)
{
    t->mark_ns = rt_clock_ns(CLOCK_MONOTONIC);
    t->mark_cpu_ns = rt_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    t->mark_waits = count_waits();
}

/* Off the CPUs since the last time: all of it is waiting when the thread waited at all. */
static uint64_t off_cpu_ns(struct rt_thread *t, bool *waited)
{
    uint64_t from = t->mark_ns, had_run = t->mark_cpu_ns;
    long had_waited = t->mark_waits;
    mark_times(t);
    uint64_t passed = t->mark_ns - from, ran = t->mark_cpu_ns - had_run;
    *waited = t->mark_waits != had_waited;
    t->slot->cpu_ns += ran;
    return passed > ran ? passed - ran : 0;
}

uint64_t rt_preempted_ticks(struct rt_thread *t)
{
    bool waited;
    uint64_t off = off_cpu_ns(t, &waited);
    if (waited)
        return 0;
    t->slot->preempted_ns += off;
    return (uint64_t)((double)off * ticks_a_ns);
}

static void settle_off_cpu(struct rt_tls *t)
{
    bool waited;
    if (t->thread->marking)
        return;
    t->thread->marking = true;
    RT_ORDERED();
    uint64_t off = off_cpu_ns(t->thread, &waited), ticks = (uint64_t)((double)off * ticks_a_ns);
    if (!waited) {
        t->clock_offset -= ticks;
        t->thread->slot->preempted_ns += off;
    } else if (psprof_running == RT_SAMPLED) {
        rt_top_node(t)->time += (int64_t)ticks;
    }
    RT_ORDERED();
    t->thread->marking = false;
}

static uint64_t renew_elapsed(void)
{
    struct rt_tls *t = &psprof_tls;
    uint32_t seen;
    uint64_t now;
    if (!t->thread)
        return cpu_ticks();
    int tries = 0;
    do {
        seen = rt_page_of(t)->lock;
        settle_off_cpu(t);
        now = cpu_ticks() + t->clock_offset;
    } while (seen != rt_page_of(t)->lock && ++tries < TRIES);
    if (now < *t->last) /* or else by a handler */
        now = cpu_ticks() + t->clock_offset;
    if (now < *t->last) {
        t->clock_offset += *t->last - now;
        now = *t->last;
    }
    RT_ORDERED();
    t->clock_seen = seen;
    return now;
}

uint64_t rt_elapsed_clock(void)
{
    uint64_t now = rt_page_clock(&psprof_tls);
    return now ? now : renew_elapsed();
}

void rt_thread_clock_rate(uint64_t ticks_per_second)
{
    ticks_a_ns = (double)ticks_per_second / 1e9;
}

/* Writes the header's clock. */
bool rt_thread_clock_start(struct psprof_header *h)
{
    by_counter = cpu_ticks_usable() && rt_event_start(h);
    if (!by_counter)
        h->ticks_per_second = 1000000000;
    strcpy(h->clock_name, by_counter ? "cpu time by " : "thread cpu clock");
    if (by_counter)
        strcat(h->clock_name, cpu_clock_name);
    return by_counter;
}

/* A tree that had other owners goes on where it stood. A thread without a page asks the kernel for
   its time on a CPU each time; elapsed time it has by the counter alone. */
void rt_thread_clock_begin(struct rt_thread *t)
{
    struct rt_tls *tls = &psprof_tls;
    bool cpu = psprof_clock == rt_thread_clock || psprof_clock == rt_user_clock;
    t->clock_base = cpu ? t->slot->last_ticks : 0;
    tls->clock_offset = 0;
    tls->clock_seen = rt_page_of(tls)->lock - (cpu || tls->watch->offset ? 1 : 0);
    t->long_ticks = (uintptr_t)(LONG_NS * ticks_a_ns);
    if (psprof_clock == rt_elapsed_clock || psprof_header->type == PSPROF_ADAPTIVE)
        mark_times(t);
}

void rt_thread_clock_sync(struct rt_thread *t)
{
    if (psprof_clock == rt_elapsed_clock && psprof_tls.thread == t && psprof_tls.watch->offset)
        psprof_tls.clock_seen = rt_page_of(&psprof_tls)->lock - 1;
}
