#include "place.h"

#include "plat/clock.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { QUICK_NS = 200000, LONG_NS = 2000000, QUICK_STOPS = 4, TICK_US = 10000 };

static volatile sig_atomic_t ticked;

static void on_alarm(int signal)
{
    ticked = 1;
}

bool place_init(struct place *p)
{
    p->can_pin = sysconf(_SC_NPROCESSORS_ONLN) > 1 &&
                 sched_getaffinity(0, sizeof p->own_cpus, &p->own_cpus) == 0 &&
                 CPU_COUNT(&p->own_cpus) > 1;
    if (p->can_pin) /* without SA_RESTART: it ends our waiting */
        sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL);
    return p->can_pin;
}

static int set_affinity_to_cpu(int tid, int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(tid, sizeof one, &one);
}

/* Ticks come while any thread is placed. */
static void begin_pinning(struct place *p)
{
    const long us = TICK_US;
    p->cpu = sched_getcpu();
    p->is_pinned = p->cpu >= 0 && p->cpu < CPU_SETSIZE && set_affinity_to_cpu(0, p->cpu) == 0;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, us}, {0, us}}, NULL);
}

static void end_pinning(struct place *p)
{
    sched_setaffinity(0, sizeof p->own_cpus, &p->own_cpus);
    p->is_pinned = false;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
}

static void add_pinned(struct place *p, struct placed *x)
{
    x->is_pinned = true;
    x->previous = NULL;
    x->next = p->pinned;
    if (x->next)
        x->next->previous = x;
    p->pinned = x;
}

static void remove_pinned(struct place *p, struct placed *x)
{
    x->is_pinned = false;
    if (x->next)
        x->next->previous = x->previous;
    if (x->previous)
        x->previous->next = x->next;
    else
        p->pinned = x->next;
}

static void pin_thread(struct place *p, struct placed *x)
{
    if (!p->pinned)
        begin_pinning(p);
    if (p->is_pinned && sched_getaffinity(x->tid, sizeof x->cpus, &x->cpus) == 0 &&
        CPU_ISSET(p->cpu, &x->cpus) && set_affinity_to_cpu(x->tid, p->cpu) == 0) {
        add_pinned(p, x);
    } else {
        x->quick_stops = 0;
        if (!p->pinned)
            end_pinning(p);
    }
}

static void unpin_thread(struct place *p, struct placed *x)
{
    sched_setaffinity(x->tid, sizeof x->cpus, &x->cpus);
    x->quick_stops = QUICK_STOPS / 2;
    place_forget(p, x);
}

void place_forget(struct place *p, struct placed *x)
{
    if (!x->is_pinned)
        return;
    remove_pinned(p, x);
    if (!p->pinned)
        end_pinning(p);
}

void place_call_begins(struct place *p)
{
    p->cpu_calls++;
    while (p->pinned)
        unpin_thread(p, p->pinned);
}

void place_call_ends(struct place *p)
{
    p->cpu_calls--;
}

void place_tick(struct place *p)
{
    if (!ticked)
        return;
    ticked = 0;
    uint64_t now_ns = clock_mono_ns();
    for (struct placed *x = p->pinned, *next; x; x = next) {
        next = x->next;
        if (now_ns - x->resumed_ns > LONG_NS)
            unpin_thread(p, x);
    }
}

void place_resume(struct place *p, struct placed *x)
{
    if (!p->can_pin)
        return;
    if (!x->is_pinned && x->quick_stops >= QUICK_STOPS && !p->cpu_calls)
        pin_thread(p, x);
    x->resumed_ns = clock_mono_ns();
}

void place_stopped(const struct place *p, struct placed *x)
{
    if (!p->can_pin)
        return;
    bool quick = clock_mono_ns() - x->resumed_ns < QUICK_NS;
    if (quick && x->quick_stops < QUICK_STOPS)
        x->quick_stops++;
    if (!quick && !x->is_pinned)
        x->quick_stops /= 2;
}

/* The parent's place may have been taken away since the child was made there. */
void place_child(const struct place *p, const struct placed *parent, struct placed *child)
{
    cpu_set_t cpus = parent->cpus;
    if (!p->can_pin)
        return;
    if (parent->is_pinned || sched_getaffinity(parent->tid, sizeof cpus, &cpus) == 0)
        sched_setaffinity(child->tid, sizeof cpus, &cpus);
    child->quick_stops = parent->quick_stops;
    child->resumed_ns = parent->resumed_ns;
}
