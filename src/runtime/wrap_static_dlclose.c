/* For libpsprof.a: with -Wl,--wrap=NAME calls of NAME come to __wrap_NAME. A file each for what may
   be missing elsewhere: it is linked in only when such a call is made. */
#include "wrap.h"

int __real_dlclose(void *);
int __wrap_dlclose(void *);

int __wrap_dlclose(void *handle)
{
    int status = __real_dlclose(handle);
    rt_wrap_unloaded();
    return status;
}
