#include "engine/ns/blocking.h"

#include "layout.h"

#include <errno.h>
#include <stdlib.h>

struct blocking {
    struct ns_remote *remote;
    struct ns_server inner;
    bool interrupted;
};

/* Until the machine has said something. */
static void wait_for_it(struct blocking *p)
{
    struct wait_on on[NS_REMOTE_HANDLES + 1];
    size_t n = ns_remote_handles(p->remote, on, NS_REMOTE_HANDLES);
    on[n] = (struct wait_on){.handle = interrupt_open()};
    wait_ready(on, n + 1, ns_remote_wait_ms(p->remote));
    p->interrupted |= interrupt_read(NULL) != 0;
}

/* What a call that gave r gives: -EINPROGRESS, it is to be made again. */
static long retry_call(struct blocking *p, long r, struct fail *f)
{
    if (r == -EINPROGRESS) {
        ns_remote_send(p->remote);
        wait_for_it(p);
        ns_remote_step(p->remote);
        if (p->interrupted)
            return fail_set(f, EINTR, "9P");
    }
    bool lost = (r == -EINPROGRESS || r == -ENOTCONN) && ns_remote_is_away(p->remote);
    return lost ? fail_set(f, 0, "no connection: %s", ns_remote_why(p->remote)) : r;
}

/* The call, until it is done or has failed. */
#define BLOCKING(p, call, f)                                                                       \
    ({                                                                                             \
        long r_;                                                                                   \
        while ((r_ = retry_call(p, (call), f)) == -EINPROGRESS)                                    \
            ;                                                                                      \
        r_;                                                                                        \
    })

static int blocking_walk(void *state, uint64_t directory, const char *name, uint64_t *path,
                         struct fail *f)
{
    struct blocking *p = state;
    const struct ns_server *s = &p->inner;
    return (int)BLOCKING(p, s->calls->walk(s->state, directory, name, path, f), f);
}

static int blocking_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    struct blocking *p = state;
    const struct ns_server *s = &p->inner;
    return (int)BLOCKING(p, s->calls->stat(s->state, path, out, f), f);
}

static int blocking_entry(void *state, uint64_t directory, size_t index, struct ns_stat *out,
                          struct fail *f)
{
    struct blocking *p = state;
    const struct ns_server *s = &p->inner;
    return (int)BLOCKING(p, s->calls->entry(s->state, directory, index, out, f), f);
}

static int blocking_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    struct blocking *p = state;
    const struct ns_server *s = &p->inner;
    return (int)BLOCKING(p, s->calls->open(s->state, path, how, file, f), f);
}

static long blocking_read(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    struct blocking *p = state;
    const struct ns_server *s = &p->inner;
    return BLOCKING(p, s->calls->read(s->state, io, bytes, f), f);
}

static long blocking_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    struct blocking *p = state;
    const struct ns_server *s = &p->inner;
    return BLOCKING(p, s->calls->write(s->state, io, bytes, f), f);
}

static void blocking_close(void *state, void *file, uint64_t path)
{
    struct blocking *p = state;
    p->inner.calls->close(p->inner.state, file, path);
    ns_remote_send(p->remote);
}

static void blocking_end(void *state)
{
    struct blocking *p = state;
    ns_remote_free(p->remote);
    free(p);
}

int ns_bind_blocking(struct ns *ns, struct ns_remote *r, struct fail *f)
{
    static const struct ns_calls calls = {.walk = blocking_walk,
                                          .stat = blocking_stat,
                                          .entry = blocking_entry,
                                          .open = blocking_open,
                                          .read = blocking_read,
                                          .write = blocking_write,
                                          .close = blocking_close,
                                          .end = blocking_end};
    struct blocking *p = calloc(1, sizeof *p);
    if (!p) {
        ns_remote_free(r);
        return fail_set(f, ENOMEM, "9P");
    }
    *p = (struct blocking){.remote = r, .inner = ns_remote_server(r)};
    return ns_bind_layout(ns, (struct ns_server){&calls, p}, f);
}
