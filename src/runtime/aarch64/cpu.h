/* cpu: what differs by processor: the counter that programs may read, and function addresses. */
#pragma once

#include "../cpu_clock.h"

#include <stdint.h>

enum { RT_MACHINE = 183 /* EM_AARCH64 */, RT_PERF_PC = 32 /* PERF_REG_ARM64_PC */ };

static inline uint64_t cpu_ticks(void)
{
    uint64_t v;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
    return v;
}

/* As a handler of the same thread sees it: at once. */
static inline void cpu_add_one(uint64_t *n)
{
    uint64_t v;
    uint32_t failed;
    do
        __asm__ volatile("ldxr %0, %2\n\tadd %0, %0, #1\n\tstxr %w1, %0, %2"
                         : "=&r"(v), "=&r"(failed), "+Q"(*n));
    while (__builtin_expect(failed, 0));
}

static inline uintptr_t cpu_code(uintptr_t fn)
{
    return fn;
}
