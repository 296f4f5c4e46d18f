/* For libpsprof.a: with -Wl,--wrap=NAME calls of NAME come to __wrap_NAME. A file each for what may
   be missing elsewhere: it is linked in only when such a call is made. */
#include "wrap.h"

void *__real___cxa_begin_catch(void *);
void *__wrap___cxa_begin_catch(void *);

void *__wrap___cxa_begin_catch(void *exception)
{
    rt_on_jump();
    return __real___cxa_begin_catch(exception);
}
