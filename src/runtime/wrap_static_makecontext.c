/* For libpsprof.a: with -Wl,--wrap=NAME calls of NAME come to __wrap_NAME. A file each for what may
   be missing elsewhere: it is linked in only when such a call is made. */
#include "wrap.h"

wrap_context __real_makecontext, __wrap_makecontext;

void __wrap_makecontext(ucontext_t *c, void (*fn)(void), int n, ...)
{
    va_list args;
    va_start(args, n);
    wrap_makecontext(__real_makecontext, c, fn, n, args);
    va_end(args);
}
