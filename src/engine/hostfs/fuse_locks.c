/*
 * Requests about locks. No thread of the server may wait: what is to wait for its lock is tried
 * again and again by a thread of its own.
 */
#include "fuse.h"

#include "core/base/grow.h"
#include "plat/mount.h"

#include <errno.h>

enum { TRY_MS = 3, STOPS = 16 };

static struct hostfs_lock lock_of(const struct fuse_request *a)
{
    return (struct hostfs_lock){.owner = a->owner, .range = a->lock};
}

static int try_lock(struct hostfs_fuse *s, const struct fuse_request *a)
{
    struct fuse_handle *h = fuse_handle(s, a->fh);
    const struct hostfs_lock lock = lock_of(a);
    if (!h)
        return -EBADF;
    return a->flags & FUSE_LOCK_FLOCK ? hostfs_flock(&s->fs, &h->open, a->lock.type)
                                      : hostfs_lock(&s->fs, &h->open, &lock);
}

/* --- waiting requests --- */

static void send_reply(const struct fuse_waiting *w, int error)
{
    uint8_t head[FUSE_HEAD_OUT];
    fuse_reply_head(head, w->ask.unique, error, 0);
    mount_write(w->connection, head, sizeof head, NULL, 0);
}

static void end_wait(struct fuse_waits *w, size_t i, int error)
{
    send_reply(&w->waiting[i], error);
    w->waiting[i] = w->waiting[--w->count];
}

static void try_all(struct hostfs_fuse *s)
{
    struct fuse_waits *w = &s->waits;
    for (size_t i = 0; i < w->count;) {
        int r = try_lock(s, &w->waiting[i].ask);
        if (r == -EAGAIN)
            i++;
        else
            end_wait(w, i, r);
    }
}

static void wait_for_all(void *arg)
{
    struct hostfs_fuse *s = arg;
    for (bool more = true; more;) {
        crew_sleep_ms(TRY_MS);
        SCOPED_LOCK held = lock_acquire(s->waits.lock);
        try_all(s);
        more = s->waits.has_thread = s->waits.count > 0;
    }
}

static bool is_stopped(const struct fuse_waits *w, uint64_t unique)
{
    for (size_t i = 0; i < STOPS; i++)
        if (w->stopped[i] == unique)
            return true;
    return false;
}

static int wait_too(struct job *j)
{
    struct fuse_waits *w = &j->s->waits;
    if (is_stopped(w, j->ask.unique))
        return -EINTR;
    if (!grow(&w->waiting, &w->cap, w->count, sizeof *w->waiting))
        return -ENOLCK;
    if (!w->has_thread && crew_start(wait_for_all, j->s) < 0)
        return -ENOLCK;
    w->has_thread = true;
    w->waiting[w->count++] = (struct fuse_waiting){j->ask, j->connection};
    j->later = true;
    return 0;
}

static int try_or_wait(struct job *j)
{
    /* an interrupt finds it waiting, or comes before */
    SCOPED_LOCK held = lock_acquire(j->s->waits.lock);
    int r = try_lock(j->s, &j->ask);
    return r == -EAGAIN ? wait_too(j) : r;
}

void fuse_lock_stopped(struct hostfs_fuse *s, uint64_t unique)
{
    struct fuse_waits *w = &s->waits;
    SCOPED_LOCK held = lock_acquire(w->lock);
    size_t i = 0;
    while (i < w->count && w->waiting[i].ask.unique != unique)
        i++;
    if (i < w->count)
        end_wait(w, i, -EINTR);
    else
        w->stopped[w->stops++ % STOPS] = unique;
}

/* --- requests --- */

int fuse_lock(struct job *j)
{
    if (j->ask.op == FUSE_OP_SETLKW)
        return try_or_wait(j);
    int r = try_lock(j->s, &j->ask);
    if (r == -EAGAIN) { /* its holder may have just closed it */
        fuse_wait_idle(j->s, 1);
        r = try_lock(j->s, &j->ask);
    }
    return r;
}

int fuse_lock_find(struct job *j, struct fuse_handle *h)
{
    struct ns_lock found;
    const struct hostfs_lock lock = lock_of(&j->ask);
    int r = hostfs_lock_find(&j->s->fs, &h->open, &lock, &found);
    if (r < 0)
        return r;
    j->len = fuse_body_lock(j->small, &found);
    return 0;
}

int fuse_flush(struct job *j, struct fuse_handle *h)
{
    hostfs_unlock_owner(&j->s->fs, &h->open, j->ask.owner);
    return 0;
}
