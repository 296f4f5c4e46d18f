#include "plat/net.h"

#include "core/base/buf.h"
#include "plat/file.h"
#include "process/descriptors.h"
#include "process/socket_missing.h"
#include "sockaddr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* --- the file that a unix socket is found by --- */

/* Our own socket without a listener. One that is only busy (EAGAIN) is not dead. */
static bool is_dead(const struct sockaddr_un *to)
{
    struct stat st;
    if (lstat(to->sun_path, &st) < 0 || !S_ISSOCK(st.st_mode) || st.st_uid != geteuid())
        return false;
    SCOPED_FD fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return fd >= 0 && connect(fd, (const struct sockaddr *)to, sizeof *to) < 0 &&
           errno == ECONNREFUSED;
}

static int try_bind(int fd, const struct sockaddr_un *to)
{
    return bind(fd, (const struct sockaddr *)to, sizeof *to) < 0 ? -errno : 0;
}

/* Makes it, 0600, where there is none, or only a dead socket of our own user; which file it is goes
 * to *device and *file. 0 or a negative errno. */
static int socket_file_bind(int fd, const struct sockaddr_un *to, uint64_t *device, uint64_t *file)
{
    struct stat st;
    fchmod(fd, 0600); /* the mode that bind gives its file: no other user can ever connect */
    int r = try_bind(fd, to);
    if (r == -EADDRINUSE && is_dead(to) && unlink(to->sun_path) == 0)
        r = try_bind(fd, to);
    if (r < 0)
        return r;
    if (lstat(to->sun_path, &st) < 0)
        return -errno;
    *device = st.st_dev;
    *file = st.st_ino;
    return 0;
}

/* Removes it, if it is still that one. */
static void socket_file_remove(const char *path, uint64_t device, uint64_t file)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_dev == device && st.st_ino == file)
        unlink(path);
}

enum { BACKLOG = 64, MAX_HOSTS_BYTES = 1 << 20 };

static int fail_address(struct fail *f, int err, const struct net_address *a)
{
    char text[NET_TEXT_MAX + 1];
    net_address_text(a, text);
    return fail_set(f, err, "%.200s", text);
}

/* --- addresses --- */

static int find_name(const struct net_address *a, union net_sockaddr *out, socklen_t *len,
                     struct fail *f)
{
    SCOPED_BUF hosts = BUF_INIT;
    char address[NET_HOST_MAX + 1];
    file_read("/etc/hosts", MAX_HOSTS_BYTES, &hosts, NULL);
    bool found = net_hosts_find(buf_str(&hosts), hosts.len, a->host, address);
    if (found && (*len = net_sockaddr_read(address, a->port, out)) > 0)
        return 0;
    fail_set(f, 0, "%.80s: not an address, and not in /etc/hosts", a->host);
    fail_hint(f, "`getent hosts %.80s' may find its address", a->host);
    return -ENOENT;
}

static int resolve_address(const struct net_address *a, union net_sockaddr *out, socklen_t *len,
                           struct fail *f)
{
    if (a->kind == NET_UNIX) {
        *out = (union net_sockaddr){.local = {.sun_family = AF_UNIX}};
        memcpy(out->local.sun_path, a->path, strlen(a->path) + 1);
        *len = sizeof out->local;
        return 0;
    }
    *len = net_sockaddr_read(strcmp(a->host, "*") == 0 ? "0.0.0.0" : a->host, a->port, out);
    return *len ? 0 : find_name(a, out, len, f);
}

static int open_socket(const union net_sockaddr *to)
{
    int fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    if (fd >= 0 && to->any.sa_family != AF_UNIX)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd < 0 ? -errno : fd;
}

/* --- listening --- */

static void update_address(struct net_listener *l)
{
    union net_sockaddr is;
    socklen_t len = sizeof is;
    if (l->address.kind == NET_UNIX || getsockname(l->handle, &is.any, &len) < 0)
        return;
    if (is.any.sa_family == AF_INET6) {
        l->address.port = ntohs(is.v6.sin6_port);
        inet_ntop(AF_INET6, &is.v6.sin6_addr, l->address.host, sizeof l->address.host);
    } else {
        l->address.port = ntohs(is.v4.sin_port);
        inet_ntop(AF_INET, &is.v4.sin_addr, l->address.host, sizeof l->address.host);
    }
}

static int bind_tcp(int fd, const union net_sockaddr *to, socklen_t len)
{
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    return bind(fd, &to->any, len) < 0 ? -errno : 0;
}

static int start_listening(struct net_listener *l, const union net_sockaddr *to, socklen_t len)
{
    int r = l->address.kind == NET_UNIX
                ? socket_file_bind(l->handle, &to->local, &l->device, &l->file)
                : bind_tcp(l->handle, to, len);
    if (r == 0 && listen(l->handle, BACKLOG) < 0)
        r = -errno;
    return r;
}

static void fail_listen(const struct net_address *at, int family, int err, struct fail *f)
{
    fail_address(f, err, at);
    socket_missing_hint(family, err, f);
    if (err == EADDRINUSE && at->kind == NET_UNIX)
        fail_hint(
            f, "another server listens there, or it is not a socket of psuite: use another path");
    else if (err == EADDRINUSE)
        fail_hint(f, "another server listens there; use port 0 for any free port");
    else if (err == EACCES && at->kind == NET_TCP)
        fail_hint(f, "ports below 1024 need root or CAP_NET_BIND_SERVICE");
}

int net_listen(const struct net_address *at, struct net_listener *out, struct fail *f)
{
    struct net_listener l = {.handle = -1, .address = *at};
    union net_sockaddr to;
    socklen_t len = 0;
    out->handle = -1;
    int r = resolve_address(at, &to, &len, f);
    if (r < 0)
        return r;
    l.handle = r = open_socket(&to);
    if (r >= 0)
        r = start_listening(&l, &to, len);
    if (r < 0) {
        net_unlisten(&l);
        fail_listen(at, to.any.sa_family, -r, f);
        return r;
    }
    update_address(&l);
    *out = l;
    return 0;
}

void net_unlisten(struct net_listener *l)
{
    if (l->handle < 0)
        return;
    if (l->address.kind == NET_UNIX)
        socket_file_remove(l->address.path, l->device, l->file);
    close(l->handle);
    l->handle = -1;
}

/* Failures of the connection itself, which accept(2) hands on: that caller is gone. */
static bool is_peer_error(int err)
{
    return err == EINTR || err == ECONNABORTED || err == EPROTO || err == ENETDOWN ||
           err == ENOPROTOOPT || err == EHOSTDOWN || err == ENONET || err == EHOSTUNREACH ||
           err == EOPNOTSUPP || err == ENETUNREACH;
}

/* Linux' own times are two hours and more. */
static void enable_keepalive(int fd)
{
    const int on = 1, idle_s = 60, interval_s = 10, probes = 6;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

int net_accept(const struct net_listener *l)
{
    int fd, on = 1;
    do
        fd = accept4(l->handle, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    while (fd < 0 && is_peer_error(errno));
    if (fd >= 0 && l->address.kind == NET_TCP) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        enable_keepalive(fd);
    }
    return fd < 0 ? -errno : fd;
}

/* --- calling --- */

static int connect_socket(const union net_sockaddr *to, socklen_t len)
{
    int fd = open_socket(to);
    if (fd < 0 || connect(fd, &to->any, len) == 0 || errno == EINPROGRESS)
        return fd;
    descriptor_close(&fd);
    return -errno;
}

int net_connect(const struct net_address *at, struct fail *f)
{
    union net_sockaddr to;
    socklen_t len = 0;
    int r = resolve_address(at, &to, &len, f);
    if (r < 0)
        return r;
    int fd = connect_socket(&to, len);
    if (fd >= 0)
        return fd;
    fail_address(f, -fd, at);
    socket_missing_hint(to.any.sa_family, -fd, f);
    return fd;
}

int net_connected(int connection)
{
    int err = 0;
    socklen_t len = sizeof err;
    union net_sockaddr other;
    if (getsockopt(connection, SOL_SOCKET, SO_ERROR, &err, &len) < 0)
        return -errno;
    if (err)
        return -err;
    len = sizeof other;
    if (getpeername(connection, &other.any, &len) == 0)
        return 0;
    return errno == ENOTCONN ? -EAGAIN : -errno;
}

/* --- talking --- */

long net_read(int connection, void *bytes, size_t len)
{
    ssize_t n = TEMP_FAILURE_RETRY(recv(connection, bytes, len, 0));
    return n < 0 ? -errno : (long)n;
}

long net_write(int connection, const void *bytes, size_t len)
{
    ssize_t n = TEMP_FAILURE_RETRY(send(connection, bytes, len, MSG_NOSIGNAL));
    return n < 0 ? -errno : (long)n;
}

void net_shutdown(int connection)
{
    shutdown(connection, SHUT_WR);
}

void net_close(int connection)
{
    descriptor_close(&connection);
}
