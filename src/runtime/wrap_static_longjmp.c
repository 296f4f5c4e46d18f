/* For libpsprof.a: with -Wl,--wrap=NAME calls of NAME come to __wrap_NAME. A file each for what may
   be missing elsewhere: it is linked in only when such a call is made. */
#include "wrap.h"

__attribute__((noreturn)) void __real_longjmp(jmp_buf, int);
__attribute__((noreturn)) void __wrap_longjmp(jmp_buf, int);

void __wrap_longjmp(jmp_buf b, int value)
{
    rt_on_jump();
    __real_longjmp(b, value);
}
