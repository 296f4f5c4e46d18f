/*
 * Calls of libc that tell of stacks and modules: the names in front of them are given by
 * wrap_static_*.c (the linker's --wrap) and wrap_shared.c (names that precede libc's).
 */
#include "wrap.h"

#include "runtime.h"

/* The next event is looked at closely: with lo 0 no stack pointer is inside. */
void rt_on_jump(void)
{
    struct rt_tls *t = &psprof_tls;
    if (t->state != RT_LIVE)
        return;
    t->thread->jumped = true;
    t->lo = 0;
}

void rt_wrap_context(const ucontext_t *c)
{
    uintptr_t lo = (uintptr_t)c->uc_stack.ss_sp;
    rt_stack_register(lo, lo + c->uc_stack.ss_size);
}

void rt_wrap_unloaded(void)
{
    if (psprof_header)
        rt_modules_scan();
}
