/* No script plays the kernel's client: nothing is mounted by mount.c's mount_hold_9p. */
#include "plat/mount_pipes.h"

#include "returns.h"

#include <errno.h>

RETURNS(-ENODEV, int, mount_pipes_send, int pass, struct mount_pipes *kernel)
RETURNS(-ENODEV, int, mount_pipes_receive, int pass, struct mount_pipes *server)
RETURNS(, void, mount_pipes_close, struct mount_pipes *p)
RETURNS(0, long, mount_pipes_read, const struct mount_pipes *p, void *to, size_t cap)
RETURNS(-EPIPE, int, mount_pipes_write, const struct mount_pipes *p, const void *bytes, size_t len)
