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

static void tick(int signal)
{
    (void)signal;
    ticked = 1;
}

void iotrace_place_init(struct iotrace *t)
{
    t->places = sysconf(_SC_NPROCESSORS_ONLN) > 1 &&
                sched_getaffinity(0, sizeof t->own_cpus, &t->own_cpus) == 0 &&
                CPU_COUNT(&t->own_cpus) > 1;
    if (t->places) /* without SA_RESTART: it ends our waiting */
        sigaction(SIGALRM, &(struct sigaction){.sa_handler = tick}, NULL);
}

static int only(int tid, int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(tid, sizeof one, &one);
}

/* Ticks come while anybody is placed. */
static void begin(struct iotrace *t)
{
    const long us = TICK_US;
    t->cpu = sched_getcpu();
    t->stays = t->cpu >= 0 && t->cpu < CPU_SETSIZE && only(0, t->cpu) == 0;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, us}, {0, us}}, NULL);
}

static void end(struct iotrace *t)
{
    sched_setaffinity(0, sizeof t->own_cpus, &t->own_cpus);
    t->stays = false;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
}

static void place(struct iotrace *t, struct traced *x)
{
    if (!t->placed)
        begin(t);
    if (t->stays && sched_getaffinity(x->tid, sizeof x->cpus, &x->cpus) == 0 &&
        CPU_ISSET(t->cpu, &x->cpus) && only(x->tid, t->cpu) == 0) {
        x->placed = true;
        t->placed++;
    } else {
        x->quick = 0;
        if (!t->placed)
            end(t);
    }
}

static void unplace(struct iotrace *t, struct traced *x)
{
    sched_setaffinity(x->tid, sizeof x->cpus, &x->cpus);
    x->quick = QUICK_STOPS / 2;
    traced_place_gone(t, x);
}

void traced_place_gone(struct iotrace *t, struct traced *x)
{
    if (!x->placed)
        return;
    x->placed = false;
    if (--t->placed == 0)
        end(t);
}

void iotrace_place_none(struct iotrace *t)
{
    for (size_t i = 0; t->placed && i < t->threads; i++)
        if (t->thread[i]->placed)
            unplace(t, t->thread[i]);
}

void iotrace_place_tick(struct iotrace *t)
{
    if (!ticked)
        return;
    ticked = 0;
    uint64_t now_ns = clock_mono_ns();
    for (size_t i = 0; t->placed && i < t->threads; i++)
        if (t->thread[i]->placed && now_ns - t->thread[i]->went_ns > LONG_NS)
            unplace(t, t->thread[i]);
}

void traced_place(struct iotrace *t, struct traced *x)
{
    if (!t->places)
        return;
    if (!x->placed && x->quick >= QUICK_STOPS && !t->cpu_calls)
        place(t, x);
    x->went_ns = clock_mono_ns();
}

void traced_stopped(struct iotrace *t, struct traced *x)
{
    if (!t->places)
        return;
    bool quick = clock_mono_ns() - x->went_ns < QUICK_NS;
    if (quick && x->quick < QUICK_STOPS)
        x->quick++;
    if (!quick && !x->placed)
        x->quick /= 2;
}

void traced_child_place(const struct traced *parent, struct traced *child)
{
    if (parent->placed)
        sched_setaffinity(child->tid, sizeof parent->cpus, &parent->cpus);
    child->quick = parent->quick;
    child->went_ns = parent->went_ns;
}
