/*
 * http_stream: a stream of events (core/net/http_response) that keeps the newest: a new client gets
 * these first, a returning client gets what it missed, and a slow client loses the oldest.
 */
#pragma once

#include "core/net/broadcast.h"
#include "core/net/http_request.h"

#include <stddef.h>
#include <stdint.h>

struct buf;

struct http_stream {
    struct feed feed; /* of events as they are sent */
    uint64_t run;     /* distinguishes our events from those of an earlier process */
};

/* The newest `max_events' events, of at most bytes together. 0 or -ENOMEM; release either way. */
int http_stream_init(struct http_stream *s, size_t max_events, size_t bytes);
void http_stream_release(struct http_stream *s);

/* One more event for everybody. 0 or -ENOMEM. */
int http_stream_add(struct http_stream *s, const char *data, size_t len);

/* Where a client starts that had the event last_event, or none. */
uint64_t http_stream_from(const struct http_stream *s, struct http_text last_event);

/* Appends events from *at on, until out has about enough bytes; before them, where some are gone,
 * the event `lost' with {"lost":N}. Adds N to *lost. */
void http_stream_read(const struct http_stream *s, uint64_t *at, uint64_t *lost, size_t enough,
                      struct buf *out);
