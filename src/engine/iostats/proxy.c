#include "engine/iostats/proxy.h"

#include "core/text/counted.h"
#include "engine/hostfs/journal.h"
#include "engine/ns/ninep_relay.h"

#include "plat/net.h"
#include "plat/wait.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    HANDLES = 3 + IOSTATS_PROXY_MAX * NINEP_RELAY_HANDLES,
    ACCEPT_PAUSE_MS = 1000, /* when no handle was left for a new client */
};
enum { INTERRUPTS, ASKS, LISTENER, RELAYS }; /* in the wait's set */

/* A client, from its call to its end. */
struct connection {
    struct ninep_relay relay;
    struct iostats_proxy *proxy;
    int number;
    size_t wait_start; /* where in the wait's set it begins; 0: it is not in there yet */
};

struct iostats_proxy {
    const struct iostats_want *want;
    struct net_address server;
    struct net_listener listener; /* not listening: standard input and output */
    bool standard, accept_paused;
    struct connection *connection[IOSTATS_PROXY_MAX]; /* NULL: free */
    size_t turn;                                      /* whose it is, of passing */
    int calls;                                        /* so far */
    uint64_t unread;                                  /* messages of connections that have ended */
    struct io_counts *counts;
    struct journal journal;
    struct wait_on on[HANDLES];
};

/* --- a connection --- */

static void log_operation(void *arg, const struct io_done *done, const char *path,
                          const char *error)
{
    const struct connection *c = arg;
    journal_add_words(&c->proxy->journal, c->number, done, path, error);
}

static struct ninep_proxy *make_watcher(struct iostats_proxy *p, struct connection *c)
{
    struct ninep_proxy *watch = ninep_proxy_new(p->counts);
    if (watch && journal_wanted(&p->journal))
        ninep_proxy_on_done(watch, log_operation, c);
    return watch;
}

static void drop_connection(struct iostats_proxy *p, struct connection **slot)
{
    SCOPED_FREE struct connection *c = *slot;
    if (!c)
        return;
    p->unread += ninep_proxy_unread(c->relay.proxy);
    ninep_relay_close(&c->relay);
    *slot = NULL;
}

static int number_failure(const struct connection *c, int err, struct fail *f)
{
    struct fail why = *f;
    fail_set(f, why.err, "connection %d: %.200s", c->number, why.what);
    if (why.hint[0])
        fail_hint(f, "%s", why.hint);
    return err;
}

/* 0, or why it could not be. The client's handle is taken over. */
static int open_connection(struct iostats_proxy *p, struct connection **slot, int client,
                           struct fail *f)
{
    struct connection *c = calloc(1, sizeof *c);
    struct ninep_proxy *watch = c ? make_watcher(p, c) : NULL;
    if (!watch) {
        free(c);
        net_close(client);
        return fail_set(f, ENOMEM, "a connection");
    }
    *slot = c;
    c->proxy = p;
    c->number = ++p->calls;
    int r = ninep_relay_open(&c->relay, client, &p->server, watch, f);
    if (r < 0) {
        number_failure(c, r, f);
        drop_connection(p, slot);
    }
    return r;
}

/* --- all of them --- */

static struct connection **find_free_slot(struct iostats_proxy *p)
{
    for (size_t i = 0; i < IOSTATS_PROXY_MAX; i++)
        if (!p->connection[i])
            return &p->connection[i];
    return NULL;
}

/* Their turns, until one is lost. */
static int serve_turns(struct iostats_proxy *p, struct fail *f)
{
    while (p->turn < IOSTATS_PROXY_MAX) {
        struct connection **slot = &p->connection[p->turn++], *c = *slot;
        int r = c && c->wait_start ? ninep_relay_step(&c->relay, p->on + c->wait_start, f) : 1;
        if (r < 0)
            number_failure(c, r, f);
        if (r <= 0)
            drop_connection(p, slot);
        if (r < 0)
            return r;
    }
    return 0;
}

static int let_in(struct iostats_proxy *p, struct fail *f)
{
    struct connection **slot;
    int r = 0;
    while (r == 0 && !p->standard && (slot = find_free_slot(p)) != NULL) {
        int client = net_accept(&p->listener);
        p->accept_paused = client < 0 && client != -EAGAIN;
        if (client < 0)
            break;
        r = open_connection(p, slot, client, f);
    }
    return r;
}

static void wait_for_events(struct iostats_proxy *p)
{
    bool listens = !p->standard && !p->accept_paused && find_free_slot(p);
    size_t n = RELAYS;
    p->on[INTERRUPTS] = (struct wait_on){.handle = interrupt_open()};
    p->on[ASKS] = (struct wait_on){.handle = status_signal_open()};
    p->on[LISTENER] = (struct wait_on){.handle = listens ? p->listener.handle : -1};
    for (size_t i = 0; i < IOSTATS_PROXY_MAX; i++) {
        if (!p->connection[i])
            continue;
        p->connection[i]->wait_start = n;
        ninep_relay_watch(&p->connection[i]->relay, p->on + n);
        n += NINEP_RELAY_HANDLES;
    }
    wait_ready(p->on, n, p->accept_paused ? ACCEPT_PAUSE_MS : -1);
    p->turn = 0;
}

enum iostats_proxy_event iostats_proxy_next(struct iostats_proxy *p, struct fail *f)
{
    for (;;) {
        if (serve_turns(p, f) < 0 || let_in(p, f) < 0)
            return IOSTATS_PROXY_LOST;
        if (interrupt_read(NULL) || (p->standard && !p->connection[0]))
            return IOSTATS_PROXY_END;
        if (status_signal_read())
            return IOSTATS_PROXY_ASKED;
        wait_for_events(p);
    }
}

/* --- running --- */

static int open_all(struct iostats_proxy *p, const struct net_address *listen, struct fail *f)
{
    p->counts = io_counts_new();
    if (!p->counts)
        return fail_set(f, ENOMEM, "the counts");
    int r = journal_open(&p->journal, p->want->log, p->want->trace, p->want->force, f);
    if (r < 0)
        return r;
    journal_start(&p->journal, "9P proxy");
    interrupt_open();
    status_signal_open();
    r = listen ? net_listen(listen, &p->listener, f)
               : open_connection(p, &p->connection[0], NINEP_RELAY_STANDARD, f);
    if (r < 0)
        journal_close(&p->journal);
    return r;
}

int iostats_proxy_open(struct iostats_proxy **out, const struct net_address *listen,
                       const struct net_address *server, const struct iostats_want *want,
                       struct fail *f)
{
    struct iostats_proxy *p = calloc(1, sizeof *p);
    if (!p)
        return fail_set(f, ENOMEM, "the proxy");
    *p = (struct iostats_proxy){
        .want = want, .server = *server, .standard = !listen, .listener.handle = -1};
    int r = open_all(p, listen, f);
    if (r < 0) {
        io_counts_free(p->counts);
        free(p);
        return r;
    }
    *out = p;
    return 0;
}

static void close_connections(struct iostats_proxy *p)
{
    for (size_t i = 0; i < IOSTATS_PROXY_MAX; i++)
        drop_connection(p, &p->connection[i]);
    net_unlisten(&p->listener);
}

void iostats_proxy_free(struct iostats_proxy *p)
{
    if (!p)
        return;
    close_connections(p);
    journal_close(&p->journal);
    io_counts_free(p->counts);
    free(p);
}

const struct net_address *iostats_proxy_at(const struct iostats_proxy *p)
{
    return p->standard ? NULL : &p->listener.address;
}

static uint64_t all_unread(const struct iostats_proxy *p)
{
    uint64_t n = p->unread;
    for (size_t i = 0; i < IOSTATS_PROXY_MAX; i++)
        n += p->connection[i] ? ninep_proxy_unread(p->connection[i]->relay.proxy) : 0;
    return n;
}

static void add_report(const struct iostats_proxy *p, const char *cut, struct buf *out)
{
    struct io_report_options want = p->want->report;
    char unread[96];
    uint64_t n = all_unread(p);
    snprintf(unread, sizeof unread, "%s that could not be read", counted(n, "message").text);
    want.backend = "proxy";
    want.unit = "messages";
    want.uncounted = n ? unread : NULL;
    want.truncated = cut;
    (p->want->json ? io_report_json : io_report_text)(p->counts, &want, out);
}

void iostats_proxy_report(const struct iostats_proxy *p, struct buf *out)
{
    add_report(p, NULL, out);
}

bool iostats_proxy_end(struct iostats_proxy *p, struct buf *out)
{
    close_connections(p);
    const char *cut = journal_end(&p->journal);
    add_report(p, cut, out);
    return !cut;
}
