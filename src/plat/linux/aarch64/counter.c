#include "cpu/counter_cpu.h"

const char counter_cpu_name[] = "CNTVCT";

uint64_t counter_cpu_read(void)
{
    uint64_t v;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
    return v;
}

uint64_t counter_cpu_hz(void)
{
    uint64_t v;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(v));
    return v & 0xffffffff;
}

bool counter_cpu_steady(void)
{
    return true;
}
