/* Makes a held command enter its private root before its exec. */
#include "kernel_device.h"
#include "plat/iotrace.h"
#include "plat/mount.h"
#include "plat/mount_at.h"
#include "plat/mount_pipes.h"
#include "process/child_prepare.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct mount_setup {
    int (*mount)(const char *at, const struct mount_setup *w, struct child_failure *wrong);
    int pass;
    char cwd[PATH_MAX];
    uid_t uid;
    gid_t gid;
};

static int fail_with_errno(struct child_failure *w, const char *what)
{
    int err = errno;
    snprintf(w->what, sizeof w->what, "%.*s", (int)sizeof w->what - 1, what);
    return -err;
}

/* The user keeps its id; all other ids are unmapped inside. */
static int map_own_ids(const struct mount_setup *w)
{
    char map[64];
    descriptor_put("/proc/self/setgroups", "deny"); /* before Linux 3.19 there was none */
    snprintf(map, sizeof map, "%u %u 1", w->uid, w->uid);
    if (descriptor_put("/proc/self/uid_map", map) < 0)
        return -1;
    snprintf(map, sizeof map, "%u %u 1", w->gid, w->gid);
    return descriptor_put("/proc/self/gid_map", map);
}

static int unshare_mounts(const struct mount_setup *w, struct child_failure *failure)
{
    if (unshare(CLONE_NEWNS) == 0)
        return 0;
    if (errno != EPERM)
        return fail_with_errno(failure, "a mount namespace");
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
        return fail_with_errno(failure, "a user namespace");
    return map_own_ids(w) < 0 ? fail_with_errno(failure, "the ids of a user namespace") : 0;
}

/* Device files are disabled, as the kernel does not ask a FUSE server who may open them. */
enum { ROOT_FLAGS = MS_NODEV };

/* A directory that the new root may cover until it is the root. */
static const char *some_directory(void)
{
    static const char *const names[] = {"/mnt", "/tmp", "/usr", "/etc", "/var", "/home", "/lib"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct stat s;
        if (lstat(names[i], &s) == 0 && S_ISDIR(s.st_mode))
            return names[i];
    }
    return NULL;
}

static int mount_fuse(const char *at, const struct mount_setup *w, struct child_failure *failure)
{
    char options[128];
    SCOPED_FD fd = kernel_device_open("fuse", O_RDWR, NULL);
    if ((errno = fd < 0 ? -fd : 0) != 0)
        return fail_with_errno(failure, "/dev/fuse");
    snprintf(options, sizeof options,
             "fd=%d,rootmode=40000,user_id=%u,group_id=%u,allow_other,max_read=1048576", fd, w->uid,
             w->gid);
    if (mount("psuite", at, "fuse", ROOT_FLAGS, options) < 0)
        return fail_with_errno(failure, "mount -t fuse");
    if ((errno = -mount_send(w->pass, fd)) != 0)
        return fail_with_errno(failure, "the server of files");
    return 0;
}

/* No caches: what the command asks is asked. */
static int mount_9p(const char *at, const struct mount_setup *w, struct child_failure *failure)
{
    char options[128];
    struct mount_pipes kernel;
    errno = -mount_pipes_send(w->pass, &kernel);
    if (errno)
        return fail_with_errno(failure, "the server of files");
    snprintf(options, sizeof options,
             "trans=fd,rfdno=%d,wfdno=%d,version=9p2000.L,cache=none,access=user,msize=1048576",
             kernel.read_fd, kernel.write_fd);
    int r = mount("psuite", at, "9p", ROOT_FLAGS, options) < 0
                ? fail_with_errno(failure, "mount -t 9p")
                : 0;
    mount_pipes_close(&kernel); /* they are the mount's, and end with it */
    return r;
}

static int bind_below(const char *root, const char *path)
{
    char to[64];
    struct stat s;
    if (lstat(path, &s) < 0 || !S_ISDIR(s.st_mode))
        return 0;
    snprintf(to, sizeof to, "%s%s", root, path);
    return mount(path, to, NULL, MS_BIND | MS_REC, NULL);
}

/* A root in the initial ramfs cannot be exchanged, only covered. */
static int pivot_root_to(const char *at)
{
    if (chdir(at) < 0)
        return -1;
    if (syscall(SYS_pivot_root, ".", ".") == 0)
        return umount2(".", MNT_DETACH);
    if (mount(".", "/", NULL, MS_MOVE, NULL) < 0)
        return -1;
    return chroot(".");
}

static int enter_root(void *arg, struct child_failure *failure)
{
    static const char *const direct[] = {"/proc", "/sys", "/dev", "/run"};
    const struct mount_setup *w = arg;
    const char *at = some_directory();
    int r = unshare_mounts(w, failure);
    if (r < 0)
        return r;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return fail_with_errno(failure, "private mounts");
    errno = ENOENT;
    if (!at)
        return fail_with_errno(failure, "a directory to mount on");
    if ((r = w->mount(at, w, failure)) < 0)
        return r;
    for (size_t i = 0; i < sizeof direct / sizeof direct[0]; i++)
        if (bind_below(at, direct[i]) < 0)
            return fail_with_errno(failure, direct[i]);
    if (pivot_root_to(at) < 0)
        return fail_with_errno(failure, "the new root");
    return chdir(w->cwd) < 0 ? fail_with_errno(failure, w->cwd) : 0;
}

static int hold_command(struct mount_setup *w, char *const argv[], struct child *out,
                        struct fail *f)
{
    w->uid = geteuid();
    w->gid = getegid();
    if (!getcwd(w->cwd, sizeof w->cwd) || w->cwd[0] != '/')
        return fail_set(f, errno ? errno : ENOENT, "the current directory");
    const struct child_setup task = {enter_root, w, iotrace_filter_standard};
    return child_hold_prepared(argv, &task, out, f);
}

int mount_hold(char *const argv[], int pass, struct child *out, struct fail *f)
{
    struct mount_setup w = {.mount = mount_fuse, .pass = pass};
    int r = hold_command(&w, argv, out, f);
    if (r == -ENOENT || r == -ENODEV)
        fail_hint(f, "the kernel needs FUSE: modprobe fuse, or CONFIG_FUSE_FS");
    else if (r == -EACCES || r == -EPERM)
        fail_hint(f, "run as root, or allow users user namespaces and /dev/fuse");
    return r;
}

int mount_hold_9p(char *const argv[], int pass, struct child *out, struct fail *f)
{
    struct mount_setup w = {.mount = mount_9p, .pass = pass};
    if (geteuid() != 0) {
        fail_set(f, EPERM, "mount -t 9p");
        fail_hint(f, "run as root");
        return -EPERM;
    }
    int r = hold_command(&w, argv, out, f);
    if (r == -ENODEV || r == -EPROTONOSUPPORT || r == -EINVAL)
        fail_hint(f, "the kernel needs its 9P client: modprobe 9p 9pnet_fd, or CONFIG_9P_FS and "
                     "CONFIG_NET_9P_FD");
    return r;
}
