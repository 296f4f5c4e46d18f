/*
 * ninep_serve: serves a tree of files over 9P, on the caller's one wait, to the clients that
 * connect to an address, or to one on standard input and output.
 *
 *     ninep_serve_open(&s, &tree, &address, &f);       address NULL: standard input and output
 *     ninep_serve_run(&s, ns, &f);                     until an interrupt or the end of the input
 *     ninep_serve_close(&s);
 *
 * Nobody holds up the others: a client has one message of what it sends, and of answers
 * ninep_server_out_max and a message; when it takes none of these, no more is taken from it. The
 * first NINEP_LARGE_CLIENTS are offered messages of 1 MB, others, and all on a machine with less
 * than 512 MB, of 128 KB. The buffers of all clients have at most 50 MB, on such a machine 24 MB.
 * They grow with what is sent, and are freed when a client has been silent for NINEP_SHRINK_MS. A
 * connection that agrees on no version in time ends; when there are too many, the longest silent of
 * those that hold no file gives way, then of users and machines that are not trusted one that has
 * long been silent.
 *
 * Who a client is says the kernel, not the client (enum ninep_trust): this process's own user and
 * root are trusted, another user of this machine is answered with the rights of that user, another
 * machine with those of the user that it names, but never root's.
 */
#pragma once

#include "core/net/address.h"
#include "core/ninep/server.h"
#include "plat/net.h"
#include "plat/wait.h"

enum {
    NINEP_HOST_FIDS = 1 << 17, /* a client, of a host's tree */
    NINEP_CLIENTS = 32,        /* those that call when there are so many are let in later */
    NINEP_LARGE_CLIENTS = 8,   /* that agreed on messages of more than 128 KB, at once */
    NINEP_SHRINK_MS = 1000,    /* from a client's last message until its buffers are freed */
    NINEP_USER_CLIENTS = 8,    /* of a user who is not trusted; more replace the longest silent */
    NINEP_GREET_MS = 10000,    /* from the call to a version */
    NINEP_GRACE_MS = 100,      /* none gives way before it could be heard */
    NINEP_IDLE_MS = 60000,     /* one that holds files is silent: it may have to give way */
    NINEP_CLIENT_WAITS = 8,    /* handles of kept requests that are watched, a client */
    NINEP_HANDLES = 1 + NINEP_CLIENTS * (2 + NINEP_CLIENT_WAITS),
    NINEP_RETRY_MS = 100,         /* for kept requests that have no handle */
    NINEP_ACCEPT_PAUSE_MS = 1000, /* when no handle was left for one who called */
};

struct ninep_served; /* a client */

struct ninep_serve {
    struct ninep_tree tree;
    bool standard, accept_paused;
    bool large;                                 /* messages of 1 MB may be offered */
    bool trust_clients;                         /* trust all clients; set before ninep_serve_run */
    struct net_listener listener;               /* listener.at: where it is, with the port */
    struct ninep_served *client[NINEP_CLIENTS]; /* NULL: free */
    uint64_t served, broken;                    /* clients; of them, by what they sent */
    uint64_t evicted;                           /* clients that were too late, or gave way */
    uint64_t refused;                           /* attaches, of clients that are gone */
};

/* The tree is copied. The failure names the address. */
int ninep_serve_open(struct ninep_serve *s, const struct ninep_tree *tree,
                     const struct net_address *at, struct fail *f);
void ninep_serve_close(struct ninep_serve *s);

/* Serves until an interrupt, whose number it returns, or the end of standard input: 0; negative
 * when what the client on standard input sent is no 9P, or its answers cannot be written. ns is
 * tended meanwhile. */
int ninep_serve_run(struct ninep_serve *s, const struct ns *ns, struct fail *f);
