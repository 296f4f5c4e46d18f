/* The connection to the kernel. */
#include "plat/mount.h"
#include "process/proc_open.h"

#include "kernel_device.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* FUSE_DEV_IOC_CLONE, _BACKING_OPEN and _BACKING_CLOSE, the latter newer than many headers. */
struct backing_map {
    int32_t fd;
    uint32_t flags;
    uint64_t padding;
};
#define DEV_CLONE         _IOR(229, 0, uint32_t)
#define DEV_BACKING_OPEN  _IOW(229, 1, struct backing_map)
#define DEV_BACKING_CLOSE _IOW(229, 2, uint32_t)

int mount_keep_namespace(const struct child *c)
{
    return proc_open(c->pid, "ns/mnt");
}

int mount_receive(int pass)
{
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    char byte;
    struct iovec one = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &one, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t n = TEMP_FAILURE_RETRY(recvmsg(pass, &m, MSG_CMSG_CLOEXEC));
    if (n <= 0)
        return n < 0 ? -errno : -ECONNRESET;
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    int fd;
    if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof fd))
        return -EPROTO;
    memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}

int mount_clone(int connection)
{
    uint32_t from = (uint32_t)connection;
    int fd = kernel_device_open("fuse", O_RDWR, NULL);
    if (fd >= 0 && ioctl(fd, DEV_CLONE, &from) == 0)
        return fd;
    descriptor_close(&fd);
    return fcntl(connection, F_DUPFD_CLOEXEC, 3); /* one queue for both, then */
}

int64_t mount_read(int connection, void *to, size_t cap)
{
    ssize_t n = read(connection, to, cap);
    if (n >= 0)
        return n;
    return errno == EINTR || errno == EAGAIN || errno == ENOENT ? 0 : -errno;
}

int mount_write(int connection, const void *head, size_t head_len, const void *body,
                size_t body_len)
{
    struct iovec part[2] = {{(void *)(uintptr_t)head, head_len},
                            {(void *)(uintptr_t)body, body_len}};
    return writev(connection, part, body_len ? 2 : 1) < 0 ? -errno : 0;
}

bool mount_pending(int connection)
{
    struct pollfd p = {.fd = connection, .events = POLLIN};
    return poll(&p, 1, 0) == 1 && p.revents & POLLIN;
}

int mount_backing(int connection, int fd)
{
    struct backing_map map = {.fd = fd};
    int id = ioctl(connection, DEV_BACKING_OPEN, &map);
    return id < 0 ? -errno : id;
}

void mount_backing_close(int connection, int backing)
{
    uint32_t id = (uint32_t)backing;
    ioctl(connection, DEV_BACKING_CLOSE, &id);
}
