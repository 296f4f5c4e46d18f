#include "plat/datagram.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "process/descriptors.h"
#include "sockaddr.h"

#include <errno.h>
#include <sys/random.h>
#include <unistd.h>

void datagram_open(struct datagram *d)
{
    *d = (struct datagram){.socket = -1};
}

void datagram_close(struct datagram *d)
{
    descriptor_close(&d->socket);
}

struct wait_on datagram_wait(const struct datagram *d)
{
    return (struct wait_on){.handle = d->socket, .until_ns = d->end_ns};
}

/* A socket that is connected hears its peer alone. */
void datagram_send(struct datagram *d, const struct datagram_target *to, const void *bytes,
                   size_t len)
{
    union net_sockaddr address;
    datagram_close(d);
    d->end_ns = clock_mono_ns() + to->timeout_ms * NS_PER_MS;
    socklen_t address_len = net_sockaddr_read(to->address, to->port, &address);
    if (!address_len)
        return;
    d->socket = socket(address.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (d->socket < 0)
        return;
    if (to->any_sender)
        sendto(d->socket, bytes, len, MSG_NOSIGNAL, &address.any, address_len);
    else if (connect(d->socket, &address.any, address_len) == 0)
        send(d->socket, bytes, len, MSG_NOSIGNAL);
}

static bool is_time_up(struct datagram *d)
{
    if (!d->end_ns || clock_mono_ns() < d->end_ns)
        return false;
    d->end_ns = 0;
    return true;
}

long datagram_read(struct datagram *d, void *bytes, size_t len)
{
    ssize_t n = d->socket < 0 ? -1 : recv(d->socket, bytes, len, 0);
    if (n >= 0)
        return n;
    if (d->socket >= 0 && errno != EAGAIN && errno != EINTR)
        return -errno;
    return is_time_up(d) ? -ETIMEDOUT : -EAGAIN;
}

/* Early after boot the kernel has no such numbers. */
uint16_t datagram_id(void)
{
    uint16_t id;
    if (getrandom(&id, sizeof id, GRND_NONBLOCK) == sizeof id)
        return id;
    return (uint16_t)(clock_mono_ns() / 1000);
}
