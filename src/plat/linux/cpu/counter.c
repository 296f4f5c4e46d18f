#include "plat/clock.h"

#include "core/base/time_ns.h"

#include "clock_cost.h"
#include "counter_cpu.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

enum { PROBES = 20000, MEASURE_NS = 5000000, TRIES = 16 };

static sigjmp_buf trapped;

static void on_trap(int sig)
{
    siglongjmp(trapped, 1);
}

/* Runs probe with SIGILL and SIGSEGV leading back here; false when either came. */
static bool run_guarded(void (*probe)(struct clock_counter *), struct clock_counter *out)
{
    struct sigaction sa = {.sa_handler = on_trap}, ill, segv;
    sigemptyset(&sa.sa_mask);
    sigaction(SIGILL, &sa, &ill);
    sigaction(SIGSEGV, &sa, &segv);
    bool whole = sigsetjmp(trapped, 1) == 0;
    if (whole)
        probe(out);
    sigaction(SIGILL, &ill, NULL);
    sigaction(SIGSEGV, &segv, NULL);
    return whole;
}

static void probe_cpu_counter(struct clock_counter *out)
{
    counter_cpu_read();
    *out = (struct clock_counter){
        .name = counter_cpu_name, .hz = counter_cpu_hz(), .steady = counter_cpu_steady()};
}

static uint64_t raw_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Counter and clock at one moment: the closest pair of several. */
static void read_counter_and_clock(uint64_t *ticks, uint64_t *ns)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = counter_cpu_read(), at = raw_ns(), after = counter_cpu_read();
        if (after - before >= best)
            continue;
        best = after - before;
        *ticks = before + best / 2;
        *ns = at;
    }
}

static uint64_t measured_hz(void)
{
    uint64_t ticks0 = 0, ns0 = 0, ticks1 = 0, ns1 = 0;
    read_counter_and_clock(&ticks0, &ns0);
    while (raw_ns() - ns0 < MEASURE_NS)
        ;
    read_counter_and_clock(&ticks1, &ns1);
    return ns1 > ns0 ? (uint64_t)((double)(ticks1 - ticks0) * 1e9 / (double)(ns1 - ns0)) : 0;
}

static uint64_t smallest_step(uint64_t (*read)(void))
{
    uint64_t best = UINT64_MAX, last = read();
    for (int i = 0; i < PROBES; i++) {
        uint64_t now = read();
        if (now > last && now - last < best)
            best = now - last;
        last = now;
    }
    return best == UINT64_MAX ? 0 : best;
}

static void use_clock(struct clock_counter *out)
{
    /* A clock in the vDSO saves at least the system call's entry, which is most of its cost. */
    bool vdso = clock_cost_ns(clock_by_libc) < 0.7 * clock_cost_ns(clock_by_syscall);
    *out = (struct clock_counter){
        .name = vdso ? "vDSO clock" : "system call clock", .hz = 1000000000, .steady = true};
}

void clock_counter_probe(struct clock_counter *out)
{
    uint64_t (*read)(void) = counter_cpu_read;
    if (!run_guarded(probe_cpu_counter, out)) {
        use_clock(out);
        read = clock_by_libc;
    }
    if (!out->hz)
        out->hz = measured_hz();
    uint64_t step = smallest_step(read);
    out->resolution_ns = out->hz ? (double)(step ? step : 1) * 1e9 / (double)out->hz : 0;
    out->cost_ns = clock_cost_ns(read);
}
