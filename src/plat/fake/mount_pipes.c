/* No script plays the kernel's client: nothing is mounted by mount.c's mount_hold_9p. */
#include "plat/mount_pipes.h"

#include <errno.h>

int mount_pipes_send(int pass, struct mount_pipes *kernel)
{
    return -ENODEV;
}

int mount_pipes_receive(int pass, struct mount_pipes *server)
{
    return -ENODEV;
}

void mount_pipes_close(struct mount_pipes *p)
{
}

long mount_pipes_read(const struct mount_pipes *p, void *to, size_t cap)
{
    return 0;
}

int mount_pipes_write(const struct mount_pipes *p, const void *bytes, size_t len)
{
    return -EPIPE;
}
