#include "cpu/counter_cpu.h"

const char counter_cpu_name[] = "CNTVCT";

uint64_t counter_cpu_read(void)
{
    uint64_t v;
    __asm__ volatile("mrrc p15, 1, %Q0, %R0, c14" : "=r"(v));
    return v;
}

uint64_t counter_cpu_hz(void)
{
    uint32_t v;
    __asm__ volatile("mrc p15, 0, %0, c14, c0, 0" : "=r"(v));
    return v;
}

bool counter_cpu_steady(void)
{
    return true;
}
