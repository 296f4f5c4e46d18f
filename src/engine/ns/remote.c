/* The connection to another machine: dialled, timed, hung up on, dialled again. */
#include "engine/ns/remote.h"

#include "core/base/time_ns.h"
#include "core/ninep/files.h"
#include "layout.h"
#include "plat/clock.h"
#include "plat/net.h"
#include "plat/sysfile.h"
#include "plat/tree.h"
#include "remote_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 256 * 1024,
    PIECES = 16,
    ENDING_MS = 20,
    PROGRESS_BYTES = 8192, /* of a reply that is under way: less in NS_REMOTE_TIMEOUT_S is none */
    MEMORY_SHARE = 256,    /* of this machine's memory: the largest message at most */
};

struct ns_remote {
    struct remote_link link;
    char *aname;                 /* NULL: the server's one tree */
    struct ninep_client *client; /* NULL: it is not called */
    struct ninep_files *files;   /* its names outlive a connection */
    struct buf in;
    unsigned reached; /* how often it was */
    bool attached, interrupted;
    bool ending;       /* its command broke off, and is about to tell why by its end */
    uint64_t since_ns; /* waited for: since when, or when it last said something; 0: it is not */
    size_t part_len;   /* bytes of a reply that has begun, when it was last timed */
    uint64_t retry_ns; /* when it is dialled again */
    unsigned backoff_s;
    char why[LAST_LINE_MAX + 1]; /* empty: nothing has failed since it was reached */
};

static void end_remote(void *remote)
{
    ns_remote_free(remote);
}

struct ns_remote *ns_remote_new(const char *command, const struct net_address *at)
{
    struct ns_remote *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->link.connection = r->link.dial.handle = r->link.child.errors = -1;
    r->backoff_s = 1;
    if (at)
        r->link.at = *at;
    r->files = ninep_files_new(NULL, -1);
    if (r->files && (!command || (r->link.command = strdup(command)))) {
        ninep_files_set_owner(r->files, &(struct ninep_owner){.arg = r, .end = end_remote});
        return r;
    }
    ninep_files_free(r->files);
    free(r);
    return NULL;
}

bool ns_remote_attach(struct ns_remote *r, const char *aname)
{
    free(r->aname);
    r->aname = strdup(aname);
    return r->aname != NULL;
}

static void drop_client(struct ns_remote *r)
{
    ninep_files_disconnect(r->files);
    ninep_client_free(r->client);
    r->client = NULL;
    r->attached = false;
    r->since_ns = 0;
    r->part_len = 0;
    buf_clear(&r->in);
}

void ns_remote_free(struct ns_remote *r)
{
    if (!r)
        return;
    drop_client(r);
    ninep_files_free(r->files);
    remote_link_release(&r->link);
    buf_release(&r->in);
    free(r->aname);
    free(r);
}

struct ns_server ns_remote_tree(struct ns_remote *r)
{
    return ninep_files_tree(r->files);
}

int ns_remote_bind(struct ns *ns, struct ns_remote *r, struct fail *f)
{
    return ns_bind_layout(ns, ninep_files_server(r->files), f);
}

static void set_why(struct ns_remote *r, const char *why)
{
    const char *said = last_line_text(&r->link.said);
    snprintf(r->why, sizeof r->why, "%.*s", LAST_LINE_MAX, said[0] ? said : why);
}

static bool is_broken_off(const struct fail *f)
{
    return f->err == EPIPE || f->err == ECONNRESET;
}

/* A command that hangs is killed, another may end by itself, and say why. */
static void hang_up(struct ns_remote *r, const struct fail *f)
{
    char words[sizeof f->what + sizeof f->hint + 4];
    if (f->err == EPROTO)
        snprintf(words, sizeof words, "no %s", f->what); /* "9P: a malformed reply" */
    else
        snprintf(words, sizeof words, "%s%s%s", ns_error(f), f->hint[0] ? "; " : "", f->hint);
    drop_client(r);
    remote_link_end(&r->link, f->err == ETIMEDOUT);
    remote_link_listen(&r->link);
    r->ending = r->link.child.pid && is_broken_off(f);
    set_why(r, words);
    r->retry_ns = clock_mono_ns() + r->backoff_s * NS_PER_S;
    r->backoff_s = r->backoff_s < NS_REMOTE_BACKOFF_S / 2 ? 2 * r->backoff_s : NS_REMOTE_BACKOFF_S;
}

/* On a small board less than a server would give. */
static uint32_t max_message(void)
{
    enum { LEAST = 64 * 1024 };
    size_t share = sysfile_memory_bytes() / MEMORY_SHARE;
    if (share >= NINEP_CLIENT_MSIZE)
        return NINEP_CLIENT_MSIZE;
    return (uint32_t)(share < LEAST ? LEAST : share) + NINEP_IO_HEAD;
}

static int new_client(struct ns_remote *r, struct fail *f)
{
    uint32_t uid, gid;
    const char *user = getenv("USER"); /* servers of other trees admit known users */
    r->client =
        ninep_client_new(max_message(), user && *user ? user : "none", r->aname ? r->aname : "");
    if (!r->client)
        return fail_set(f, ENOMEM, "9P");
    tree_own_ids(&uid, &gid);
    ninep_client_set_uid(r->client, uid);
    ninep_files_connect(r->files, r->client);
    return 0;
}

static void dial_machine(struct ns_remote *r, uint64_t now_ns)
{
    struct fail f;
    int e = remote_link_dial(&r->link, &f);
    if (e == 0)
        e = new_client(r, &f);
    if (e < 0)
        hang_up(r, &f);
    else
        r->since_ns = now_ns;
}

static void note_ending(struct ns_remote *r)
{
    char words[48] = "its command ended";
    if (r->link.status)
        snprintf(words, sizeof words, "its command ended with status %d", r->link.status);
    set_why(r, words);
    r->ending = false;
}

/* The command before it must be gone: it may take its time to end until it is dialled again. */
static void try_redial(struct ns_remote *r)
{
    uint64_t now_ns = clock_mono_ns();
    bool ended = remote_link_ended(&r->link);
    if (ended && r->ending)
        note_ending(r);
    if (now_ns < r->retry_ns)
        return;
    if (ended) {
        dial_machine(r, now_ns);
    } else {
        remote_link_end(&r->link, true);
        r->ending = false;
        r->retry_ns = now_ns + NS_PER_S;
    }
}

/* --- bytes --- */

static int write_out(struct ns_remote *r, struct fail *f)
{
    struct buf *out = ninep_client_out(r->client);
    size_t sent = 0;
    long n = 0;
    while (n >= 0 && sent < out->len) {
        n = net_write(r->link.connection, out->data + sent, out->len - sent);
        sent += n > 0 ? (size_t)n : 0;
    }
    buf_drop(out, sent);
    return n < 0 && n != -EAGAIN ? fail_set(f, (int)-n, "9P") : 0;
}

/* A long reply is timed by its parts, each as long as all of a short one. */
static void note_reply(struct ns_remote *r, size_t used)
{
    if (used)
        r->part_len = 0;
    if (used || r->in.len - used >= r->part_len + PROGRESS_BYTES) {
        r->since_ns = clock_mono_ns();
        r->part_len = r->in.len - used;
    }
}

static int handle_replies(struct ns_remote *r, struct fail *f)
{
    long used = ninep_client_receive(r->client, r->in.data, r->in.len, f);
    if (used < 0)
        return (int)used;
    note_reply(r, (size_t)used);
    buf_drop(&r->in, (size_t)used);
    return 0;
}

static int read_in(struct ns_remote *r, struct fail *f)
{
    for (int i = 0; i < PIECES; i++) {
        void *bytes = buf_reserve(&r->in, PIECE);
        long n = bytes ? net_read(r->link.connection, bytes, PIECE) : -ENOMEM;
        if (n == -EAGAIN)
            return 0;
        if (n <= 0)
            return fail_set(f, n < 0 ? (int)-n : EPIPE, "9P");
        buf_commit(&r->in, (size_t)n);
        int e = handle_replies(r, f);
        if (e < 0)
            return e;
    }
    return 0;
}

static void note_attached(struct ns_remote *r)
{
    if (r->attached || ninep_client_ready(r->client, NULL) <= 0)
        return;
    r->attached = true;
    r->reached++;
    r->backoff_s = 1;
    r->why[0] = '\0';
    r->link.said = (struct last_line){.len = 0}; /* a welcome is no reason */
}

/* A command may have to log in before its first 9P message. */
static uint64_t timeout_ns(const struct ns_remote *r)
{
    bool connected = r->attached || (r->link.up && !r->link.command);
    return (connected ? NS_REMOTE_TIMEOUT_S : NS_REMOTE_DIAL_S) * NS_PER_S;
}

/* Since when it is waited for. */
static void time_request(struct ns_remote *r, uint64_t now_ns)
{
    if (r->attached && !ninep_client_pending(r->client))
        r->since_ns = 0;
    else if (!r->since_ns)
        r->since_ns = now_ns;
}

static int check_timeout(struct ns_remote *r, struct fail *f)
{
    uint64_t now_ns = clock_mono_ns();
    time_request(r, now_ns);
    if (!r->since_ns || now_ns - r->since_ns < timeout_ns(r))
        return 0;
    return fail_set(f, ETIMEDOUT, "9P");
}

/* What was said before it broke is heard, whether it still listens or not. */
static int exchange_bytes(struct ns_remote *r, struct fail *f)
{
    struct fail unsent;
    int sent = write_out(r, &unsent), e = read_in(r, f);
    if (e == 0)
        note_attached(r);
    if (e == 0 && sent < 0)
        *f = unsent;
    return e < 0 ? e : sent < 0 ? sent : write_out(r, f);
}

static int not_up(int e, struct fail *f)
{
    const char *words = net_address_error(e);
    fail_set(f, words ? 0 : -e, "%s", words ? words : "9P");
    return e;
}

static int talk_to_machine(struct ns_remote *r, struct fail *f)
{
    bool was_up = r->link.up;
    int e = was_up ? 0 : remote_link_up(&r->link);
    if (!was_up && r->link.up)
        r->since_ns = clock_mono_ns();
    if (e < 0 && e != -EAGAIN)
        return not_up(e, f);
    if (e == 0)
        e = exchange_bytes(r, f);
    return e < 0 && e != -EAGAIN ? e : check_timeout(r, f);
}

void ns_remote_step(struct ns_remote *r)
{
    struct fail f;
    if (!r->client)
        try_redial(r);
    if (!r->client)
        return;
    remote_link_listen(&r->link);
    if (talk_to_machine(r, &f) < 0)
        hang_up(r, &f);
}

void ns_remote_send(struct ns_remote *r)
{
    struct fail f;
    if (!r->attached)
        return;
    if (write_out(r, &f) < 0)
        hang_up(r, &f);
    else
        time_request(r, clock_mono_ns());
}

/* --- waiting --- */

size_t ns_remote_handles(const struct ns_remote *r, struct wait_on *on, size_t max)
{
    size_t n = 0;
    if (max < NS_REMOTE_HANDLES)
        return 0;
    if (r->link.child.errors >= 0)
        on[n++] = (struct wait_on){.handle = r->link.child.errors};
    if (!r->client)
        return n;
    if (r->link.up)
        on[n++] = (struct wait_on){.handle = r->link.connection};
    if (!r->link.up)
        on[n++] = dial_wait(&r->link.dial);
    else if (ninep_client_out(r->client)->len)
        on[n++] = (struct wait_on){.handle = r->link.connection, .for_write = true};
    return n;
}

int ns_remote_wait_ms(const struct ns_remote *r)
{
    uint64_t now_ns = clock_mono_ns(), end_ns = r->retry_ns;
    if (r->client && !r->since_ns)
        return -1;
    if (r->client)
        end_ns = r->since_ns + timeout_ns(r);
    else if (r->ending)
        end_ns = now_ns + ENDING_MS * NS_PER_MS;
    return ms_until(now_ns, end_ns);
}

unsigned ns_remote_reached(const struct ns_remote *r)
{
    return r->reached;
}

bool ns_remote_is_away(const struct ns_remote *r)
{
    return r->why[0] && !r->ending;
}

const char *ns_remote_why(const struct ns_remote *r)
{
    return ns_remote_is_away(r) ? r->why : NULL;
}

/* --- calls that wait --- */

/* Until the machine has said something. */
static void wait_for_machine(struct ns_remote *r)
{
    struct wait_on on[NS_REMOTE_HANDLES + 1];
    size_t n = ns_remote_handles(r, on, NS_REMOTE_HANDLES);
    on[n] = (struct wait_on){.handle = interrupt_open()};
    wait_ready(on, n + 1, ns_remote_wait_ms(r));
    r->interrupted |= interrupt_read(NULL) != 0;
}

static long wait_for_answer(void *remote, long e, struct fail *f)
{
    struct ns_remote *r = remote;
    ns_remote_send(r);
    if (e == -EINPROGRESS) {
        wait_for_machine(r);
        ns_remote_step(r);
        if (r->interrupted)
            return fail_set(f, EINTR, "9P");
    }
    return e < 0 && ns_remote_is_away(r) ? fail_set(f, 0, "no connection: %s", ns_remote_why(r))
                                         : e;
}

int ns_remote_bind_waiting(struct ns *ns, struct ns_remote *r, struct fail *f)
{
    ninep_files_set_owner(r->files, &(struct ninep_owner){r, end_remote, wait_for_answer});
    return ns_remote_bind(ns, r, f);
}
