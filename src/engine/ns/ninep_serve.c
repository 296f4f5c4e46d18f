#include "engine/ns/ninep_serve.h"

#include "core/base/time_ns.h"
#include "ninep_trust.h"
#include "plat/clock.h"
#include "plat/input.h"
#include "plat/rights.h"
#include "plat/sysfile.h"

#include <errno.h>
#include <stdlib.h>

struct ninep_served {
    struct ninep_server *server;
    int handle; /* negative: standard input and output */
    struct buf in, out;
    size_t sent; /* bytes of out */
    size_t wait_start,
        waits; /* where in the wait's set it begins, and how many of its handles follow */
    bool ended;
    uint64_t since_ns, heard_ns; /* when it called, when it last said something */
    struct ninep_trusted trust;
};

enum {
    LARGE_MEMORY = 512 << 20, /* bytes that this machine has, for messages of 1 MB */
    PIECE = 128 * 1024,       /* read at once */
    KEPT_BYTES = 16 * 1024,   /* a buffer of a silent client that is not freed */
};

/* A kernel that caches names of a host's tree holds a fid for each. */
static struct ninep_served *client_new(const struct ninep_tree *tree, uint32_t msize, int handle)
{
    const struct ninep_limits limits = {.msize = msize,
                                        .fids = tree->host ? NINEP_HOST_FIDS : NINEP_FIDS};
    struct ninep_served *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->handle = handle;
    c->since_ns = c->heard_ns = clock_mono_ns();
    c->server = ninep_server_new(tree, &limits);
    if (c->server)
        return c;
    free(c);
    return NULL;
}

static void client_free(struct ninep_serve *s, struct ninep_served *c)
{
    if (!c)
        return;
    s->refused += ninep_server_refused(c->server);
    ninep_server_free(c->server);
    ninep_trust_release(&c->trust);
    net_close(c->handle);
    buf_release(&c->in);
    buf_release(&c->out);
    free(c);
}

/* One that has not agreed on a version yet may still take large messages. */
static bool may_be_large(const struct ninep_served *c)
{
    return c &&
           (!ninep_server_is_negotiated(c->server) || ninep_server_msize(c->server) > NINEP_MSIZE);
}

static uint32_t offered_msize(const struct ninep_serve *s)
{
    size_t large = 0;
    for (size_t i = 0; i < NINEP_CLIENTS; i++)
        large += may_be_large(s->client[i]);
    return s->large && large < NINEP_LARGE_CLIENTS ? NINEP_MSIZE_LARGE : NINEP_MSIZE;
}

int ninep_serve_open(struct ninep_serve *s, const struct ninep_tree *tree,
                     const struct net_address *at, struct fail *f)
{
    *s = (struct ninep_serve){.tree = *tree, .standard = !at, .listener.handle = -1};
    s->large = sysfile_memory_bytes() >= LARGE_MEMORY;
    interrupt_open(); /* once there is a socket, only ninep_serve_close removes it */
    if (at)
        return net_listen(at, &s->listener, f);
    s->client[0] = client_new(tree, offered_msize(s), -1);
    s->served = 1;
    return s->client[0] ? 0 : fail_set(f, ENOMEM, "standard input");
}

void ninep_serve_close(struct ninep_serve *s)
{
    for (size_t i = 0; i < NINEP_CLIENTS; i++)
        client_free(s, s->client[i]);
    net_unlisten(&s->listener);
}

/* --- what is waited for --- */

static struct ninep_served **find_free_slot(struct ninep_serve *s)
{
    for (size_t i = 0; i < NINEP_CLIENTS; i++)
        if (!s->client[i])
            return &s->client[i];
    return NULL;
}

/* --- which client is closed --- */

static bool is_silent_for(const struct ninep_served *c, unsigned ms)
{
    return clock_mono_ns() - c->heard_ns >= (uint64_t)ms * NS_PER_MS;
}

static bool holds_nothing(const struct ninep_served *c)
{
    return ninep_server_fids(c->server) == 0 && is_silent_for(c, NINEP_GRACE_MS);
}

static bool is_idle(const struct ninep_served *c)
{
    return c->trust.peer.trust != NINEP_TRUSTED && is_silent_for(c, NINEP_IDLE_MS);
}

/* The longest silent of those that are so; NULL: none is. */
static struct ninep_served **longest_silent(struct ninep_serve *s,
                                            bool (*is)(const struct ninep_served *c))
{
    struct ninep_served **found = NULL;
    for (size_t i = 0; i < NINEP_CLIENTS; i++)
        if (s->client[i] && is(s->client[i]) &&
            (!found || s->client[i]->heard_ns < (*found)->heard_ns))
            found = &s->client[i];
    return found;
}

static struct ninep_served **find_evictable(struct ninep_serve *s)
{
    struct ninep_served **c = longest_silent(s, holds_nothing);
    return c ? c : longest_silent(s, is_idle);
}

static void evict_client(struct ninep_serve *s, struct ninep_served **c)
{
    client_free(s, *c);
    *c = NULL;
    s->evicted++;
}

static bool is_late(const struct ninep_served *c, uint64_t now_ns)
{
    return !ninep_server_is_negotiated(c->server) &&
           now_ns - c->since_ns >= NINEP_GREET_MS * NS_PER_MS;
}

static void evict_late(struct ninep_serve *s)
{
    uint64_t now_ns = clock_mono_ns();
    for (size_t i = 0; i < NINEP_CLIENTS && !s->standard; i++)
        if (s->client[i] && is_late(s->client[i], now_ns))
            evict_client(s, &s->client[i]);
}

/* How long until the next one is late; -1: none will be. */
static int greet_ms(const struct ninep_serve *s)
{
    uint64_t now_ns = clock_mono_ns();
    int soonest = -1;
    for (size_t i = 0; i < NINEP_CLIENTS && !s->standard; i++) {
        const struct ninep_served *c = s->client[i];
        if (!c || ninep_server_is_negotiated(c->server))
            continue;
        uint64_t past_ms = (now_ns - c->since_ns) / NS_PER_MS;
        int left = past_ms < NINEP_GREET_MS ? (int)(NINEP_GREET_MS - past_ms) : 0;
        soonest = wait_min_ms(soonest, left);
    }
    return soonest;
}

/* The limit of a user that is not trusted. */
static void evict_of_same(struct ninep_serve *s, const struct ninep_served *newest)
{
    struct ninep_served **silent = NULL;
    size_t n = 0;
    for (size_t i = 0; i < NINEP_CLIENTS; i++) {
        struct ninep_served *c = s->client[i];
        if (!c || c == newest || c->trust.peer.trust != NINEP_USER ||
            c->trust.peer.uid != newest->trust.peer.uid)
            continue;
        n++;
        if (!silent || c->heard_ns < (*silent)->heard_ns)
            silent = &s->client[i];
    }
    if (n >= NINEP_USER_CLIENTS)
        evict_client(s, silent);
}

/* Reads up to one complete message, and none while too many answers are queued. */
static bool wants_more(const struct ninep_served *c)
{
    return c->in.len < ninep_server_msize(c->server) &&
           c->out.len - c->sent < ninep_server_out_max(c->server);
}

static size_t watch_client(struct ninep_served *c, struct wait_on *on)
{
    int handle[NINEP_CLIENT_WAITS];
    int in = c->handle < 0 ? input_handle() : c->handle;
    on[0] = (struct wait_on){.handle = wants_more(c) ? in : -1};
    on[1] = (struct wait_on){.handle = c->out.len ? c->handle : -1, .for_write = true};
    c->waits = ninep_server_handles(c->server, handle, NINEP_CLIENT_WAITS);
    for (size_t i = 0; i < c->waits; i++)
        on[2 + i] = (struct wait_on){.handle = handle[i]};
    return 2 + c->waits;
}

/* Fills on, of NINEP_HANDLES: how many. */
static size_t watch_all(struct ninep_serve *s, struct wait_on *on)
{
    bool listens = !s->standard && !s->accept_paused && (find_free_slot(s) || find_evictable(s));
    size_t n = 1;
    on[0] = (struct wait_on){.handle = listens ? s->listener.handle : -1};
    for (size_t i = 0; i < NINEP_CLIENTS; i++) {
        struct ninep_served *c = s->client[i];
        if (!c)
            continue;
        c->wait_start = n;
        n += watch_client(c, on + n);
    }
    return n;
}

/* --- buffers --- */

static bool has_large_buffers(const struct ninep_served *c)
{
    return c->in.cap > KEPT_BYTES || c->out.cap > KEPT_BYTES;
}

static void free_buffers(struct ninep_served *c)
{
    if (!c->in.len)
        buf_release(&c->in);
    if (!c->out.len)
        buf_release(&c->out);
}

/* How long until the buffers of a silent client are freed; -1: there are none to be. */
static int shrink_buffers(struct ninep_serve *s)
{
    int soonest = -1;
    for (size_t i = 0; i < NINEP_CLIENTS; i++) {
        struct ninep_served *c = s->client[i];
        if (!c || !has_large_buffers(c) || c->in.len || c->out.len)
            continue;
        if (is_silent_for(c, NINEP_SHRINK_MS))
            free_buffers(c);
        else
            soonest = NINEP_SHRINK_MS;
    }
    return soonest;
}

/* -1: for ever. */
static int timeout_ms(struct ninep_serve *s)
{
    if (!s->standard && !find_free_slot(s))
        return NINEP_GRACE_MS; /* until a client may be closed */
    for (size_t i = 0; i < NINEP_CLIENTS; i++)
        if (s->client[i] && ninep_server_waiting(s->client[i]->server))
            return NINEP_RETRY_MS;
    return wait_min_ms(wait_min_ms(s->accept_paused ? NINEP_ACCEPT_PAUSE_MS : -1, greet_ms(s)),
                       shrink_buffers(s));
}

/* --- a client's turn --- */

/* What came, appended: 1, 0 at the end. */
static int read_in(struct ninep_served *c, struct fail *f)
{
    if (c->handle < 0) {
        c->heard_ns = clock_mono_ns();
        return input_read(&c->in, f);
    }
    size_t left = ninep_server_msize(c->server) - c->in.len, max = left < PIECE ? left : PIECE;
    char *to = buf_reserve(&c->in, max);
    if (!to)
        return fail_set(f, ENOMEM, "9P");
    long n = net_read(c->handle, to, max);
    if (n > 0) {
        buf_commit(&c->in, (size_t)n);
        c->heard_ns = clock_mono_ns();
    }
    if (n == -EAGAIN)
        return 1;
    return n < 0 ? fail_set(f, (int)-n, "9P") : n > 0;
}

/* What was sent is taken away at the end, or when it is as long as the rest: each byte is moved at
 * most once. */
static void note_sent(struct ninep_served *c, size_t n)
{
    c->sent += n;
    if (c->sent < c->out.len - c->sent)
        return;
    buf_drop(&c->out, c->sent);
    c->sent = 0;
}

static int write_out(struct ninep_served *c, struct fail *f)
{
    if (!c->out.len)
        return 0;
    long n;
    const char *rest = c->out.data + c->sent;
    size_t len = c->out.len - c->sent;
    if (c->handle < 0) {
        int r = output_write(rest, len, f);
        n = r < 0 ? r : (long)len;
    } else {
        n = net_write(c->handle, rest, len);
    }
    if (n > 0)
        note_sent(c, (size_t)n);
    return n == -EAGAIN || n >= 0 ? 0 : fail_set(f, (int)-n, "9P");
}

/* Answers as much as can be. */
static int answer_requests(struct ninep_served *c, struct fail *f)
{
    int r = ninep_server_retry(c->server, &c->out, f);
    long used = 1;
    while (r == 0 && used > 0 && c->in.len) {
        used = ninep_server_serve(c->server, c->in.data, c->in.len, &c->out, f);
        if (used >= 0)
            buf_drop(&c->in, (size_t)used);
        r = write_out(c, used < 0 ? NULL : f);
        if (used < 0)
            return (int)used;
    }
    return r < 0 ? r : write_out(c, f);
}

static int client_turn(struct ninep_served *c, const struct wait_on *on, struct fail *f)
{
    int r = on[c->wait_start].ready && on[c->wait_start].handle >= 0 ? read_in(c, f) : 1;
    c->ended = r == 0;
    r = r < 0 ? r : answer_requests(c, f);
    rights_restore();
    return r;
}

/* Who it is must be asked before it can close its end. */
static struct ninep_served *make_client(struct ninep_serve *s, int handle)
{
    struct ninep_served *c = client_new(&s->tree, offered_msize(s), handle);
    if (!c) {
        net_close(handle);
        return NULL;
    }
    if (!s->trust_clients) {
        ninep_trust_check(&c->trust, handle);
        ninep_server_peer(c->server, &c->trust.peer);
    }
    return c;
}

static void let_in(struct ninep_serve *s)
{
    struct ninep_served **slot;
    while ((slot = find_free_slot(s)) != NULL || (slot = find_evictable(s)) != NULL) {
        int handle = net_accept(&s->listener);
        s->accept_paused = handle < 0 && handle != -EAGAIN;
        if (handle < 0)
            return;
        if (*slot)
            evict_client(s, slot);
        *slot = make_client(s, handle);
        s->served += *slot != NULL;
        if (*slot && (*slot)->trust.peer.trust == NINEP_USER)
            evict_of_same(s, *slot);
    }
}

/* Does what the wait has shown to be possible. 1; 0: the client on standard input has ended;
 * negative: what it sent is no 9P, or its answers cannot be written. */
static int serve_turn(struct ninep_serve *s, const struct wait_on *on, struct fail *f)
{
    int r = 0;
    for (size_t i = 0; i < NINEP_CLIENTS; i++) {
        struct ninep_served *c = s->client[i];
        if (!c)
            continue;
        r = client_turn(c, on, f);
        s->broken += r == -EPROTO;
        if (s->standard)
            return r < 0 ? r : !c->ended;
        if (r < 0 || c->ended) {
            client_free(s, c);
            s->client[i] = NULL;
        }
    }
    s->accept_paused = false;
    evict_late(s);
    if (on[0].ready && on[0].handle >= 0)
        let_in(s);
    return 1;
}

int ninep_serve_run(struct ninep_serve *s, const struct ns *ns, struct fail *f)
{
    struct wait_on on[NINEP_HANDLES + 1];
    int interrupts = interrupt_open(), r = 1, signal = 0;
    while (r > 0 && !signal) {
        size_t n = watch_all(s, on);
        on[n] = (struct wait_on){.handle = interrupts};
        wait_ready(on, n + 1, wait_min_ms(timeout_ms(s), ns_run_timers(ns)));
        r = serve_turn(s, on, f);
        signal = on[n].ready ? interrupt_read(NULL) : 0;
    }
    return signal ? signal : r;
}
