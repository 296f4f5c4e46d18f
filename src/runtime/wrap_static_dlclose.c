#include "wrap.h"

int __real_dlclose(void *);
int __wrap_dlclose(void *);

int __wrap_dlclose(void *handle)
{
    int status = __real_dlclose(handle);
    rt_wrap_unloaded();
    return status;
}
