/* For libpsprof.so: these names precede libc's in symbol resolution. */
#include "wrap.h"

#include "runtime.h"

#include <dlfcn.h>

#define EXPORTED __attribute__((visibility("default")))

static void *next_symbol(void **known, const char *name)
{
    void *at = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!at)
        __atomic_store_n(known, at = dlsym(RTLD_NEXT, name), __ATOMIC_RELAXED);
    return at;
}

/* glibc has hooks that do nothing. They precede ours when the program itself is not linked
   with us, but a library of its. */
__attribute__((constructor)) static void check_hook_order(void)
{
    Dl_info first, own;
    void *hook = dlsym(RTLD_DEFAULT, "__cyg_profile_func_enter");
    if (psprof_header && hook && dladdr(hook, &first) && dladdr((void *)next_symbol, &own) &&
        first.dli_fbase != own.dli_fbase)
        rt_warn("another library's hooks take precedence over libpsprof.so: no calls are recorded",
                "run the program with LD_PRELOAD=libpsprof.so.1");
}

typedef void jump(jmp_buf, int);

#define JUMP(name)                                                                                 \
    static void *real_##name;                                                                      \
    EXPORTED __attribute__((noreturn)) void name(jmp_buf, int);                                    \
    void name(jmp_buf b, int value)                                                                \
    {                                                                                              \
        rt_on_jump();                                                                              \
        ((jump *)next_symbol(&real_##name, #name))(b, value);                                      \
        __builtin_unreachable();                                                                   \
    }                                                                                              \
    __attribute__((constructor)) static void find_##name(void)                                     \
    {                                                                                              \
        next_symbol(&real_##name, #name); /* not first in a signal handler */                      \
    }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

EXPORTED wrap_context makecontext;
void makecontext(ucontext_t *c, void (*fn)(void), int n, ...)
{
    static void *real;
    va_list args;
    va_start(args, n);
    wrap_makecontext((wrap_context *)next_symbol(&real, "makecontext"), c, fn, n, args);
    va_end(args);
}

EXPORTED int dlclose(void *handle)
{
    static void *real;
    int status = ((int (*)(void *))next_symbol(&real, "dlclose"))(handle);
    rt_wrap_unloaded();
    return status;
}

EXPORTED void *__cxa_begin_catch(void *exception);
void *__cxa_begin_catch(void *exception)
{
    static void *real;
    rt_on_jump();
    return ((void *(*)(void *))next_symbol(&real, "__cxa_begin_catch"))(exception);
}
