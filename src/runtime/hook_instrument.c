/*
 * The hooks that -finstrument-functions calls, of gcc and clang: a jump to what was chosen for the
 * mode. What they jump to sees the stack and the return address as they do.
 */
#include "count.h"
#include "event.h"
#include "psprof.h"

typedef void hook(void *fn, void *site);

/* Where the caller's stack pointer was at its call of the hook. */
#define CALLERS_SP() ((uintptr_t)__builtin_dwarf_cfa())
#define BACK()       ((uintptr_t)__builtin_return_address(0))
#define HOOK_ARGS    cpu_code((uintptr_t)fn), (uintptr_t)site, CALLERS_SP(), BACK()

#define TIMED_HOOKS(name, clock, adaptive)                                                         \
    RT_PROBE static void enter_##name(void *fn, void *site)                                        \
    {                                                                                              \
        rt_enter((struct rt_how){clock, adaptive}, HOOK_ARGS);                                     \
    }                                                                                              \
    RT_PROBE static void exit_##name(void *fn, void *site)                                         \
    {                                                                                              \
        rt_exit((struct rt_how){clock, adaptive}, HOOK_ARGS);                                      \
    }

TIMED_HOOKS(exact, RT_TICKS, false)
TIMED_HOOKS(exact_page, RT_PAGE, false)
TIMED_HOOKS(exact_clock, RT_CALL_CLOCK, false)
TIMED_HOOKS(adaptive, RT_TICKS, true)
TIMED_HOOKS(adaptive_clock, RT_CALL_CLOCK, true)
TIMED_HOOKS(sampled, RT_NO_CLOCK, false)

static void enter_count(void *fn, void *site)
{
    rt_count(cpu_code((uintptr_t)fn), (uintptr_t)site);
}

static void exit_count(void *fn, void *site)
{
}

static void hook_off(void *fn, void *site)
{
    rt_off();
}

static void enter_unstarted(void *fn, void *site)
{
    rt_enter_slow(HOOK_ARGS);
}

static void exit_unstarted(void *fn, void *site)
{
    rt_exit_slow(HOOK_ARGS, 0);
}

struct hooks {
    hook *enter, *exit;
};

static const struct hooks of_mode[] = {
    [RT_EXACT] = {enter_exact, exit_exact},
    [RT_EXACT_PAGE] = {enter_exact_page, exit_exact_page},
    [RT_EXACT_CLOCK] = {enter_exact_clock, exit_exact_clock},
    [RT_ADAPTIVE] = {enter_adaptive, exit_adaptive},
    [RT_ADAPTIVE_CLOCK] = {enter_adaptive_clock, exit_adaptive_clock},
    [RT_SAMPLED] = {enter_sampled, exit_sampled},
    [RT_COUNT] = {enter_count, exit_count},
    [RT_OFF] = {hook_off, hook_off},
    [RT_UNSTARTED] = {enter_unstarted, exit_unstarted},
};

static struct hooks hooks = {enter_unstarted, exit_unstarted};

void rt_hooks_set(int mode)
{
    __atomic_store_n(&hooks.enter, of_mode[mode].enter, __ATOMIC_RELAXED);
    __atomic_store_n(&hooks.exit, of_mode[mode].exit, __ATOMIC_RELAXED);
}

RT_PROBE void __cyg_profile_func_enter(void *fn, void *site)
{
    hooks.enter(fn, site);
}

RT_PROBE void __cyg_profile_func_exit(void *fn, void *site)
{
    hooks.exit(fn, site);
}
