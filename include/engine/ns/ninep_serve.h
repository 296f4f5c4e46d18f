/*
 * ninep_serve: a tree of files served over 9P to many clients, on the caller's one wait: those that
 * call at an address, or one on standard input and output.
 *
 *     ninep_serve_open(&s, &tree, &address, &f);       address NULL: standard input and output
 *     for (;;) {
 *         n = ninep_serve_watch(&s, on, room);         then whatever else is waited for
 *         wait_ready(on, n, ninep_serve_patience_ms(&s));
 *         r = ninep_serve_turn(&s, on, n, &f);         1: go on; 0: standard input has ended
 *     }
 *
 * Nobody holds up the others: a client has one message of what it sends and NINEP_OUT of answers;
 * when it takes none of these, no more is taken from it.
 */
#ifndef PSUITE_ENGINE_NS_NINEP_SERVE_H
#define PSUITE_ENGINE_NS_NINEP_SERVE_H

#include "core/net/address.h"
#include "core/ninep/server.h"
#include "plat/net.h"
#include "plat/wait.h"

enum {
    NINEP_HOST_FIDS = 1 << 17, /* a client, of a host's tree */
    NINEP_CLIENTS = 32,        /* those that call when there are so many are let in later */
    NINEP_CLIENT_WAITS = 8,    /* handles of kept requests that are watched, a client */
    NINEP_HANDLES = 1 + NINEP_CLIENTS * (2 + NINEP_CLIENT_WAITS),
    NINEP_RETRY_MS = 100, /* for kept requests that have no handle */
    NINEP_DEAF_MS = 1000, /* when no handle was left for one who called */
};

struct ninep_served; /* a client */

struct ninep_serve {
    struct ninep_tree tree;
    bool standard, deaf;
    struct net_listener listener;               /* listener.at: where it is, with the port */
    struct ninep_served *client[NINEP_CLIENTS]; /* NULL: free */
    uint64_t served, broken;                    /* clients; of them, by what they sent */
};

/* The tree is copied. The failure names the address. */
int ninep_serve_open(struct ninep_serve *s, const struct ninep_tree *tree,
                     const struct net_address *at, struct fail *f);
void ninep_serve_close(struct ninep_serve *s);

/* Fills on, of NINEP_HANDLES: how many. */
size_t ninep_serve_watch(struct ninep_serve *s, struct wait_on *on);
int ninep_serve_patience_ms(const struct ninep_serve *s); /* -1: for ever */
/* Does what the wait has shown to be possible. 1; 0: the client on standard input has ended;
 * negative: what it sent is no 9P, or its answers cannot be written. */
int ninep_serve_turn(struct ninep_serve *s, const struct wait_on *on, struct fail *f);

/* All of the above until an interrupt, whose number it returns, or standard input's end: 0; else
 * negative. ns: tended meanwhile. */
int ninep_serve_run(struct ninep_serve *s, const struct ns *ns, struct fail *f);

size_t ninep_serve_clients(const struct ninep_serve *s);

#endif
