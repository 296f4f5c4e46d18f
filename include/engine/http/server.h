/*
 * http_server: answers many clients at one address, on the caller's one wait (plat/wait.h).
 *
 *     http_server_open(&s, &address, &site, &f);
 *     for (;;) {
 *         n = http_server_watch(&s, on, clock_mono_ns()); then whatever else is waited for
 *         wait_ready(on, n, http_server_timeout_ms(&s, clock_mono_ns()));
 *         http_server_serve(&s, on, clock_mono_ns());
 *     }
 *
 * Nobody holds up the others or us: a client has HTTP_HEAD_MAX bytes of what it sends, one answer,
 * and of an event stream a place in what is kept for all (stream.h). A request must be whole
 * in time, an answer must move, a silent connection ends, and of too many the longest silent gives
 * way.
 */
#pragma once

#include "core/base/fail.h"
#include "core/net/address.h"
#include "core/net/http_answer.h"
#include "core/net/http_request.h"
#include "engine/http/stream.h"
#include "plat/net.h"
#include "plat/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

enum {
    HTTP_MAX_CLIENTS = 64,
    HTTP_MAX_STREAMS = 48, /* of these may be streams; further ones get 503 */
    HTTP_HANDLES = HTTP_MAX_CLIENTS + 1,
    HTTP_REQUEST_MS = 10000, /* from a request's first byte to its last */
    HTTP_IDLE_MS = 60000,    /* between requests */
    HTTP_STALL_MS = 30000,   /* an answer of which nothing is taken */
    HTTP_PING_MS = 15000,    /* a stream says something, so that a dead one is noticed */
    HTTP_LEAVE_MS = 2000,    /* what the client still says after the last answer is dropped */
    HTTP_LATER_MS = 900000,  /* for an answer that is to come later */
};

struct http_site {
    /* Fills *out, whose body may be in body (empty at first, the server's) or the site's own until
     * the next call. Its status is 404 when nothing is done. When it comes later, the same request
     * is asked at each http_server_serve, until it has an answer or the client is gone. */
    void (*answer)(void *state, const struct http_request *r, struct http_response *out,
                   struct buf *body);
    void *state;
    const struct http_stream
        *stream; /* what an answer that streams goes on with; NULL: none does */
};

struct http_server {
    struct net_listener listener; /* listener.at: where it is, with the port */
    const struct http_site *site;
    struct http_client *client[HTTP_MAX_CLIENTS]; /* NULL: free */
    uint64_t accept_after_ns;                     /* no handle was left for a new client */
    uint64_t answered, refused, lost;             /* requests; clients with 503; events */
    bool guarded; /* on the loopback: answers only a Host that is an address or localhost */
};

/* site must outlive it. The failure names the address. */
int http_server_open(struct http_server *s, const struct net_address *at,
                     const struct http_site *site, struct fail *f);
void http_server_close(struct http_server *s); /* harmless on one that did not open */

/* Fills on[0] to on[HTTP_HANDLES - 1]; returns HTTP_HANDLES. Call it before each wait. */
size_t http_server_watch(struct http_server *s, struct wait_on *on, uint64_t now_ns);
/* How long a wait may be at most; negative: for ever. */
int http_server_timeout_ms(const struct http_server *s, uint64_t now_ns);
/* Does what the wait has shown to be possible, and what is due. */
void http_server_serve(struct http_server *s, const struct wait_on *on, uint64_t now_ns);

/* How many clients there are, and how many of them have a stream. */
size_t http_server_clients(const struct http_server *s, size_t *streams);
