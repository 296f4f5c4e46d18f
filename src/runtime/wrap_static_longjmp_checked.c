/* For libpsprof.a: with -Wl,--wrap=NAME calls of NAME come to __wrap_NAME. A file each for what may
   be missing elsewhere: it is linked in only when such a call is made. */
#include "wrap.h"

__attribute__((noreturn)) void __real___longjmp_chk(jmp_buf, int);
__attribute__((noreturn)) void __wrap___longjmp_chk(jmp_buf, int);

void __wrap___longjmp_chk(jmp_buf b, int value)
{
    rt_on_jump();
    __real___longjmp_chk(b, value);
}
