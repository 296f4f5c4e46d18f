#include "wrap.h"

void *__real___cxa_begin_catch(void *);
void *__wrap___cxa_begin_catch(void *);

void *__wrap___cxa_begin_catch(void *exception)
{
    rt_on_jump();
    return __real___cxa_begin_catch(exception);
}
