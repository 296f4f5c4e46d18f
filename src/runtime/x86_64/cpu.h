/* cpu: what differs by processor: the counter that programs may read, and function addresses. */
#ifndef PSPROF_CPU_H
#define PSPROF_CPU_H

#include <stdbool.h>
#include <stdint.h>

enum { RT_MACHINE = 62 }; /* EM_X86_64 */

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

#pragma GCC visibility push(hidden)
extern const char cpu_clock_name[];
uint64_t cpu_ticks_hz(void); /* 0: unknown, to be measured */
bool cpu_ticks_usable(void); /* readable, and of one rate on all CPUs */
#pragma GCC visibility pop

#endif
