/* The way into a root of one's own, which a held command goes before its exec. */
#include "fuse_device.h"
#include "plat/iotrace.h"
#include "plat/mount.h"
#include "plat/mount_at.h"
#include "plat/mount_pipes.h"
#include "process/child_prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct way {
    int (*mount)(const char *at, const struct way *w, struct child_wrong *wrong);
    int pass;
    char cwd[PATH_MAX];
    uid_t uid;
    gid_t gid;
};

static int wrong(struct child_wrong *w, const char *what)
{
    int err = errno;
    snprintf(w->what, sizeof w->what, "%.*s", (int)sizeof w->what - 1, what);
    return -err;
}

static int put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = write(fd, text, strlen(text));
    close(fd);
    return n < 0 ? -1 : 0;
}

/* The user stays who it is; all other ids are nobody's in there. */
static int own_users(const struct way *w)
{
    char map[64];
    put("/proc/self/setgroups", "deny"); /* before Linux 3.19 there was none */
    snprintf(map, sizeof map, "%u %u 1", w->uid, w->uid);
    if (put("/proc/self/uid_map", map) < 0)
        return -1;
    snprintf(map, sizeof map, "%u %u 1", w->gid, w->gid);
    return put("/proc/self/gid_map", map);
}

static int apart_from_all(const struct way *w, struct child_wrong *wrong_)
{
    if (unshare(CLONE_NEWNS) == 0)
        return 0;
    if (errno != EPERM)
        return wrong(wrong_, "a mount namespace");
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
        return wrong(wrong_, "a user namespace");
    return own_users(w) < 0 ? wrong(wrong_, "the ids of a user namespace") : 0;
}

/* By FUSE the kernel does not ask us who may open a device. */
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

static int mount_fuse(const char *at, const struct way *w, struct child_wrong *wrong_)
{
    char options[128];
    int fd = fuse_device_open(NULL);
    if ((errno = fd < 0 ? -fd : 0) != 0)
        return wrong(wrong_, "/dev/fuse");
    snprintf(options, sizeof options,
             "fd=%d,rootmode=40000,user_id=%u,group_id=%u,allow_other,max_read=1048576", fd, w->uid,
             w->gid);
    int r = 0;
    if (mount("psuite", at, "fuse", ROOT_FLAGS, options) < 0)
        r = wrong(wrong_, "mount -t fuse");
    else if ((errno = -mount_give(w->pass, fd)) != 0)
        r = wrong(wrong_, "the server of files");
    close(fd);
    return r;
}

/* No caches: what the command asks is asked. */
static int mount_9p(const char *at, const struct way *w, struct child_wrong *wrong_)
{
    char options[128];
    struct mount_pipes kernel;
    errno = -mount_pipes_give(w->pass, &kernel);
    if (errno)
        return wrong(wrong_, "the server of files");
    snprintf(options, sizeof options,
             "trans=fd,rfdno=%d,wfdno=%d,version=9p2000.L,cache=none,access=user,msize=1048576",
             kernel.from, kernel.to);
    int r = mount("psuite", at, "9p", ROOT_FLAGS, options) < 0 ? wrong(wrong_, "mount -t 9p") : 0;
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
static int become_root(const char *at)
{
    if (chdir(at) < 0)
        return -1;
    if (syscall(SYS_pivot_root, ".", ".") == 0)
        return umount2(".", MNT_DETACH);
    if (mount(".", "/", NULL, MS_MOVE, NULL) < 0)
        return -1;
    return chroot(".");
}

static int enter(void *arg, struct child_wrong *wrong_)
{
    static const char *const direct[] = {"/proc", "/sys", "/dev", "/run"};
    const struct way *w = arg;
    const char *at = some_directory();
    int r = apart_from_all(w, wrong_);
    if (r < 0)
        return r;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return wrong(wrong_, "private mounts");
    errno = ENOENT;
    if (!at)
        return wrong(wrong_, "a directory to mount on");
    if ((r = w->mount(at, w, wrong_)) < 0)
        return r;
    for (size_t i = 0; i < sizeof direct / sizeof direct[0]; i++)
        if (bind_below(at, direct[i]) < 0)
            return wrong(wrong_, direct[i]);
    if (become_root(at) < 0)
        return wrong(wrong_, "the new root");
    return chdir(w->cwd) < 0 ? wrong(wrong_, w->cwd) : 0;
}

static int hold(struct way *w, char *const argv[], struct child *out, struct fail *f)
{
    w->uid = geteuid();
    w->gid = getegid();
    if (!getcwd(w->cwd, sizeof w->cwd) || w->cwd[0] != '/')
        return fail_set(f, errno ? errno : ENOENT, "the current directory");
    const struct child_task task = {enter, w, iotrace_filter_standard};
    return child_hold_prepared(argv, &task, out, f);
}

int mount_hold(char *const argv[], int pass, struct child *out, struct fail *f)
{
    struct way w = {.mount = mount_fuse, .pass = pass};
    int r = hold(&w, argv, out, f);
    if (r == -ENOENT || r == -ENODEV)
        fail_hint(f, "the kernel needs FUSE: modprobe fuse, or CONFIG_FUSE_FS");
    else if (r == -EACCES || r == -EPERM)
        fail_hint(f, "run as root, or allow users user namespaces and /dev/fuse");
    return r;
}

int mount_hold_9p(char *const argv[], int pass, struct child *out, struct fail *f)
{
    struct way w = {.mount = mount_9p, .pass = pass};
    if (geteuid() != 0) {
        fail_set(f, EPERM, "mount -t 9p");
        fail_hint(f, "run as root");
        return -EPERM;
    }
    int r = hold(&w, argv, out, f);
    if (r == -ENODEV || r == -EPROTONOSUPPORT || r == -EINVAL)
        fail_hint(f, "the kernel needs its 9P client: modprobe 9p 9pnet_fd, or CONFIG_9P_FS and "
                     "CONFIG_NET_9P_FD");
    return r;
}
