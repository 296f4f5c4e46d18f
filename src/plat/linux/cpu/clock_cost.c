#include "clock_cost.h"

#include "core/base/sort.h"
#include "core/base/time_ns.h"
#include "plat/clock.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 15, READS = 64 };

uint64_t clock_by_libc(void)
{
    return clock_mono_ns();
}

uint64_t clock_by_syscall(void)
{
    long t[2] = {0, 0}; /* the kernel's own timespec, whatever size libc has time_t */
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, t);
    return (uint64_t)t[0] * NS_PER_S + (uint64_t)t[1];
}

double clock_cost_ns(uint64_t (*read)(void))
{
    uint64_t took[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        uint64_t from = clock_mono_ns();
        for (int n = 0; n < READS; n++)
            read();
        took[i] = clock_mono_ns() - from;
    }
    sort_array(took, BATCHES, sizeof took[0], order_of_u64);
    return (double)took[BATCHES / 2] / READS;
}
