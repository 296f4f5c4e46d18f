/* clock: the machine's clocks. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* CLOCK_MONOTONIC, the clock that every sample and event of ours is stamped with. */
uint64_t clock_mono_ns(void);

/* CLOCK_REALTIME: only to say when something was. */
uint64_t clock_real_ns(void);

/* CPU time of this process, all threads, so far. */
uint64_t clock_cpu_ns(void);
/* The same of this thread. */
uint64_t clock_thread_ns(void);

/* The cheapest counter a program can read without a system call. */
struct clock_counter {
    const char *name;     /* "TSC", "CNTVCT", "vDSO clock", "system call clock": never NULL */
    uint64_t hz;          /* ticks a second: measured where the processor does not say; 0 unknown */
    double resolution_ns; /* one tick, or the smallest step seen between readings when that is
                             larger */
    double cost_ns;       /* of reading it once, the median of many */
    bool steady;          /* one rate on all CPUs, whatever their frequency or sleep */
};

/* Looks for it (a counter that traps is passed over) and measures it; takes a few ms. */
void clock_counter_probe(struct clock_counter *out);
