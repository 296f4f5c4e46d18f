#include "cpu.h"

const char cpu_clock_name[] = "cntvct";

uint64_t cpu_ticks_hz(void)
{
    uint64_t v;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(v));
    return v & 0xffffffff;
}

bool cpu_ticks_usable(void)
{
    return true;
}
