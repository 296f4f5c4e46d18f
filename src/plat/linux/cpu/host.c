#include "plat/host.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

void host_describe(struct host *out)
{
    struct utsname u;
    *out = (struct host){0};
    if (uname(&u) == 0) {
        snprintf(out->name, sizeof out->name, "%s", u.nodename);
        snprintf(out->machine, sizeof out->machine, "%s", u.machine);
        snprintf(out->kernel, sizeof out->kernel, "%s", u.release);
    }
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    out->cpus = cpus > 0 ? (uint32_t)cpus : 1;
}
