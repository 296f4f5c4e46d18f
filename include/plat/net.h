/*
 * net: stream sockets: a listener and its connections, at a core/net/address.
 *
 *     net_listen(&address, &listener, &f);
 *     wait_ready: listener.handle is ready when a client connects; c = net_accept(&listener)
 *     wait_ready: c is ready when bytes are there; with `writes', when it takes some
 *     net_close(c); net_unlisten(&listener);
 *
 * Connections are handles for plat/wait.h, and nothing here waits. None is handed on to a command
 * that is started.
 */
#pragma once

#include "core/base/fail.h"
#include "core/net/address.h"
#include "plat/wait.h"

#include <stddef.h>
#include <stdint.h>

struct net_listener {
    int handle; /* negative: not listening */
    struct net_address
        address;           /* what was asked for, with the address and the port that it became */
    uint64_t device, file; /* of a unix socket, its file: only that one is removed */
};

/*
 * A unix socket is for its owner alone (0600). One without a listener is replaced when
 * it is ours; any other file at its path is -EADDRINUSE and is kept. On failure *out is not
 * listening. The first address of a name is taken.
 */
int net_listen(const struct net_address *at, struct net_listener *out, struct fail *f);
/* Its unix socket is removed, too. Harmless on one that is not listening. */
void net_unlisten(struct net_listener *l);

/* A connection, kept alive over TCP: one whose other machine is gone breaks in about two minutes.
 * -EAGAIN: no client waits (any longer); -EMFILE and the like: there is no room for it
 * now, and the caller still waits. */
int net_accept(const struct net_listener *l);

/*
 * Who is at the other end of a connection that was accepted, by this machine's kernel. To be asked
 * at once: of a socket that its process has closed nothing is known.
 */
enum net_peer_kind {
    NET_PEER_UNKNOWN, /* of this machine, but whose is not known (any more) */
    NET_PEER_USER,    /* a process of this machine, of the user uid */
    NET_PEER_REMOTE,  /* another machine, or another network namespace */
};
struct net_peer {
    enum net_peer_kind kind;
    uint32_t uid, gid; /* of a user; over TCP the group is that of /etc/passwd */
    uint32_t *groups;  /* supplementary; over TCP those of /etc/group */
    size_t count;
};
void net_peer_find(int connection, struct net_peer *out);
void net_peer_release(struct net_peer *p); /* harmless on one that is all zero */

/* A connection that comes about: to be waited for until it takes bytes, when net_connected can
 * tell. A unix socket's is there at once. -ENOENT: the host is neither an address nor in the hosts
 * file (engine/ns/dial asks name servers). */
int net_connect(const struct net_address *at, struct fail *f);
/* 0, -EAGAIN while it is under way, or why it did not come about. */
int net_connected(int connection);

/* How many bytes came; 0: the other side has no more; -EAGAIN: none now; else it has broken. */
long net_read(int connection, void *bytes, size_t len);
/* How many bytes were taken, perhaps fewer; -EAGAIN: none now; else the other end is closed. */
long net_write(int connection, const void *bytes, size_t len);
/* Nothing more will be written; what is on its way still arrives, if the other side's bytes are
 * read to their end before the close. */
void net_shutdown(int connection);
void net_close(int connection); /* harmless on a negative one */
