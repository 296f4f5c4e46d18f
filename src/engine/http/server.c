#include "engine/http/server.h"

#include "core/base/time_ns.h"

#include "client.h"

#include <errno.h>

enum { ACCEPT_PAUSE_MS = 1000, MAX_MS = 60000 };

int http_server_open(struct http_server *s, const struct net_address *at,
                     const struct http_site *site, struct fail *f)
{
    *s = (struct http_server){.site = site,
                              .guarded = at->kind == NET_TCP && net_address_is_local(at)};
    return net_listen(at, &s->listener, f);
}

static void drop_client(struct http_server *s, struct http_client **c)
{
    s->lost += (*c)->lost;
    http_client_free(*c);
    *c = NULL;
}

void http_server_close(struct http_server *s)
{
    for (size_t i = 0; i < HTTP_MAX_CLIENTS; i++) {
        if (s->client[i])
            drop_client(s, &s->client[i]);
    }
    if (s->site)
        net_unlisten(&s->listener);
}

size_t http_server_clients(const struct http_server *s, size_t *streams)
{
    size_t n = 0;
    *streams = 0;
    for (size_t i = 0; i < HTTP_MAX_CLIENTS; i++) {
        n += s->client[i] != NULL;
        *streams += s->client[i] && s->client[i]->phase == HTTP_STREAMS;
    }
    return n;
}

/* --- connections --- */

static struct http_client **longest_silent(struct http_server *s)
{
    struct http_client **found = NULL;
    for (size_t i = 0; i < HTTP_MAX_CLIENTS; i++) {
        struct http_client *c = s->client[i];
        if (http_client_is_silent(c) && (!found || c->since_ns < (*found)->since_ns))
            found = &s->client[i];
    }
    return found;
}

/* A free place; when there is none, that of a client that is only connected. */
static struct http_client **find_slot(struct http_server *s)
{
    for (size_t i = 0; i < HTTP_MAX_CLIENTS; i++)
        if (!s->client[i])
            return &s->client[i];
    struct http_client **silent = longest_silent(s);
    if (silent)
        drop_client(s, silent);
    return silent;
}

static void refuse_client(struct http_server *s, int handle)
{
    static const char full[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
                               "Connection: close\r\n\r\n";
    s->refused++;
    net_write(handle, full, sizeof full - 1);
    net_close(handle);
}

static void accept_clients(struct http_server *s, uint64_t now_ns)
{
    int handle = 0;
    for (int n = 0; n < HTTP_MAX_CLIENTS; n++) {
        handle = net_accept(&s->listener);
        if (handle < 0)
            break;
        struct http_client **c = find_slot(s);
        if (c)
            *c = http_client_new(handle, now_ns);
        else
            refuse_client(s, handle);
    }
    if (handle < 0 && handle != -EAGAIN)
        s->accept_after_ns = now_ns + (uint64_t)ACCEPT_PAUSE_MS * NS_PER_MS;
}

/* --- the wait --- */

size_t http_server_watch(struct http_server *s, struct wait_on *on, uint64_t now_ns)
{
    on[0] = (struct wait_on){.handle = now_ns < s->accept_after_ns ? -1 : s->listener.handle};
    for (size_t i = 0; i < HTTP_MAX_CLIENTS; i++)
        on[1 + i] = s->client[i] ? http_client_wait(s->client[i], s->site->stream, now_ns)
                                 : (struct wait_on){.handle = -1};
    return HTTP_HANDLES;
}

int http_server_timeout_ms(const struct http_server *s, uint64_t now_ns)
{
    uint64_t due = now_ns < s->accept_after_ns ? s->accept_after_ns : UINT64_MAX;
    for (size_t i = 0; i < HTTP_MAX_CLIENTS; i++)
        if (s->client[i] && http_client_due_ns(s->client[i]) < due)
            due = http_client_due_ns(s->client[i]);
    if (due == UINT64_MAX)
        return -1;
    int ms = ms_until(now_ns, due);
    return ms < MAX_MS ? ms : MAX_MS;
}

static void serve_client(struct http_server *s, struct http_client **c, bool ready, uint64_t now_ns)
{
    if (ready || (*c)->phase == HTTP_WAITS)
        http_client_serve(*c, s, now_ns);
    if (now_ns >= http_client_due_ns(*c))
        http_client_expire(*c, now_ns);
    if ((*c)->phase == HTTP_GONE)
        drop_client(s, c);
}

void http_server_serve(struct http_server *s, const struct wait_on *on, uint64_t now_ns)
{
    for (size_t i = 0; i < HTTP_MAX_CLIENTS; i++)
        if (s->client[i])
            serve_client(s, &s->client[i], on[1 + i].ready, now_ns);
    if (on[0].ready)
        accept_clients(s, now_ns);
}
