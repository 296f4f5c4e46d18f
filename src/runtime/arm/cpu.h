/* cpu: what differs by processor: the counter that programs may read, and function addresses. */
#pragma once

#include "../cpu_clock.h"

#include <stdint.h>

enum { RT_MACHINE = 40 /* EM_ARM */, RT_PERF_PC = 15 /* PERF_REG_ARM_PC */ };

static inline uint64_t cpu_ticks(void)
{
    uint64_t v;
    __asm__ volatile("mrrc p15, 1, %Q0, %R0, c14" : "=r"(v));
    return v;
}

/* As a handler of the same thread sees it: at once. */
static inline void cpu_add_one(uint64_t *n)
{
    uint64_t v;
    uint32_t failed;
    do
        __asm__ volatile("ldrexd %0, %H0, %2\n\tadds %Q0, %Q0, #1\n\tadc %R0, %R0, #0\n\t"
                         "strexd %1, %0, %H0, %2"
                         : "=&r"(v), "=&r"(failed), "+Q"(*n)::"cc");
    while (__builtin_expect(failed, 0));
}

/* Bit 0 of a function pointer tells Thumb code. */
static inline uintptr_t cpu_code(uintptr_t fn)
{
    return fn & ~(uintptr_t)1;
}
