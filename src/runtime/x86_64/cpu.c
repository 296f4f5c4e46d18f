#include "cpu.h"

#include <cpuid.h>

const char cpu_clock_name[] = "tsc";

uint64_t cpu_ticks_hz(void)
{
    unsigned per, ticks, crystal, d;
    if (!__get_cpuid(0x15, &per, &ticks, &crystal, &d) || !per || !ticks || !crystal)
        return 0;
    return (uint64_t)crystal * ticks / per;
}

bool cpu_ticks_usable(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

bool cpu_user_counters(void)
{
    return false;
}

uint64_t cpu_user_counter(uint32_t n)
{
    return 0;
}
