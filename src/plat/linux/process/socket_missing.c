#include "socket_missing.h"

#include <errno.h>
#include <sys/socket.h>

static const char *option_of(int family)
{
    return family == AF_UNIX ? "UNIX" : family == AF_INET6 ? "IPV6" : "INET";
}

void socket_missing_hint(int family, int err, struct fail *f)
{
    if (err == ENOSYS)
        fail_hint(f, "it needs sockets: kernel options CONFIG_NET=y CONFIG_%s=y",
                  option_of(family));
    else if (err == EAFNOSUPPORT)
        fail_hint(f, "it needs sockets of this kind: kernel option CONFIG_%s=y", option_of(family));
}
