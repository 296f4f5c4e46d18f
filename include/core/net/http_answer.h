/*
 * http_response: writes the head of an HTTP response, and the frames of an event stream (HTML,
 * "server-sent events").
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

struct http_response {
    int status;       /* 200, 404 ... */
    const char *type; /* of the body; NULL: text/plain */
    const char *body; /* NULL: the status in words */
    size_t len;       /* of the body */
    bool streams;     /* the body comes in pieces until the connection ends; body is not used */
    bool page;        /* a page of ours: its own style and script, and nothing from elsewhere */
    bool later;       /* there is no answer yet: the request is asked again */
};

/* The head, at a time (seconds since 1970), then the body unless head_only. keeps: the connection
 * goes on after it. A stream ends its connection. */
void http_response_write(const struct http_response *a, bool head_only, bool keep_alive,
                         int64_t time, struct buf *out);

/* One event: name may be NULL ("message"), id too; lines of data are data lines. */
void http_event_write(const char *name, const char *id, const char *data, size_t len,
                      struct buf *out);
