#include "tracefs.h"

#include "mount_private.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PRIVATE "/proc/self/fd/"

static int private_fd = -1; /* kept until we end */

/* A process that we forked may have closed it, and used its number again. */
static bool has_private_mount(void)
{
    struct statfs s;
    return private_fd >= 0 && fstatfs(private_fd, &s) == 0 && s.f_type == TRACEFS_MAGIC;
}

static int private_mount(void)
{
    if (!has_private_mount())
        private_fd = mount_private("tracefs");
    return private_fd;
}

/* debugfs comes last: to look into its folder is to mount tracefs there, for everybody. */
int tracefs_find(char *path, size_t size)
{
    static const char folder[] = "/tracing";
    if (!has_private_mount() && mount_find("tracefs", TRACEFS_MAGIC, path, size))
        return 0;
    int fd = private_mount();
    if (fd >= 0)
        snprintf(path, size, PRIVATE "%d", fd);
    else if (size > sizeof folder &&
             mount_find("debugfs", DEBUGFS_MAGIC, path, size - sizeof folder))
        strcat(path, folder);
    else
        return fd;
    return 0;
}

bool tracefs_is_private(const char *path)
{
    return strncmp(path, PRIVATE, sizeof PRIVATE - 1) == 0;
}

int tracefs_refused(const char *what, int err, struct fail *f)
{
    fail_set(f, err == -ENODEV ? 0 : -err, "%s%s", what,
             err == -ENODEV ? ": this kernel has no tracefs" : ": tracefs is not mounted");
    if (err == -ENODEV)
        fail_hint(f, "kernel option CONFIG_FTRACE");
    else if (geteuid() != 0)
        fail_hint(
            f,
            "run as root, or as root `mount -t tracefs -o mode=755 tracefs /sys/kernel/tracing'");
    else
        fail_hint(f, "this container does not allow mounts: `mount -t tracefs tracefs "
                     "/sys/kernel/tracing' on the host, and share it");
    return err;
}
