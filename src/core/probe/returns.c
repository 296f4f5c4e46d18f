#include "returns.h"

#include <stddef.h>
#include <string.h>

bool probe_name_is_entry_only(const char *name)
{
    static const char *const names[] = {
        "setjmp",     "sigsetjmp",   "longjmp",      "siglongjmp",     "longjmp_chk", "getcontext",
        "setcontext", "makecontext", "swapcontext",  "dlsym",          "dlvsym",      "dlopen",
        "dlmopen",    "vfork",       "clone",        "clone2",         "clone3",      "morestack",
        "backtrace",  "libc_vfork",  "libc_longjmp", "libc_siglongjmp"};
    if (strncmp(name, "_Unwind_", 8) == 0)
        return true;
    name += strspn(name, "_");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}
