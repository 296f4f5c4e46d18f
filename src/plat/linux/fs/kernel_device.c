#include "kernel_device.h"

#include "mount_private.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* devices: a directory of them, which is closed. */
static int open_in(int devices, const char *name, int flags)
{
    int fd = openat(devices, name, flags | O_CLOEXEC);
    int r = fd < 0 ? -errno : fd;
    close(devices);
    return r;
}

int kernel_device_open(const char *name, int flags, bool *private)
{
    int devices = open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = devices < 0 ? -errno : open_in(devices, name, flags);
    if (private)
        *private = false;
    if (fd != -ENOENT)
        return fd;
    devices = mount_private("devtmpfs");
    fd = devices < 0 ? -ENOENT : open_in(devices, name, flags);
    if (private)
        *private = fd >= 0;
    return fd;
}
