#include "names.h"

#include "core/base/buf.h"
#include "core/net/dns.h"
#include "plat/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { ASKED_MOST = 64, CONF_MOST = 1 << 16, ROUNDS = 2, PORT = 53, MDNS_PORT = 5353 };
static const char mdns[] = "224.0.0.251";

struct asked {
    int handle, socket, timer; /* the first is an epoll of the others */
    struct dns_conf conf;
    char name[NET_HOST_MOST + 1];
    enum dns_type type;
    uint16_t id, port;
    unsigned tries;
};
static struct asked *asked[ASKED_MOST];

static struct asked **place_of(int handle)
{
    for (size_t i = 0; i < ASKED_MOST; i++)
        if (asked[i] ? asked[i]->handle == handle : handle < 0)
            return &asked[i];
    return NULL;
}

static void drop(struct asked *a)
{
    if (a->socket >= 0)
        close(a->socket);
    if (a->timer >= 0)
        close(a->timer);
    free(a);
}

void net_names_forget(int handle)
{
    struct asked **place = handle < 0 ? NULL : place_of(handle);
    if (!place)
        return;
    drop(*place);
    *place = NULL;
}

bool net_names_is_asked(int handle)
{
    return handle >= 0 && place_of(handle);
}

/* --- asking --- */

static void watch(const struct asked *a, int fd)
{
    epoll_ctl(a->handle, EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = EPOLLIN});
}

static unsigned tries_most(const struct asked *a)
{
    return ROUNDS * (dns_is_local(a->name) || !a->conf.servers ? 1 : (unsigned)a->conf.servers);
}

/* A name server is listened to alone; the network's answers come from whoever has the name. */
static void send_to(struct asked *a, const void *bytes, size_t len)
{
    union net_sockaddr to;
    bool local = dns_is_local(a->name);
    const char *server = local ? mdns : a->conf.server[a->tries % a->conf.servers];
    socklen_t to_len = net_sockaddr_read(server, local ? MDNS_PORT : PORT, &to);
    a->socket = socket(to.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (a->socket < 0)
        return;
    watch(a, a->socket);
    if (local)
        sendto(a->socket, bytes, len, MSG_NOSIGNAL, &to.any, to_len);
    else if (connect(a->socket, &to.any, to_len) == 0)
        send(a->socket, bytes, len, MSG_NOSIGNAL);
}

/* What cannot be sent is like what is not answered. */
static int ask_once(struct asked *a)
{
    uint8_t bytes[DNS_ASK_MOST];
    const struct itimerspec second = {.it_value.tv_sec = 1};
    if (a->socket >= 0)
        close(a->socket);
    a->socket = -1;
    if (getrandom(&a->id, sizeof a->id, GRND_NONBLOCK) < 0)
        a->id = (uint16_t)(a->id * 25173 + 13849);
    size_t len = dns_ask(a->id, a->name, a->type, bytes);
    if (!len)
        return -ENOENT;
    timerfd_settime(a->timer, 0, &second, NULL);
    send_to(a, bytes, len);
    return -EAGAIN;
}

static struct asked *begin(const char *host, uint16_t port)
{
    struct asked *a = calloc(1, sizeof *a);
    struct buf text = BUF_INIT;
    if (!a)
        return NULL;
    *a = (struct asked){.handle = -1, .socket = -1, .timer = -1, .type = DNS_A, .port = port};
    file_read("/etc/resolv.conf", CONF_MOST, &text, NULL);
    dns_conf_read(buf_str(&text), text.len, &a->conf);
    buf_release(&text);
    dns_whole_name(&a->conf, host, a->name);
    return a;
}

static int ask(struct asked *a)
{
    if (!a->conf.servers && !dns_is_local(a->name))
        return -ENOENT;
    a->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    a->handle = a->timer < 0 ? -1 : epoll_create1(EPOLL_CLOEXEC);
    if (a->handle < 0)
        return -errno;
    watch(a, a->timer);
    int r = ask_once(a);
    if (r == -EAGAIN)
        return a->handle;
    close(a->handle);
    return r;
}

int net_names_ask(const char *host, uint16_t port)
{
    struct asked **place = place_of(-1);
    struct asked *a = place ? begin(host, port) : NULL;
    if (!a)
        return place ? -ENOMEM : -EMFILE;
    int r = ask(a);
    if (r < 0)
        drop(a);
    else
        *place = a;
    return r;
}

/* --- answers --- */

static int ask_next(struct asked *a)
{
    return ++a->tries < tries_most(a) ? ask_once(a) : -ECOMM;
}

/* Who has no address of the one kind may have one of the other. */
static int without(struct asked *a)
{
    if (a->type == DNS_AAAA)
        return -ENONET;
    a->type = DNS_AAAA;
    a->tries = 0;
    return ask_once(a);
}

static int take(struct asked *a, const uint8_t *bytes, size_t len, union net_sockaddr *out)
{
    uint8_t address[16];
    int r = dns_answer(bytes, len, a->id, a->name, a->type, address);
    if (r > 0)
        return (int)net_sockaddr_of(address, r, a->port, out);
    return r == 0 ? without(a) : r == -ENOENT ? -ENONET : r == -EAGAIN ? ask_next(a) : -EPROTO;
}

/* -EPROTO: what came is no answer. */
static int hear(struct asked *a, union net_sockaddr *out)
{
    uint8_t bytes[DNS_MESSAGE_MOST];
    ssize_t n = a->socket < 0 ? -1 : recv(a->socket, bytes, sizeof bytes, 0);
    if (n >= 0)
        return take(a, bytes, (size_t)n, out);
    return a->socket < 0 || errno == EAGAIN || errno == EINTR ? -EAGAIN : ask_next(a);
}

int net_names_found(int handle, union net_sockaddr *out)
{
    struct asked *a = *place_of(handle);
    uint64_t times;
    int r;
    while ((r = hear(a, out)) == -EPROTO)
        ;
    if (r == -EAGAIN && read(a->timer, &times, sizeof times) == sizeof times)
        r = ask_next(a);
    return r;
}
