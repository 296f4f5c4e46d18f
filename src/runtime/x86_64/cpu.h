/* cpu: what differs by processor: the counter that programs may read, and function addresses. */
#pragma once

#include "../cpu_clock.h"

#include <stdint.h>

enum { RT_MACHINE = 62 /* EM_X86_64 */, RT_PERF_PC = 8 /* PERF_REG_X86_IP */ };

static inline uint64_t cpu_ticks(void)
{
    return __builtin_ia32_rdtsc();
}

/* No signal handler comes between. */
static inline void cpu_add_one(uint64_t *n)
{
    __asm__ volatile("addq $1, %0" : "+m"(*n)::"cc");
}

static inline uintptr_t cpu_code(uintptr_t fn)
{
    return fn;
}
