/* No script plays the kernel's client: nothing is mounted by mount.c's mount_hold_9p. */
#include "plat/mount_pipes.h"

#include <errno.h>

int mount_pipes_send(int pass, struct mount_pipes *kernel)
{
    (void)pass;
    (void)kernel;
    return -ENODEV;
}

int mount_pipes_receive(int pass, struct mount_pipes *server)
{
    (void)pass;
    (void)server;
    return -ENODEV;
}

void mount_pipes_close(struct mount_pipes *p)
{
    (void)p;
}

long mount_pipes_read(const struct mount_pipes *p, void *to, size_t cap)
{
    (void)p;
    (void)to;
    (void)cap;
    return 0;
}

int mount_pipes_write(const struct mount_pipes *p, const void *bytes, size_t len)
{
    (void)p;
    (void)bytes;
    (void)len;
    return -EPIPE;
}
