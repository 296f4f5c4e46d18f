/* Plan 9's name, which a program may take for itself. */
#include "psprof.h"

__attribute__((weak)) void prof(void (*fn)(void *), void *arg, int entries, int what)
{
    psprof_prof(fn, arg, entries, what);
}
