#include "plat/guard.h"

int guard_call(int (*fn)(void *arg), void *arg, struct fail *f)
{
    return fn(arg);
}

bool guard_is_active(void)
{
    return false;
}
