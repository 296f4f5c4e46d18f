#include "plat/mount_at.h"

#include "kernel_device.h"
#include "plat/mount.h"
#include "process/descriptors.h"
#include "process/oom_score.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NEEDED                                                                                     \
    "run as root, or install fusermount3 (Debian: fuse3) and use a directory that you own"

/* --- fusermount3 --- */

/* 0; -ENOENT: there is none; -EPERM: it refused. */
static int wait_for_helper(int pid)
{
    int status;
    if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0)
        return -errno;
    if (!WIFEXITED(status))
        return -EPERM;
    return WEXITSTATUS(status) == 127 ? -ENOENT : WEXITSTATUS(status) ? -EPERM : 0;
}

/* end: of a socket for the connection, or -1. kept: as mount_request has it. */
static _Noreturn void exec_helper(const char *argv[], int end, int kept)
{
    char number[16];
    snprintf(number, sizeof number, "%d", end);
    if (end >= 0 && (fcntl(end, F_SETFD, 0) < 0 || setenv("_FUSE_COMMFD", number, 1) < 0))
        _exit(1);
    if (kept >= 0)
        fcntl(kept, F_SETFD, 0);
    oom_score_restore();
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    argv[0] = "fusermount"; /* its older name */
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
}

/* With all signals blocked, before its exec and after it: nothing but SIGKILL ends it half-way,
 * when all processes of psuite are asked to end. */
static int start_helper(const char *argv[], int end, int kept)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int pid = fork();
    if (pid == 0)
        exec_helper(argv, end, kept);
    int r = pid < 0 ? -errno : pid;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return r;
}

/* Commas part options. */
static void add_quoted(struct buf *b, const char *s)
{
    for (; *s; s++) {
        if (*s == ',' || *s == '\\')
            buf_addc(b, '\\');
        buf_addc(b, *s);
    }
}

static int receive_from_helper(const char *argv[], int kept)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    int pid = start_helper(argv, pair[1], kept);
    close(pair[1]);
    int fd = pid < 0 ? pid : mount_receive(pair[0]);
    close(pair[0]);
    int r = pid < 0 ? pid : wait_for_helper(pid);
    if (r < 0)
        descriptor_close(&fd);
    return r < 0 ? r : fd;
}

static int mount_by_helper(const struct mount_request *ask, struct fail *f)
{
    SCOPED_BUF options = BUF_INIT;
    buf_adds(&options, "subtype=psuite,nosuid,nodev,default_permissions,fsname=");
    add_quoted(&options, ask->source);
    buf_adds(&options, ask->allow_other ? ",allow_other" : "");
    const char *argv[] = {"fusermount3", "-o", buf_str(&options), "--", ask->dir, NULL};
    int fd = buf_error(&options) ? -ENOMEM : receive_from_helper(argv, ask->kept);
    if (fd >= 0)
        return fd;
    fail_set(f, fd == -ENOENT ? EPERM : -fd, "mount at %s", ask->dir);
    fail_hint(f, NEEDED);
    return fd == -ENOENT ? -EPERM : fd;
}

/* --- by ourselves --- */

static int mount_directly(int fd, const struct mount_request *ask)
{
    char options[160];
    snprintf(options, sizeof options,
             "fd=%d,rootmode=40000,user_id=%u,group_id=%u,default_permissions%s", fd, geteuid(),
             getegid(), ask->allow_other ? ",allow_other" : "");
    return mount(ask->source, ask->dir, MOUNT_KIND, MS_NOSUID | MS_NODEV, options) < 0 ? -errno : 0;
}

static int fail_no_fuse(const char *what, int r, struct fail *f)
{
    fail_set(f, -r, "%s", what);
    if (r == -ENOENT && geteuid() != 0 && access("/dev/fuse", F_OK) < 0)
        fail_hint(f, "run as root, or as root `mknod -m 666 /dev/fuse c 10 229'");
    else if (r == -ENOENT || r == -ENODEV || r == -ENXIO)
        fail_hint(f, "the kernel needs FUSE: modprobe fuse, or CONFIG_FUSE_FS");
    return r;
}

static int set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0)
        fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    return fd;
}

int mount_at(const struct mount_request *ask, struct fail *f)
{
    int fd = kernel_device_open("fuse", O_RDWR, NULL);
    int r = fd < 0 ? fd : mount_directly(fd, ask);
    if (r == 0)
        return set_nonblocking(fd);
    if (fd >= 0)
        close(fd);
    if (r == -EPERM || r == -EACCES)
        return (r = mount_by_helper(ask, f)) < 0 ? r : set_nonblocking(r);
    return fail_no_fuse(fd < 0 ? "/dev/fuse" : ask->dir, r, f);
}

/* What somebody has just looked at is in use for a moment more. */
static int unmount_patiently(const char *dir, int flags)
{
    enum { TRIES = 50, PAUSE_NS = 10000000 };
    int r = umount2(dir, flags);
    for (int i = 1; r < 0 && errno == EBUSY && i < TRIES; i++) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        r = umount2(dir, flags);
    }
    return r;
}

int mount_unmount(const char *dir, bool at_once, struct fail *f)
{
    if (unmount_patiently(dir, (at_once ? MNT_DETACH : 0) | UMOUNT_NOFOLLOW) == 0)
        return 0;
    if (errno != EPERM)
        return fail_set(f, errno, "%s", dir);
    const char *argv[] = {"fusermount3", at_once ? "-uz" : "-u", "--", dir, NULL};
    int pid = start_helper(argv, -1, -1), r = pid < 0 ? pid : wait_for_helper(pid);
    if (r < 0) {
        fail_set(f, r == -ENOENT ? EPERM : -r, "%s", dir);
        if (r == -ENOENT)
            fail_hint(f, NEEDED);
    }
    return r;
}

int mount_send(int pass, int connection)
{
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof connection)];
    char byte = 0;
    struct iovec one = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &one, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    memset(control, 0, sizeof control);
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof connection);
    memcpy(CMSG_DATA(c), &connection, sizeof connection);
    return sendmsg(pass, &m, MSG_NOSIGNAL) == 1 ? 0 : -errno;
}
