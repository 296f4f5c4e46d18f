#include "mount_private.h"

#include "plat/mount.h"
#include "plat/mount_at.h"
#include "process/descriptors.h"
#include "process/signal_state.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* Newer than many headers; the numbers are the same on all processors. */
enum { CALL_FSOPEN = 430, CALL_FSCONFIG = 431, CALL_FSMOUNT = 432 };
enum { CLOSED_BY_EXEC = 1, CONFIG_CREATE = 6 }; /* FSOPEN_CLOEXEC, FSMOUNT_CLOEXEC */
enum { ATTR_NOSUID = 2, ATTR_NOEXEC = 8 };      /* MOUNT_ATTR_... */
enum { FLAGS = MS_NOSUID | MS_NOEXEC };         /* not nodev: devtmpfs is devices */

bool mount_find(const char *type, long magic, char *path, size_t size)
{
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    struct mntent *m;
    struct statfs s;
    bool found = false;
    while (mounts && !found && (m = getmntent(mounts)))
        if (strcmp(m->mnt_type, type) == 0 && strlen(m->mnt_dir) < size &&
            statfs(m->mnt_dir, &s) == 0 && (found = (long)s.f_type == magic))
            strcpy(path, m->mnt_dir);
    if (mounts)
        endmntent(mounts);
    return found;
}

int mount_private_detached(const char *type)
{
    SCOPED_FD context = (int)syscall(CALL_FSOPEN, type, CLOSED_BY_EXEC);
    if (context < 0)
        return -errno;
    int fd = (int)syscall(CALL_FSCONFIG, context, CONFIG_CREATE, NULL, NULL, 0);
    if (fd == 0)
        fd = (int)syscall(CALL_FSMOUNT, context, CLOSED_BY_EXEC, ATTR_NOSUID | ATTR_NOEXEC);
    return fd < 0 ? -errno : fd;
}

/* The child's part. /proc is covered, which is a mount of its own: the root of a chroot need not be
 * one, and then could not be made private. */
static int mount_and_send(const char *type, int pass)
{
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/proc", NULL, MS_PRIVATE, NULL) < 0 ||
        mount(type, "/proc", type, FLAGS, NULL) < 0)
        return -errno;
    int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : mount_send(pass, fd);
}

static int wait_for_child(pid_t pid)
{
    int status;
    if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0)
        return -errno;
    return WIFEXITED(status) ? -WEXITSTATUS(status) : -EPERM;
}

int mount_private_by_child(const char *type)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    dispositions_save();
    dispositions_default_sigchld();
    pid_t pid = fork();
    if (pid == 0)
        _exit(-mount_and_send(type, pair[1]));
    int r = pid < 0 ? -errno : 0;
    close(pair[1]);
    int fd = pid < 0 ? -1 : mount_receive(pair[0]);
    close(pair[0]);
    if (pid > 0)
        r = wait_for_child(pid);
    return fd >= 0 ? fd : r < 0 ? r : -EPERM;
}

int mount_private(const char *type)
{
    int fd = mount_private_detached(type);
    if (fd >= 0 || fd == -ENODEV)
        return fd;
    return mount_private_by_child(type);
}
