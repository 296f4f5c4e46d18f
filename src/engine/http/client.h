/* http_client: one connection of an http_server, from its first byte to its close. */
#pragma once

#include "core/base/buf.h"
#include "engine/http/server.h"

enum http_phase {
    HTTP_ASKS,     /* we read a request, or wait for one */
    HTTP_WAITS,    /* its request has no answer yet */
    HTTP_ANSWERED, /* an answer is being sent; then the next request */
    HTTP_STREAMS,  /* events, until it is gone */
    HTTP_LAST,     /* the last answer is being sent */
    HTTP_LEAVES,   /* it has had the last answer */
    HTTP_GONE,     /* to be freed */
};

struct http_client {
    int handle;
    enum http_phase phase;
    uint64_t since_ns; /* the last progress: of a request its first byte */
    struct buf out;
    size_t sent;         /* of out */
    uint64_t stream_pos; /* its place in the stream */
    uint64_t lost;
    size_t got;                 /* of in */
    char in[HTTP_HEAD_MAX + 2]; /* an empty line may precede the request */
};

/* Owns the handle, which is closed when there is no memory: then NULL. */
struct http_client *http_client_new(int handle, uint64_t now_ns);
void http_client_free(struct http_client *c);

/* What it is waited for; of a stream with nothing to send the next events are taken first. */
struct wait_on http_client_wait(struct http_client *c, const struct http_stream *stream,
                                uint64_t now_ns);
/* Reads or writes what can be; answers what is asked. */
void http_client_serve(struct http_client *c, struct http_server *s, uint64_t now_ns);
/* What is due at http_client_due. */
void http_client_expire(struct http_client *c, uint64_t now_ns);
uint64_t http_client_due_ns(const struct http_client *c);

/* Whether it only keeps its connection open. */
bool http_client_is_silent(const struct http_client *c);
