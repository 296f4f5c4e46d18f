/* The hooks that -finstrument-functions calls, of gcc and clang. */
#include "event.h"
#include "psprof.h"

/* Where the caller's stack pointer was at its call of the hook. */
#define CALLERS_SP() ((uintptr_t)__builtin_dwarf_cfa())

void __cyg_profile_func_enter(void *fn, void *site)
{
    rt_enter(cpu_code((uintptr_t)fn), CALLERS_SP(), (uintptr_t)site,
             (uintptr_t)__builtin_return_address(0));
}

void __cyg_profile_func_exit(void *fn, void *site)
{
    rt_exit(cpu_code((uintptr_t)fn), CALLERS_SP(), (uintptr_t)site,
            (uintptr_t)__builtin_return_address(0));
}
