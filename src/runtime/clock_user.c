/*
 * The thread's cycles in user mode, read without a system call: by a counting event of each thread
 * (thread_event.c), whose page tells which of the processor's counters it has and what to add. The
 * page's lock is read on both sides, as struct perf_event_mmap_page requires: it moves when the
 * thread was switched in between.
 *
 * A cycle is of no fixed length. Their number in a time is measured when recording begins.
 */
#include "event.h"

#include <string.h>

enum { SPINS = 20, SPIN_ROUNDS = 50000, TRIES = 100 };

/* The counter's lowest bits continue from offset. */
static uint64_t read_counter(rt_page *page, uint32_t index)
{
    unsigned unused = 64 - page->pmc_width;
    int64_t low = (int64_t)(cpu_user_counter(index - 1) << unused) >> unused;
    return (uint64_t)page->offset + (uint64_t)low;
}

/* A counter that was taken away stops: rt_event_lost detects it. */
static uint64_t read_cycles(const struct rt_tls *t)
{
    uint64_t now = 0;
    for (int tries = 0; tries < TRIES; tries++) {
        rt_page *page = rt_page_of(t);
        uint32_t seen = page->lock;
        RT_ORDERED();
        uint32_t index = page->cap_user_rdpmc ? page->index : 0;
        now = index ? read_counter(page, index) : (uint64_t)page->offset;
        RT_ORDERED();
        if (page->lock == seen)
            break;
    }
    return now;
}

/* Never 0, and never back: a tree that had other owners goes on where it stood. */
uint64_t rt_user_clock(void)
{
    const struct rt_tls *t = &psprof_tls;
    if (!t->thread)
        return 1;
    uint64_t now = read_cycles(t) + t->thread->clock_base + 1;
    return now < *t->last ? *t->last : now;
}

/* --- its frequency --- */

static void spin_loop(void)
{
    for (int i = 0; i < SPIN_ROUNDS; i++)
        RT_ORDERED();
}

/* Cycles a tick: those within the ticks, so that whatever comes between makes it less. */
static double spin_rate(const struct rt_tls *t)
{
    uint64_t ticks = cpu_ticks(), from = read_cycles(t);
    spin_loop();
    uint64_t passed = read_cycles(t) - from;
    ticks = cpu_ticks() - ticks;
    return ticks ? (double)passed / (double)ticks : 0;
}

/* An interrupt or a switch makes a rate less, so the greatest is right. */
static uint64_t measured_hz(const struct rt_tls *t)
{
    double best = 0;
    for (int i = 0; i < SPINS; i++) {
        double rate = spin_rate(t);
        best = rate > best ? rate : best;
    }
    return (uint64_t)(best * (double)cpu_ticks_hz());
}

/* By an event of the calling thread that is closed at the end. */
static uint64_t find_hz(void)
{
    static struct rt_thread thread; /* too large for a stack */
    struct rt_tls kept = psprof_tls;
    rt_event_begin(&thread);
    rt_page *page = rt_page_of(&psprof_tls);
    uint64_t hz = page->cap_user_rdpmc && page->index ? measured_hz(&psprof_tls) : 0;
    rt_event_end(&thread);
    rt_watch_free(&thread);
    psprof_tls = kept;
    return hz;
}

/* Writes the header's clock. */
bool rt_user_clock_start(struct psprof_header *h)
{
    if (!cpu_user_counters() || !cpu_ticks_hz() || !rt_event_count())
        return false;
    h->ticks_per_second = find_hz();
    if (!h->ticks_per_second) {
        rt_event_stop();
        return false;
    }
    strcpy(h->clock_name, "cycles in user mode");
    return true;
}
