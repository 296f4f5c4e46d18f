/* quota DIR BYTES COMMAND...: no file below DIR that COMMAND or its children write gets longer than
 * BYTES: the write fails with EDQUOT, as on a file system with quotas. By seccomp's notifications,
 * so whatever writes, however it is linked. Exit status 77 when this kernel has none. */
#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NONE = 77 };

#define WATCHED(n)                                                                                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, n, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)

static int listen_to_ourselves(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        WATCHED(SYS_write),
        WATCHED(SYS_pwrite64),
        WATCHED(SYS_writev),
        WATCHED(SYS_pwritev),
        WATCHED(SYS_fallocate),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (geteuid() != 0)
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                        &program);
}

static void send_fd(int to, int fd)
{
    char data = 0, control[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec part = {&data, 1};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *c = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    if (sendmsg(to, &m, 0) < 0)
        _exit(NONE);
}

static int receive_fd(int from)
{
    int fd = -1;
    char data, control[CMSG_SPACE(sizeof fd)];
    struct iovec part = {&data, 1};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};
    if (recvmsg(from, &m, 0) == 1 && CMSG_FIRSTHDR(&m))
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

static void start(int to, char **command)
{
    int fd = listen_to_ourselves();
    if (fd < 0)
        _exit(NONE);
    send_fd(to, fd);
    close(fd);
    close(to);
    execvp(command[0], command);
    _exit(127);
}

/* How long the file becomes that a call writes; 0: it is not below the directory. The bytes of a
 * writev are not looked at: it counts as one. */
static uint64_t length_after(const struct seccomp_notif *n, const char *dir)
{
    const struct seccomp_data *d = &n->data;
    char link[64], path[PATH_MAX];
    struct stat s;
    snprintf(link, sizeof link, "/proc/%u/fd/%d", n->pid, (int)d->args[0]);
    ssize_t len = readlink(link, path, sizeof path - 1);
    size_t below = strlen(dir);
    if (len <= (ssize_t)below || strncmp(path, dir, below) != 0 || path[below] != '/' ||
        stat(link, &s) < 0)
        return 0;
    uint64_t size = (uint64_t)s.st_size;
    uint64_t end = d->nr == SYS_write       ? size + d->args[2]
                   : d->nr == SYS_pwrite64  ? d->args[3] + d->args[2]
                   : d->nr == SYS_fallocate ? d->args[2] + d->args[3]
                                            : size + 1;
    return end > size ? end : size;
}

static void answer(int listener, const char *dir, uint64_t most)
{
    struct seccomp_notif n = {0};
    struct seccomp_notif_resp r = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n) < 0)
        return;
    r.id = n.id;
    if (length_after(&n, dir) > most)
        r.error = -EDQUOT;
    else
        r.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
}

static int status_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
    int pair[2], status = 0;
    if (argc < 4 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return 2;
    uint64_t most = strtoull(argv[2], NULL, 10);
    pid_t child = fork();
    if (child == 0)
        start(pair[1], argv + 3);
    close(pair[1]);
    struct pollfd p = {.fd = receive_fd(pair[0]), .events = POLLIN};
    /* It ends when nobody is left that has the filter. */
    while (p.fd >= 0 && (poll(&p, 1, -1) >= 0 || errno == EINTR) &&
           !(p.revents & (POLLHUP | POLLERR)))
        if (p.revents & POLLIN)
            answer(p.fd, argv[1], most);
    return waitpid(child, &status, 0) == child ? status_of(status) : 1;
}
