/* Whose the other end of a connection is. */
#include "plat/net.h"

#include "core/base/buf.h"
#include "core/procfs/pid_status.h"
#include "core/procfs/socket_owner.h"
#include "plat/file.h"
#include "process/descriptors.h"
#include "sockaddr.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

enum {
    MAX_GROUPS = 65536,
    MAX_USERS = 16 << 20,
    MAX_TABLE = 64 << 20,
    NOGROUP = 65534,
    LISTENS = 10
};

/* --- a unix socket: as its process was when it connected --- */

/* Before Linux 4.13 no groups are known. */
static void groups_of_socket(int connection, struct net_peer *out)
{
    socklen_t len = 0;
    getsockopt(connection, SOL_SOCKET, SO_PEERGROUPS, NULL, &len);
    if (!len || len > MAX_GROUPS * sizeof(gid_t) || !(out->groups = malloc(len)))
        return;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERGROUPS, out->groups, &len) == 0)
        out->count = len / sizeof(gid_t);
}

static void find_local(int connection, struct net_peer *out)
{
    struct ucred credentials;
    socklen_t len = sizeof credentials;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &len) < 0 ||
        credentials.uid == (uid_t)-1)
        return;
    *out = (struct net_peer){.kind = NET_PEER_USER, .uid = credentials.uid, .gid = credentials.gid};
    groups_of_socket(connection, out);
}

/* --- TCP: the peer's socket, whose two ends are ours exchanged --- */

static void end_of(const union net_sockaddr *from, struct socket_end *out)
{
    *out = (struct socket_end){.port = ntohs(from->v6.sin6_port)};
    if (from->any.sa_family == AF_INET6) {
        memcpy(out->address, &from->v6.sin6_addr, 16);
        return;
    }
    memset(out->address + 10, 0xff, 2);
    memcpy(out->address + 12, &from->v4.sin_addr, 4);
}

static bool ends_of(int connection, struct socket_end *here, struct socket_end *there,
                    uint32_t *interface)
{
    union net_sockaddr own, other;
    socklen_t own_len = sizeof own, other_len = sizeof other;
    if (getsockname(connection, &own.any, &own_len) < 0 ||
        getpeername(connection, &other.any, &other_len) < 0)
        return false;
    end_of(&own, here);
    end_of(&other, there);
    *interface = other.any.sa_family == AF_INET6 ? other.v6.sin6_scope_id : 0;
    return true;
}

static bool is_v4(const struct socket_end *e)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    return memcmp(e->address, mapped, sizeof mapped) == 0;
}

/* Only this machine has such an address, or the one that it was called at. */
static bool is_here(const struct socket_end *here, const struct socket_end *there)
{
    static const uint8_t loopback[16] = {[15] = 1};
    if (memcmp(here->address, there->address, 16) == 0)
        return true;
    return is_v4(there) ? there->address[12] == 127 : memcmp(there->address, loopback, 16) == 0;
}

struct question {
    struct nlmsghdr head;
    struct inet_diag_req_v2 diag;
};

static struct question make_request(const struct socket_end *local, const struct socket_end *remote,
                                    uint32_t interface)
{
    bool v4 = is_v4(local) && is_v4(remote);
    struct question q = {
        .head = {.nlmsg_len = sizeof q,
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST},
        .diag = {.sdiag_family = v4 ? AF_INET : AF_INET6,
                 .sdiag_protocol = IPPROTO_TCP,
                 .idiag_states = UINT32_MAX,
                 .id = {.idiag_sport = htons(local->port),
                        .idiag_dport = htons(remote->port),
                        .idiag_if = interface,
                        .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}}};
    memcpy(q.diag.id.idiag_src, local->address + (v4 ? 12 : 0), v4 ? 4 : 16);
    memcpy(q.diag.id.idiag_dst, remote->address + (v4 ? 12 : 0), v4 ? 4 : 16);
    return q;
}

/* 0; -ENOENT: there is no such socket here; anything else: the kernel cannot be asked so. */
static int parse_reply(const void *bytes, size_t len, struct socket_owner *out)
{
    struct nlmsghdr head;
    struct inet_diag_msg diag;
    struct nlmsgerr error;
    if (len < NLMSG_HDRLEN)
        return -EPROTO;
    memcpy(&head, bytes, sizeof head);
    const uint8_t *body = (const uint8_t *)bytes + NLMSG_HDRLEN;
    if (head.nlmsg_type == NLMSG_ERROR && len >= NLMSG_HDRLEN + sizeof error) {
        memcpy(&error, body, sizeof error);
        return error.error < 0 ? error.error : -EPROTO;
    }
    if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY || len < NLMSG_HDRLEN + sizeof diag)
        return -EPROTO;
    memcpy(&diag, body, sizeof diag);
    *out = (struct socket_owner){diag.idiag_state, diag.idiag_uid, diag.idiag_inode};
    return diag.idiag_state == LISTENS ? -ENOENT
                                       : 0; /* the user that listens at the port of the other end */
}

static int query_kernel(const struct question *q, struct socket_owner *out)
{
    uint8_t answer[4096];
    SCOPED_FD fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (fd < 0)
        return -errno;
    ssize_t n = send(fd, q, sizeof *q, 0) < 0 ? -1 : recv(fd, answer, sizeof answer, MSG_DONTWAIT);
    return n < 0 ? -errno : parse_reply(answer, (size_t)n, out);
}

/* A kernel without sock_diag for TCP (CONFIG_INET_DIAG) has the tables. */
static int read_tables(const struct socket_end *local, const struct socket_end *remote,
                       struct socket_owner *out)
{
    static const char *const tables[] = {"/proc/self/net/tcp", "/proc/self/net/tcp6"};
    int r = -EPROTO;
    for (int i = 0; i < 2; i++) {
        SCOPED_BUF text = BUF_INIT;
        bool read = file_read(tables[i], MAX_TABLE, &text, NULL) == 0;
        bool found = read && socket_owner_find(buf_str(&text), local, remote, out);
        if (found)
            return 0;
        r = read ? -ENOENT : r;
    }
    return r;
}

/* The kernel says -ENOENT where it has no such socket, and where it has no such question. */
static int find_owner(const struct socket_end *local, const struct socket_end *remote,
                      uint32_t interface, struct socket_owner *out)
{
    const struct question q = make_request(local, remote, interface);
    int r = query_kernel(&q, out);
    return r < 0 ? read_tables(local, remote, out) : r;
}

/* --- a user's groups --- */

static void keep_groups(const char *table, const char *user, struct net_peer *out)
{
    size_t count = pid_status_member(table, user, NULL, 0);
    if (!count || count > MAX_GROUPS || !(out->groups = malloc(count * sizeof *out->groups)))
        return;
    out->count = pid_status_member(table, user, out->groups, count);
}

static void find_groups(struct net_peer *out)
{
    SCOPED_BUF users = BUF_INIT, groups = BUF_INIT;
    char name[256];
    file_read("/etc/passwd", MAX_USERS, &users, NULL);
    file_read("/etc/group", MAX_USERS, &groups, NULL);
    if (!pid_status_gid(buf_str(&users), out->uid, &out->gid))
        out->gid = NOGROUP;
    if (pid_status_user(buf_str(&users), out->uid, name, sizeof name))
        keep_groups(buf_str(&groups), name, out);
}

/* --- all of it --- */

static void find_by_tcp(int connection, struct net_peer *out)
{
    struct socket_end here, there;
    struct socket_owner owner;
    uint32_t interface;
    if (!ends_of(connection, &here, &there, &interface))
        return;
    int r = find_owner(&there, &here, interface, &owner);
    if (r == 0 && socket_owner_is_known(&owner)) {
        *out = (struct net_peer){.kind = NET_PEER_USER, .uid = owner.uid};
        find_groups(out);
    } else if (r < 0 && !is_here(&here, &there)) {
        out->kind = NET_PEER_REMOTE;
    }
}

void net_peer_find(int connection, struct net_peer *out)
{
    union net_sockaddr own;
    socklen_t len = sizeof own;
    *out = (struct net_peer){.kind = NET_PEER_UNKNOWN};
    if (getsockname(connection, &own.any, &len) < 0)
        return;
    if (own.any.sa_family == AF_UNIX)
        find_local(connection, out);
    else
        find_by_tcp(connection, out);
}

void net_peer_release(struct net_peer *p)
{
    free(p->groups);
    *p = (struct net_peer){.kind = NET_PEER_UNKNOWN};
}
