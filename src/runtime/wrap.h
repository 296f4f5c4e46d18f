/*
 * wrap: the actions before or after a wrapped call of libc; and makecontext's arguments.
 *
 * For libpsprof.a: with -Wl,--wrap=NAME calls of NAME come to __wrap_NAME of wrap_static_*.c. A
 * file each for what may be missing elsewhere: it is linked in only when such a call is made.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <ucontext.h>

#pragma GCC visibility push(hidden)
void rt_on_jump(void);                     /* a jump out of frames is to be made, or was */
void rt_wrap_context(const ucontext_t *c); /* a context will run on that stack */
void rt_wrap_unloaded(void);               /* dlclose has returned */
#pragma GCC visibility pop

/* The arguments are ints by the manual; in practice also longs and pointers. */
enum { WRAP_ARGUMENTS = 8 };
typedef void wrap_context(ucontext_t *, void (*)(void), int, ...);

static inline void wrap_makecontext(wrap_context *real, ucontext_t *c, void (*fn)(void), int n,
                                    va_list args)
{
    long a[WRAP_ARGUMENTS] = {0};
    for (int i = 0; i < n && i < WRAP_ARGUMENTS; i++)
        a[i] = va_arg(args, long);
    rt_wrap_context(c);
    real(c, fn, n, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}

/* __wrap_NAME of a function that jumps out of frames. */
#define WRAP_JUMP(name)                                                                            \
    __attribute__((noreturn)) void __real_##name(jmp_buf, int);                                    \
    __attribute__((noreturn)) void __wrap_##name(jmp_buf, int);                                    \
    void __wrap_##name(jmp_buf b, int value)                                                       \
    {                                                                                              \
        rt_on_jump();                                                                              \
        __real_##name(b, value);                                                                   \
    }
