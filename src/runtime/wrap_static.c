/* For libpsprof.a: with -Wl,--wrap=NAME calls of NAME come to __wrap_NAME. This file is linked in
   only then; names that are not wrapped have no __real_ one. */
#include "wrap.h"

#define JUMP(name)                                                                                 \
    __attribute__((weak, noreturn)) void __real_##name(jmp_buf, int);                              \
    __attribute__((noreturn)) void __wrap_##name(jmp_buf, int);                                    \
    void __wrap_##name(jmp_buf b, int value)                                                       \
    {                                                                                              \
        rt_on_jump();                                                                              \
        __real_##name(b, value);                                                                   \
    }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

__attribute__((weak)) wrap_context __real_makecontext;
wrap_context __wrap_makecontext;
void __wrap_makecontext(ucontext_t *c, void (*fn)(void), int n, ...)
{
    va_list args;
    va_start(args, n);
    wrap_makecontext(__real_makecontext, c, fn, n, args);
    va_end(args);
}

__attribute__((weak)) int __real_dlclose(void *);
int __wrap_dlclose(void *handle);
int __wrap_dlclose(void *handle)
{
    int status = __real_dlclose(handle);
    rt_wrap_unloaded();
    return status;
}

__attribute__((weak)) void *__real___cxa_begin_catch(void *);
void *__wrap___cxa_begin_catch(void *exception);
void *__wrap___cxa_begin_catch(void *exception)
{
    rt_on_jump();
    return __real___cxa_begin_catch(exception);
}
