#include "client.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_BYTES = 32768, RETRY_MS = 1000 };

struct http_client *http_client_new(int handle, uint64_t now_ns)
{
    struct http_client *c = malloc(sizeof *c);
    if (!c) {
        net_close(handle);
        return NULL;
    }
    c->handle = handle;
    c->phase = HTTP_ASKS;
    c->since_ns = now_ns;
    buf_init(&c->out);
    c->sent = c->got = 0;
    c->stream_pos = c->lost = 0;
    return c;
}

void http_client_free(struct http_client *c)
{
    if (!c)
        return;
    net_close(c->handle);
    buf_release(&c->out);
    free(c);
}

static bool is_sent(const struct http_client *c)
{
    return c->sent == c->out.len;
}

bool http_client_is_silent(const struct http_client *c)
{
    return c->phase == HTTP_ASKS && c->got == 0;
}

/* --- answers --- */

static void write_answer(struct http_client *c, const struct http_response *a, bool head,
                         bool keeps, uint64_t now_ns)
{
    http_response_write(a, head, keeps, (int64_t)(clock_real_ns() / NS_PER_S), &c->out);
    c->phase = a->streams && !head ? HTTP_STREAMS : keeps ? HTTP_ANSWERED : HTTP_LAST;
    c->since_ns = now_ns;
    if (buf_error(&c->out))
        c->phase = HTTP_GONE;
}

/* A foreign page whose host name was pointed at this address (DNS rebinding). */
static const struct http_response misdirected = {
    .status = 421,
    .body = "Use the server's address or localhost as the host name.\n",
    .len = 56,
};

static bool is_full(const struct http_server *s)
{
    size_t streams;
    http_server_clients(s, &streams);
    return !s->site->stream || streams >= HTTP_MAX_STREAMS;
}

static void start_stream(struct http_client *c, const struct http_stream *stream,
                         struct http_text last_event)
{
    c->stream_pos = http_stream_from(stream, last_event);
    buf_printf(&c->out, "retry: %d\n\n", RETRY_MS);
}

/* False: the answer comes later. */
static bool answer_request(struct http_client *c, const struct http_request *r,
                           struct http_server *s, uint64_t now_ns)
{
    struct http_response a = {.status = 404};
    SCOPED_BUF body = BUF_INIT;
    if (s->guarded && !http_host_is_own(r->host))
        a = misdirected;
    else
        s->site->answer(s->site->state, r, &a, &body);
    if (a.streams && is_full(s)) {
        a = (struct http_response){.status = 503};
        s->refused++;
    }
    if (buf_error(&body))
        a = (struct http_response){.status = 500};
    if (a.later)
        c->phase = HTTP_WAITS;
    else
        write_answer(c, &a, r->head, r->keep_alive && !a.streams, now_ns);
    s->answered += !a.later;
    if (c->phase == HTTP_STREAMS)
        start_stream(c, s->site->stream, r->last_event);
    return !a.later;
}

/* Answers the first request received, once it is complete. */
static void handle_request(struct http_client *c, struct http_server *s, uint64_t now_ns)
{
    struct http_request r;
    int n = http_request_read(c->in, c->got, &r);
    if (n == 0)
        return;
    if (n < 0) {
        s->answered++;
        write_answer(c, &(struct http_response){.status = -n}, false, false, now_ns);
        return;
    }
    r.connection = c->handle;
    if (!answer_request(c, &r, s, now_ns))
        return;
    c->got -= (size_t)n;
    memmove(c->in, c->in + n, c->got);
}

/* --- bytes --- */

static void read_request(struct http_client *c, uint64_t now_ns)
{
    long n = net_read(c->handle, c->in + c->got, sizeof c->in - c->got);
    if (n == -EAGAIN)
        return;
    if (n <= 0) {
        c->phase = HTTP_GONE;
        return;
    }
    if (c->got == 0)
        c->since_ns = now_ns;
    c->got += (size_t)n;
}

/* Behind a request that waits for its answer there may be the next. */
static void read_next(struct http_client *c)
{
    long n = net_read(c->handle, c->in + c->got, sizeof c->in - c->got);
    if (c->got == sizeof c->in || n == -EAGAIN)
        return;
    if (n <= 0)
        c->phase = HTTP_GONE;
    else
        c->got += (size_t)n;
}

/* Of a stream, and behind the last answer, nothing that the client says has a meaning. */
static void read_rest(struct http_client *c)
{
    long n = net_read(c->handle, c->in, sizeof c->in);
    if (n <= 0 && n != -EAGAIN)
        c->phase = HTTP_GONE;
}

static void write_out(struct http_client *c, uint64_t now_ns)
{
    while (!is_sent(c)) {
        long n = net_write(c->handle, c->out.data + c->sent, c->out.len - c->sent);
        if (n == -EAGAIN)
            return;
        if (n <= 0) {
            c->phase = HTTP_GONE;
            return;
        }
        c->sent += (size_t)n;
        c->since_ns = now_ns;
    }
    buf_clear(&c->out);
    c->sent = 0;
}

/* What follows when an answer is completely sent. */
static void end_answer(struct http_client *c, uint64_t now_ns)
{
    if (!is_sent(c))
        return;
    if (c->phase == HTTP_ANSWERED) {
        buf_release(&c->out);
        c->phase = HTTP_ASKS;
        c->since_ns = now_ns;
    } else if (c->phase == HTTP_LAST) {
        net_shutdown(c->handle);
        c->phase = HTTP_LEAVES;
        c->since_ns = now_ns;
    }
}

void http_client_serve(struct http_client *c, struct http_server *s, uint64_t now_ns)
{
    if (c->phase == HTTP_ASKS)
        read_request(c, now_ns);
    else if (c->phase == HTTP_WAITS)
        read_next(c);
    else if (is_sent(c))
        read_rest(c);
    if (c->phase == HTTP_ASKS || c->phase == HTTP_WAITS)
        handle_request(c, s, now_ns);
    if (c->phase != HTTP_GONE)
        write_out(c, now_ns);
    end_answer(c, now_ns);
    if (c->phase == HTTP_ASKS && c->got) /* a second request came with the first */
        handle_request(c, s, now_ns);
}

/* --- waiting --- */

struct wait_on http_client_wait(struct http_client *c, const struct http_stream *stream,
                                uint64_t now_ns)
{
    if (c->phase == HTTP_STREAMS && is_sent(c)) {
        http_stream_read(stream, &c->stream_pos, &c->lost, STREAM_BYTES, &c->out);
        if (!is_sent(c))
            c->since_ns = now_ns;
    }
    return (struct wait_on){.handle = c->handle, .for_write = !is_sent(c)};
}

static unsigned timeout_ms(const struct http_client *c)
{
    if (c->phase == HTTP_ASKS)
        return c->got ? HTTP_REQUEST_MS : HTTP_IDLE_MS;
    if (c->phase == HTTP_WAITS)
        return HTTP_LATER_MS;
    if (c->phase == HTTP_LEAVES)
        return HTTP_LEAVE_MS;
    return c->phase == HTTP_STREAMS && is_sent(c) ? HTTP_PING_MS : HTTP_STALL_MS;
}

uint64_t http_client_due_ns(const struct http_client *c)
{
    return c->since_ns + (uint64_t)timeout_ms(c) * NS_PER_MS;
}

void http_client_expire(struct http_client *c, uint64_t now_ns)
{
    if (c->phase == HTTP_STREAMS && is_sent(c)) {
        buf_adds(&c->out, ":\n\n"); /* a comment */
        c->since_ns = now_ns;
    } else if (c->phase == HTTP_ASKS && c->got) {
        write_answer(c, &(struct http_response){.status = 408}, false, false, now_ns);
    } else {
        c->phase = HTTP_GONE;
    }
}
