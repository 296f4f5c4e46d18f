#include "engine/ns/ninep_relay.h"

#include "plat/clock.h"
#include "plat/input.h"
#include "plat/net.h"

#include <errno.h>

enum { PIECE = 64 * 1024 };
enum { FROM_CLIENT, TO_CLIENT, FROM_SERVER, TO_SERVER }; /* in the wait's set */

int ninep_relay_open(struct ninep_relay *r, int client, const struct net_address *server,
                     struct ninep_proxy *proxy, struct fail *f)
{
    *r = (struct ninep_relay){.proxy = proxy, .client.handle = client, .server.handle = -1};
    int e = dial_start(&r->dial, server, f);
    r->server.handle = r->dial.handle;
    return e;
}

void ninep_relay_close(struct ninep_relay *r)
{
    net_close(r->client.handle);
    dial_end(&r->dial);
    buf_release(&r->client.out);
    buf_release(&r->server.out);
    ninep_proxy_free(r->proxy);
}

/* --- what is waited for --- */

static struct wait_on make_read_wait(const struct ninep_relay_end *from,
                                     const struct ninep_relay_end *to)
{
    bool wanted = !from->ended && to->out.len < PIECE;
    int handle = from->handle < 0 ? input_handle() : from->handle;
    return (struct wait_on){.handle = wanted ? handle : -1};
}

void ninep_relay_watch(const struct ninep_relay *r, struct wait_on on[NINEP_RELAY_HANDLES])
{
    on[FROM_CLIENT] = make_read_wait(&r->client, &r->server);
    on[TO_CLIENT] =
        (struct wait_on){.handle = r->client.out.len ? r->client.handle : -1, .for_write = true};
    on[FROM_SERVER] =
        r->connected ? make_read_wait(&r->server, &r->client) : (struct wait_on){.handle = -1};
    on[TO_SERVER] =
        (struct wait_on){.handle = r->server.out.len ? r->server.handle : -1, .for_write = true};
    if (!r->connected)
        on[TO_SERVER] = dial_wait(&r->dial);
}

/* --- bytes --- */

/* What came, appended: how many bytes, 0 at the end. */
static long read_end(struct ninep_relay_end *from, struct buf *to)
{
    size_t had = to->len;
    if (from->handle < 0)
        return input_read(to, NULL) < 0 ? -EIO : (long)(to->len - had);
    char *bytes = buf_reserve(to, PIECE);
    long n = bytes ? net_read(from->handle, bytes, PIECE) : -ENOMEM;
    if (n > 0)
        buf_commit(to, (size_t)n);
    return n;
}

static void inspect_bytes(struct ninep_relay *r, bool client, size_t len)
{
    const struct buf *b = client ? &r->server.out : &r->client.out;
    const char *bytes = b->data + b->len - len;
    if (client)
        ninep_proxy_requests(r->proxy, bytes, len, clock_mono_ns());
    else
        ninep_proxy_replies(r->proxy, bytes, len, clock_mono_ns());
}

static const char *name_end(bool client)
{
    return client ? "the client" : "the server";
}

static int fail_end(bool client, int err, struct fail *f)
{
    return fail_set(f, err, "%s", name_end(client));
}

/* Of what is no 9P nothing goes on. */
static int pull_bytes(struct ninep_relay *r, bool client, struct fail *f)
{
    struct ninep_relay_end *from = client ? &r->client : &r->server;
    long n = read_end(from, client ? &r->server.out : &r->client.out);
    if (n == -EAGAIN)
        return 0;
    if (n < 0)
        return fail_end(client, (int)-n, f);
    from->ended = n == 0;
    inspect_bytes(r, client, (size_t)n);
    if (!ninep_proxy_lost(r->proxy))
        return 0;
    fail_set(f, 0, "%s sent data that is not 9P", name_end(client));
    return -EPROTO;
}

static long write_end(struct ninep_relay_end *to)
{
    if (to->handle >= 0)
        return net_write(to->handle, to->out.data, to->out.len);
    int e = output_write(to->out.data, to->out.len, NULL);
    return e < 0 ? e : (long)to->out.len;
}

static int push_bytes(struct ninep_relay *r, bool client, struct fail *f)
{
    struct ninep_relay_end *to = client ? &r->client : &r->server;
    if (!to->out.len)
        return 0;
    long n = write_end(to);
    if (n > 0)
        buf_drop(&to->out, (size_t)n);
    return n >= 0 || n == -EAGAIN ? 0 : fail_end(client, (int)-n, f);
}

/* --- a turn --- */

static bool is_ready(const struct wait_on *on)
{
    return on->handle >= 0 && on->ready;
}

/* A client that goes away has done nothing wrong. */
static int with_client(struct ninep_relay *r, const struct wait_on *on, struct fail *f)
{
    int e = is_ready(&on[FROM_CLIENT]) ? pull_bytes(r, true, f) : 0;
    if (e == 0)
        e = push_bytes(r, true, f);
    return e == -ECONNRESET || e == -EPIPE ? 0 : e < 0 ? e : 1;
}

static int connect_server(struct ninep_relay *r, struct fail *f)
{
    int e = r->connected ? 0 : dial_step(&r->dial);
    r->server.handle = r->dial.handle;
    r->connected = e == 0;
    if (e == 0 || e == -EAGAIN)
        return 0;
    const char *words = net_address_error(e);
    return words ? fail_set(f, 0, "the server: %s", words) : fail_end(false, -e, f);
}

static int with_server(struct ninep_relay *r, const struct wait_on *on, struct fail *f)
{
    int e = connect_server(r, f);
    if (e == 0 && is_ready(&on[FROM_SERVER]))
        e = pull_bytes(r, false, f);
    return e == 0 && r->connected ? push_bytes(r, false, f) : e;
}

/* The server hears that its client has ended, and may still answer. */
static int pass_on_ends(struct ninep_relay *r)
{
    if (r->client.ended && r->connected && !r->server.out.len && !r->server.finished) {
        net_shutdown(r->server.handle);
        r->server.finished = true;
    }
    return !(r->server.ended && !r->client.out.len);
}

int ninep_relay_step(struct ninep_relay *r, const struct wait_on on[NINEP_RELAY_HANDLES],
                     struct fail *f)
{
    int e = with_client(r, on, f);
    if (e <= 0)
        return e;
    e = with_server(r, on, f);
    if (e == 0)
        e = push_bytes(r, true, f) < 0 ? 0 : pass_on_ends(r);
    return e;
}
