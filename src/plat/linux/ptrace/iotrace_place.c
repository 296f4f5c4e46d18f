/*
 * Where a thread goes on. A thread that does much I/O stops again within microseconds. The kernel
 * wakes it, and then us, on a CPU that sleeps if there is one, and to wake that costs five times of
 * what a stop costs on one CPU. So a thread that was quick to stop several times is placed: it may
 * run only where we do, and we stay there, until a tick, each 10 ms, finds that it has not
 * stopped for long.
 *
 * The program does not see it: its calls about CPUs stop first, and take everybody's place away
 * until they have ended; a newborn gets the CPUs that its parent had. (/proc/PID/status tells.) Nor
 * does it outlive us, as what is placed is killed with us.
 */
#include "iotrace.h"
#include "plat/clock.h"

#include <sched.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { QUICK_NS = 200000, LONG_NS = 2000000, QUICK_STOPS = 4, TICK_US = 10000 };

static volatile sig_atomic_t ticked;

static void on_alarm(int signal)
{
    (void)signal;
    ticked = 1;
}

void iotrace_pin_init(struct iotrace *t)
{
    t->can_pin = sysconf(_SC_NPROCESSORS_ONLN) > 1 &&
                 sched_getaffinity(0, sizeof t->own_cpus, &t->own_cpus) == 0 &&
                 CPU_COUNT(&t->own_cpus) > 1;
    if (t->can_pin) /* without SA_RESTART: it ends our waiting */
        sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL);
}

static int set_affinity_to_cpu(int tid, int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(tid, sizeof one, &one);
}

/* Ticks come while any thread is placed. */
static void begin_pinning(struct iotrace *t)
{
    const long us = TICK_US;
    t->cpu = sched_getcpu();
    t->is_pinned = t->cpu >= 0 && t->cpu < CPU_SETSIZE && set_affinity_to_cpu(0, t->cpu) == 0;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, us}, {0, us}}, NULL);
}

static void end_pinning(struct iotrace *t)
{
    sched_setaffinity(0, sizeof t->own_cpus, &t->own_cpus);
    t->is_pinned = false;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
}

static void pin_thread(struct iotrace *t, struct traced *x)
{
    if (!t->pinned_threads)
        begin_pinning(t);
    if (t->is_pinned && sched_getaffinity(x->tid, sizeof x->cpus, &x->cpus) == 0 &&
        CPU_ISSET(t->cpu, &x->cpus) && set_affinity_to_cpu(x->tid, t->cpu) == 0) {
        x->is_pinned = true;
        t->pinned_threads++;
    } else {
        x->quick_stops = 0;
        if (!t->pinned_threads)
            end_pinning(t);
    }
}

static void unpin_thread(struct iotrace *t, struct traced *x)
{
    sched_setaffinity(x->tid, sizeof x->cpus, &x->cpus);
    x->quick_stops = QUICK_STOPS / 2;
    traced_forget_pin(t, x);
}

void traced_forget_pin(struct iotrace *t, struct traced *x)
{
    if (!x->is_pinned)
        return;
    x->is_pinned = false;
    if (--t->pinned_threads == 0)
        end_pinning(t);
}

void iotrace_unpin_all(struct iotrace *t)
{
    for (size_t i = 0; t->pinned_threads && i < t->threads.count; i++) {
        struct traced *x = threads_at(&t->threads, i);
        if (x->is_pinned)
            unpin_thread(t, x);
    }
}

void iotrace_pin_tick(struct iotrace *t)
{
    if (!ticked)
        return;
    ticked = 0;
    uint64_t now_ns = clock_mono_ns();
    for (size_t i = 0; t->pinned_threads && i < t->threads.count; i++) {
        struct traced *x = threads_at(&t->threads, i);
        if (x->is_pinned && now_ns - x->resumed_ns > LONG_NS)
            unpin_thread(t, x);
    }
}

void traced_pin_if_busy(struct iotrace *t, struct traced *x)
{
    if (!t->can_pin)
        return;
    if (!x->is_pinned && x->quick_stops >= QUICK_STOPS && !t->cpu_calls)
        pin_thread(t, x);
    x->resumed_ns = clock_mono_ns();
}

void traced_stopped(struct iotrace *t, struct traced *x)
{
    if (!t->can_pin)
        return;
    bool quick = clock_mono_ns() - x->resumed_ns < QUICK_NS;
    if (quick && x->quick_stops < QUICK_STOPS)
        x->quick_stops++;
    if (!quick && !x->is_pinned)
        x->quick_stops /= 2;
}

void traced_restore_child_cpus(const struct traced *parent, struct traced *child)
{
    if (parent->is_pinned)
        sched_setaffinity(child->tid, sizeof parent->cpus, &parent->cpus);
    child->quick_stops = parent->quick_stops;
    child->resumed_ns = parent->resumed_ns;
}
