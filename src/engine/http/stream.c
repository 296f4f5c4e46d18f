#include "engine/http/stream.h"

#include "core/base/buf.h"
#include "core/base/hex.h"
#include "core/net/http_answer.h"
#include "plat/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int http_stream_init(struct http_stream *s, size_t max_events, size_t bytes)
{
    s->run = clock_real_ns();
    return feed_init(&s->feed, max_events, bytes);
}

void http_stream_release(struct http_stream *s)
{
    feed_release(&s->feed);
}

int http_stream_add(struct http_stream *s, const char *data, size_t len)
{
    SCOPED_BUF event = BUF_INIT;
    char id[40];
    snprintf(id, sizeof id, "%" PRIx64 "-%" PRIx64, s->run, s->feed.next);
    http_event_write(NULL, id, data, len, &event);
    int r = buf_error(&event);
    if (r == 0)
        r = feed_add(&s->feed, event.data, event.len);
    return r;
}

uint64_t http_stream_from(const struct http_stream *s, struct http_text last_event)
{
    char id[40];
    const char *rest = id;
    uint64_t run, at;
    if (!last_event.at || last_event.len >= sizeof id)
        return s->feed.first;
    memcpy(id, last_event.at, last_event.len);
    id[last_event.len] = '\0';
    if (!hex_read(&rest, &run) || *rest++ != '-' || !hex_read(&rest, &at) || *rest)
        return s->feed.first;
    return run == s->run && at < s->feed.next ? at + 1 : s->feed.first;
}

void http_stream_read(const struct http_stream *s, uint64_t *at, uint64_t *lost, size_t enough,
                      struct buf *out)
{
    size_t len;
    const char *event;
    while (out->len < enough) {
        uint64_t gone = 0;
        event = feed_at(&s->feed, at, &len, &gone);
        if (!event)
            break;
        if (gone)
            buf_printf(out, "event: lost\ndata: {\"lost\":%" PRIu64 "}\n\n", gone);
        buf_add(out, event, len);
        *lost += gone;
        (*at)++;
    }
}
