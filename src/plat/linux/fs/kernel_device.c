#include "kernel_device.h"

#include "mount_private.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>

/* devices: a directory of them, which is closed. */
static int open_in(int devices, const char *name, int flags)
{
    SCOPED_FD in = devices;
    int fd = openat(in, name, flags | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
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
