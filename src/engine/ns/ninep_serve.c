#include "engine/ns/ninep_serve.h"

#include "plat/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ninep_served {
    struct ninep_server *server;
    int handle; /* negative: standard input and output */
    struct buf in, out;
    size_t on, waits; /* where in the wait's set it begins, and how many of its handles follow */
    bool over;
};

/* A kernel that caches names of a host's tree holds a fid for each. */
static struct ninep_served *client_new(const struct ninep_tree *tree, int handle)
{
    const struct ninep_limits limits = {.fids = tree->host ? NINEP_HOST_FIDS : NINEP_FIDS};
    struct ninep_served *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->handle = handle;
    c->server = ninep_server_new(tree, &limits);
    if (c->server)
        return c;
    free(c);
    return NULL;
}

static void client_free(struct ninep_served *c)
{
    if (!c)
        return;
    ninep_server_free(c->server);
    net_close(c->handle);
    buf_release(&c->in);
    buf_release(&c->out);
    free(c);
}

int ninep_serve_open(struct ninep_serve *s, const struct ninep_tree *tree,
                     const struct net_address *at, struct fail *f)
{
    *s = (struct ninep_serve){.tree = *tree, .standard = !at, .listener.handle = -1};
    if (at)
        return net_listen(at, &s->listener, f);
    s->client[0] = client_new(tree, -1);
    s->served = 1;
    return s->client[0] ? 0 : fail_set(f, ENOMEM, "standard input");
}

void ninep_serve_close(struct ninep_serve *s)
{
    for (size_t i = 0; i < NINEP_CLIENTS; i++)
        client_free(s->client[i]);
    net_unlisten(&s->listener);
}

/* --- what is waited for --- */

static struct ninep_served **free_place(struct ninep_serve *s)
{
    for (size_t i = 0; i < NINEP_CLIENTS; i++)
        if (!s->client[i])
            return &s->client[i];
    return NULL;
}

/* A message is taken up to its whole length, and none when answers have heaped up. */
static bool wants_more(const struct ninep_served *c)
{
    return c->in.len < ninep_server_msize(c->server) &&
           c->out.len < (size_t)NINEP_OUT * ninep_server_msize(c->server);
}

static size_t watch_client(struct ninep_served *c, struct wait_on *on)
{
    int handle[NINEP_CLIENT_WAITS];
    int in = c->handle < 0 ? input_handle() : c->handle;
    on[0] = (struct wait_on){.handle = wants_more(c) ? in : -1};
    on[1] = (struct wait_on){.handle = c->out.len ? c->handle : -1, .writes = true};
    c->waits = ninep_server_handles(c->server, handle, NINEP_CLIENT_WAITS);
    for (size_t i = 0; i < c->waits; i++)
        on[2 + i] = (struct wait_on){.handle = handle[i]};
    return 2 + c->waits;
}

/* Fills on, of NINEP_HANDLES: how many. */
static size_t watch_all(struct ninep_serve *s, struct wait_on *on)
{
    bool listens = !s->standard && !s->deaf && free_place(s);
    size_t n = 1;
    on[0] = (struct wait_on){.handle = listens ? s->listener.handle : -1};
    for (size_t i = 0; i < NINEP_CLIENTS; i++) {
        struct ninep_served *c = s->client[i];
        if (!c)
            continue;
        c->on = n;
        n += watch_client(c, on + n);
    }
    return n;
}

/* -1: for ever. */
static int timeout_ms(const struct ninep_serve *s)
{
    for (size_t i = 0; i < NINEP_CLIENTS; i++)
        if (s->client[i] && ninep_server_waiting(s->client[i]->server))
            return NINEP_RETRY_MS;
    return s->deaf ? NINEP_DEAF_MS : -1;
}

/* --- a client's turn --- */

/* What came, appended: 1, 0 at the end. */
static int take_in(struct ninep_served *c, struct fail *f)
{
    if (c->handle < 0)
        return input_read(&c->in, f);
    uint32_t room = ninep_server_msize(c->server);
    char *to = buf_room(&c->in, room);
    if (!to)
        return fail_set(f, ENOMEM, "9P");
    long n = net_read(c->handle, to, room);
    if (n > 0)
        buf_grew(&c->in, (size_t)n);
    if (n == -EAGAIN)
        return 1;
    return n < 0 ? fail_set(f, (int)-n, "9P") : n > 0;
}

static int put_out(struct ninep_served *c, struct fail *f)
{
    if (!c->out.len)
        return 0;
    long n;
    if (c->handle < 0) {
        int r = output_write(c->out.data, c->out.len, f);
        n = r < 0 ? r : (long)c->out.len;
    } else {
        n = net_write(c->handle, c->out.data, c->out.len);
    }
    if (n > 0)
        buf_drop(&c->out, (size_t)n);
    return n == -EAGAIN || n >= 0 ? 0 : fail_set(f, (int)-n, "9P");
}

/* Answers as much as can be. */
static int answer(struct ninep_served *c, struct fail *f)
{
    int r = ninep_server_retry(c->server, &c->out, f);
    long used = 1;
    while (r == 0 && used > 0 && c->in.len) {
        used = ninep_server_take(c->server, c->in.data, c->in.len, &c->out, f);
        if (used >= 0)
            buf_drop(&c->in, (size_t)used);
        r = put_out(c, used < 0 ? NULL : f);
        if (used < 0)
            return (int)used;
    }
    return r < 0 ? r : put_out(c, f);
}

static int client_turn(struct ninep_served *c, const struct wait_on *on, struct fail *f)
{
    int r = on[c->on].ready && on[c->on].handle >= 0 ? take_in(c, f) : 1;
    c->over = r == 0;
    return r < 0 ? r : answer(c, f);
}

static void let_in(struct ninep_serve *s)
{
    struct ninep_served **place;
    while ((place = free_place(s)) != NULL) {
        int handle = net_accept(&s->listener);
        s->deaf = handle < 0 && handle != -EAGAIN;
        if (handle < 0)
            return;
        *place = client_new(&s->tree, handle);
        if (!*place)
            net_close(handle);
        s->served += *place != NULL;
    }
}

/* Does what the wait has shown to be possible. 1; 0: the client on standard input has ended;
 * negative: what it sent is no 9P, or its answers cannot be written. */
static int take_turn(struct ninep_serve *s, const struct wait_on *on, struct fail *f)
{
    int r = 0;
    for (size_t i = 0; i < NINEP_CLIENTS; i++) {
        struct ninep_served *c = s->client[i];
        if (!c)
            continue;
        r = client_turn(c, on, f);
        s->broken += r == -EPROTO;
        if (s->standard)
            return r < 0 ? r : !c->over;
        if (r < 0 || c->over) {
            client_free(c);
            s->client[i] = NULL;
        }
    }
    s->deaf = false;
    if (on[0].ready && on[0].handle >= 0)
        let_in(s);
    return 1;
}

static int sooner(int a, int b)
{
    return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

int ninep_serve_run(struct ninep_serve *s, const struct ns *ns, struct fail *f)
{
    struct wait_on on[NINEP_HANDLES + 1];
    int interrupts = interrupt_open(), r = 1, signal = 0;
    while (r > 0 && !signal) {
        size_t n = watch_all(s, on);
        on[n] = (struct wait_on){.handle = interrupts};
        wait_ready(on, n + 1, sooner(timeout_ms(s), ns_tend(ns)));
        r = take_turn(s, on, f);
        signal = on[n].ready ? interrupt_take(NULL) : 0;
    }
    return signal ? signal : r;
}
