#include "plat/datagram.h"

#include "plat/clock.h"
#include "sockaddr.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* The handle is an epoll of the others. */
static void watch_fd(const struct datagram *d, int fd)
{
    epoll_ctl(d->handle, EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = EPOLLIN});
}

int datagram_open(struct datagram *d)
{
    d->socket = d->handle = -1;
    d->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (d->timer >= 0)
        d->handle = epoll_create1(EPOLL_CLOEXEC);
    if (d->handle < 0) {
        int err = errno;
        datagram_close(d);
        return -err;
    }
    watch_fd(d, d->timer);
    return 0;
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void datagram_close(struct datagram *d)
{
    close_one(&d->socket);
    close_one(&d->timer);
    close_one(&d->handle);
}

static void start_timer(const struct datagram *d, unsigned ms)
{
    const struct itimerspec end = {
        .it_value = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000}};
    timerfd_settime(d->timer, 0, &end, NULL);
}

/* A socket that is connected hears its peer alone. */
void datagram_send(struct datagram *d, const struct datagram_target *to, const void *bytes,
                   size_t len)
{
    union net_sockaddr address;
    close_one(&d->socket);
    start_timer(d, to->timeout_ms);
    socklen_t address_len = net_sockaddr_read(to->address, to->port, &address);
    if (!address_len)
        return;
    d->socket = socket(address.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (d->socket < 0)
        return;
    watch_fd(d, d->socket);
    if (to->any_sender)
        sendto(d->socket, bytes, len, MSG_NOSIGNAL, &address.any, address_len);
    else if (connect(d->socket, &address.any, address_len) == 0)
        send(d->socket, bytes, len, MSG_NOSIGNAL);
}

long datagram_read(struct datagram *d, void *bytes, size_t len)
{
    uint64_t times;
    ssize_t n = d->socket < 0 ? -1 : recv(d->socket, bytes, len, 0);
    if (n >= 0)
        return n;
    if (d->socket >= 0 && errno != EAGAIN && errno != EINTR)
        return -errno;
    return read(d->timer, &times, sizeof times) == sizeof times ? -ETIMEDOUT : -EAGAIN;
}

/* Early after boot the kernel has no such numbers. */
uint16_t datagram_id(void)
{
    uint16_t id;
    if (getrandom(&id, sizeof id, GRND_NONBLOCK) == sizeof id)
        return id;
    return (uint16_t)(clock_mono_ns() / 1000);
}
