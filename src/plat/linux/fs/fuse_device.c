#include "fuse_device.h"

#include "mount_private.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int open_device(int dir, const char *path)
{
    int fd = openat(dir, path, O_RDWR | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int fuse_device_open(bool *private)
{
    int fd = open_device(AT_FDCWD, "/dev/fuse");
    if (private)
        *private = false;
    if (fd != -ENOENT)
        return fd;
    int devices = mount_private("devtmpfs");
    if (devices < 0)
        return -ENOENT;
    fd = open_device(devices, "fuse");
    close(devices);
    if (private)
        *private = fd >= 0;
    return fd;
}
