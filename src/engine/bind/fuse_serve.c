#include "fuse_serve.h"

#include "plat/mount.h"
#include "plat/rights.h"
#include "plat/tree.h"
#include "plat/wait.h"

#include <errno.h>
#include <stdlib.h>

enum { MAX_BATCH = 64 }; /* requests, before those that wait are looked at again */

struct serving {
    const struct fuse_served *with;
    struct fuse_server *server;
    uint8_t *request;
    struct buf out;
    bool let_go; /* the leash has ended */
};

int fuse_serve_asks(uint32_t uid, uint32_t gid, uint32_t pid)
{
    uint32_t own, group;
    tree_own_ids(&own, &group);
    if (uid == own || uid == 0) {
        rights_restore();
        return 0;
    }
    return rights_can_change() ? rights_assume_process(uid, gid, pid) : 1;
}

/* A reply that the kernel no longer waits for is dropped. */
static void send_replies(struct serving *s)
{
    size_t n;
    for (size_t at = 0; (n = fuse_reply_length(&s->out, at)) != 0; at += n)
        mount_write(s->with->connection, s->out.data + at, n, NULL, 0);
    buf_clear(&s->out);
}

/* 1; 0: it is no longer in use. */
static int handle_requests(struct serving *s, struct fail *f)
{
    for (int i = 0; i < MAX_BATCH; i++) {
        int64_t n = mount_read(s->with->connection, s->request, FUSE_SERVER_REQUEST);
        if (n == 0)
            break;
        if (n < 0)
            return n == -ENODEV ? 0 : fail_set(f, (int)-n, "/dev/fuse");
        int r = fuse_server_serve(s->server, s->request, (size_t)n, &s->out, f);
        rights_restore();
        if (r < 0)
            return r;
        send_replies(s);
    }
    return 1;
}

/* Another machine has its own handles, which come first. */
static size_t watch_handles(struct serving *s, struct wait_on *on)
{
    int handle[FUSE_SERVE_WAITS];
    size_t n = s->with->remote ? ns_remote_handles(s->with->remote, on, NS_REMOTE_HANDLES) : 0;
    size_t kept = s->with->remote ? 0 : fuse_server_handles(s->server, handle, FUSE_SERVE_WAITS);
    for (size_t i = 0; i < kept; i++)
        on[n++] = (struct wait_on){.handle = handle[i]};
    return n;
}

static int timeout_ms(const struct serving *s)
{
    int retry = fuse_server_waiting(s->server) ? FUSE_SERVE_RETRY_MS : -1;
    if (s->with->remote)
        retry = wait_min_ms(retry, ns_remote_wait_ms(s->with->remote));
    return wait_min_ms(retry, ns_run_timers(s->with->ns));
}

static void step_remote(struct serving *s)
{
    if (!s->with->remote)
        return;
    ns_remote_step(s->with->remote);
    if (ns_remote_is_away(s->with->remote))
        fuse_server_refuse(s->server, -EHOSTDOWN, &s->out);
}

static int serve_turn(struct serving *s, int interrupts, struct fail *f)
{
    struct wait_on on[3 + FUSE_SERVE_WAITS + NS_REMOTE_HANDLES] = {
        {.handle = s->with->connection}, {.handle = interrupts}, {.handle = s->with->leash}};
    size_t n = watch_handles(s, on + 3);
    wait_ready(on, 3 + n, timeout_ms(s));
    s->let_go = on[2].ready && on[2].handle >= 0;
    step_remote(s);
    int r = fuse_server_retry(s->server, &s->out, f);
    rights_restore();
    send_replies(s);
    r = r < 0 ? r : on[0].ready ? handle_requests(s, f) : 1;
    if (s->with->remote)
        ns_remote_send(s->with->remote);
    return r;
}

static int serve_until_end(struct serving *s, struct fail *f)
{
    int interrupts = interrupt_open(), r = 1, signal = 0;
    while (r > 0 && !signal && !s->let_go) {
        r = serve_turn(s, interrupts, f);
        signal = interrupt_read(NULL);
    }
    return r <= 0 ? r : s->let_go ? 1 : signal;
}

int fuse_serve(const struct fuse_served *w, struct fail *f)
{
    struct serving s = {
        .with = w, .server = fuse_server_new(&w->tree), .request = malloc(FUSE_SERVER_REQUEST)};
    if (s.server)
        fuse_server_set_caller_fn(s.server, w->asks);
    int r = s.server && s.request ? serve_until_end(&s, f) : fail_set(f, ENOMEM, "FUSE");
    fuse_server_free(s.server);
    free(s.request);
    buf_release(&s.out);
    return r;
}
