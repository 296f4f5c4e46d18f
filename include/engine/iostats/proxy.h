/*
 * iostats_proxy: a proxy between 9P clients and any 9P server, which counts operations as iostats
 * counts those of a command. It forwards all bytes unchanged.
 *
 *     iostats_proxy_open(&p, &listen, &server, &want, &f);
 *     while ((e = iostats_proxy_next(p, &f)) != IOSTATS_PROXY_END)
 *         IOSTATS_PROXY_ASKED: iostats_proxy_report(p, &out); print it
 *         IOSTATS_PROXY_LOST:  say f: a connection has ended so, the others go on
 *     iostats_proxy_end(p, &out);                        the whole report
 *     iostats_proxy_free(p);
 *
 * Each connection of a client is one to the server, which is called when the client has called. Of
 * either direction at most some 64 KB are held.
 */
#pragma once

#include "core/net/address.h"
#include "engine/iostats/iostats.h"

enum { IOSTATS_PROXY_MAX = 128 }; /* connections; further clients wait */

enum iostats_proxy_event {
    IOSTATS_PROXY_END,   /* an interrupt, or standard input and all that followed it has ended */
    IOSTATS_PROXY_ASKED, /* SIGUSR1 */
    IOSTATS_PROXY_LOST,  /* a connection failed */
};

struct iostats_proxy; /* opaque */

/* listen NULL: one client, on standard input and output. The server's address is copied; want must
 * last, and has no command. *out is the caller's; on failure there is nothing. */
int iostats_proxy_open(struct iostats_proxy **out, const struct net_address *listen,
                       const struct net_address *server, const struct iostats_want *want,
                       struct fail *f);
void iostats_proxy_free(struct iostats_proxy *p); /* NULL: nothing */

/* Where it listens, with the port; NULL: on standard input. */
const struct net_address *iostats_proxy_at(const struct iostats_proxy *p);

/* Waits, and hands on what comes, until there is something to be done or said. f: of
 * IOSTATS_PROXY_LOST, with the number of the connection. */
enum iostats_proxy_event iostats_proxy_next(struct iostats_proxy *p, struct fail *f);

/* Appends the report so far: rows of files have what was closed. */
void iostats_proxy_report(const struct iostats_proxy *p, struct buf *out);
/* The same when all connections have been closed, and the journal is written; whether it is whole.
 */
bool iostats_proxy_end(struct iostats_proxy *p, struct buf *out);
