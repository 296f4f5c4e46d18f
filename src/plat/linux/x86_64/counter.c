#include "cpu/counter_cpu.h"

#include <cpuid.h>
#include <x86intrin.h>

const char counter_cpu_name[] = "TSC";

uint64_t counter_cpu_read(void)
{
    return __rdtsc();
}

static uint64_t crystal_hz(void)
{
    unsigned per, ticks, crystal, d;
    if (!__get_cpuid(0x15, &per, &ticks, &crystal, &d) || !per || !ticks || !crystal)
        return 0;
    return (uint64_t)crystal * ticks / per;
}

/* The leaf in which KVM and VMware tell it, in kHz. */
static uint64_t hypervisor_hz(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 31))
        return 0;
    __cpuid(0x40000000, a, b, c, d);
    if (a < 0x40000010)
        return 0;
    __cpuid(0x40000010, a, b, c, d);
    return (uint64_t)a * 1000;
}

uint64_t counter_cpu_hz(void)
{
    uint64_t hz = crystal_hz();
    return hz ? hz : hypervisor_hz();
}

bool counter_cpu_steady(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}
