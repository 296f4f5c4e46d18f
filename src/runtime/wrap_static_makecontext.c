#include "wrap.h"

wrap_context __real_makecontext, __wrap_makecontext;

void __wrap_makecontext(ucontext_t *c, void (*fn)(void), int n, ...)
{
    va_list args;
    va_start(args, n);
    wrap_makecontext(__real_makecontext, c, fn, n, args);
    va_end(args);
}
