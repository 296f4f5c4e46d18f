/*
 * Locks are the host's own, so that others see them. flock's are those of the open file that we
 * have for it. POSIX's are a process's, however it opened the file, and end when it closes any
 * descriptor of it: so each process that locks a file has a descriptor here that nothing else is
 * done with.
 *
 * No thread of the server may wait: what is to wait for its lock is tried again and again.
 */
#include "fuse.h"

#include "plat/mount.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TRY_MS = 3, STOPS = 16 };

int fuse_locks_init(struct hostfs_fuse *s)
{
    s->locks = (struct fuse_locks){.lock = lock_new()};
    return s->locks.lock ? 0 : -ENOMEM;
}

/* --- what is held; under the lock --- */

static void file_of(struct hostfs_fuse *s, uint64_t node, struct fuse_held *out)
{
    lock_take(s->fs.tables);
    const struct fuse_node *n = fuse_nodes_at(&s->fs.nodes, node);
    out->dev = n ? n->dev : 0;
    out->ino = n ? n->ino : 0;
    lock_give(s->fs.tables);
}

static bool is_of_file(const struct fuse_held *a, const struct fuse_held *b)
{
    return a->dev == b->dev && a->ino == b->ino;
}

static struct fuse_held *find(struct fuse_locks *l, const struct fuse_held *like)
{
    for (size_t i = 0; i < l->helds; i++)
        if (l->held[i].owner == like->owner && is_of_file(&l->held[i], like))
            return &l->held[i];
    return NULL;
}

static void drop(struct fuse_locks *l, struct fuse_held *h)
{
    tree_close(h->fd);
    *h = l->held[--l->helds];
}

static struct fuse_held *add(struct fuse_locks *l, const struct fuse_held *new)
{
    if (l->helds == l->held_room) {
        size_t more = l->held_room * 2 + 8;
        struct fuse_held *bigger = realloc(l->held, more * sizeof *bigger);
        if (!bigger)
            return NULL;
        l->held = bigger;
        l->held_room = more;
    }
    l->held[l->helds] = *new;
    return &l->held[l->helds++];
}

static int lock_new_place(struct fuse_locks *l, struct fuse_held *new, int fd,
                          const struct fuse_lock *lock)
{
    new->fd = tree_lock_place(fd);
    if (new->fd < 0)
        return new->fd;
    int r = tree_lock(new->fd, lock);
    if (r == 0 && !add(l, new))
        r = -ENOMEM;
    if (r < 0)
        tree_close(new->fd);
    return r;
}

static int lock_range(struct hostfs_fuse *s, const struct fuse_ask *a, int fd)
{
    struct fuse_held want = {.owner = a->owner, .fh = a->fh, .pid = a->lock.pid};
    file_of(s, a->node, &want);
    struct fuse_held *h = find(&s->locks, &want);
    if (!h && tree_is_unlock(a->lock.type))
        return 0;
    if (!h)
        return lock_new_place(&s->locks, &want, fd, &a->lock);
    h->fh = a->fh;
    return tree_lock(h->fd, &a->lock);
}

static int try(struct hostfs_fuse *s, const struct fuse_ask *a)
{
    struct fuse_handle *h = fuse_handle(s, a->fh);
    if (!h)
        return -EBADF;
    if (!(a->flags & FUSE_LOCK_FLOCK))
        return lock_range(s, a, h->fd);
    h->flocked = true;
    return tree_flock(h->fd, a->lock.type);
}

/* --- those who wait --- */

static void reply(const struct fuse_waiting *w, int error)
{
    uint8_t head[FUSE_HEAD_OUT];
    fuse_reply_head(head, w->ask.unique, error, 0);
    mount_write(w->connection, head, sizeof head, NULL, 0);
}

static void try_all(struct hostfs_fuse *s)
{
    struct fuse_locks *l = &s->locks;
    for (size_t i = 0; i < l->waitings;) {
        int r = try(s, &l->waiting[i].ask);
        if (r == -EAGAIN) {
            i++;
            continue;
        }
        reply(&l->waiting[i], r);
        l->waiting[i] = l->waiting[--l->waitings];
    }
}

static void wait_for_all(void *arg)
{
    struct hostfs_fuse *s = arg;
    for (bool more = true; more;) {
        crew_nap(TRY_MS);
        lock_take(s->locks.lock);
        try_all(s);
        more = s->locks.waits = s->locks.waitings > 0;
        lock_give(s->locks.lock);
    }
}

static bool is_stopped(const struct fuse_locks *l, uint64_t unique)
{
    for (size_t i = 0; i < STOPS; i++)
        if (l->stopped[i] == unique)
            return true;
    return false;
}

static int wait_too(struct job *j)
{
    struct fuse_locks *l = &j->s->locks;
    if (is_stopped(l, j->ask.unique))
        return -EINTR;
    if (l->waitings == l->waiting_room) {
        size_t more = l->waiting_room * 2 + 8;
        struct fuse_waiting *bigger = realloc(l->waiting, more * sizeof *bigger);
        if (!bigger)
            return -ENOLCK;
        l->waiting = bigger;
        l->waiting_room = more;
    }
    if (!l->waits && crew_start(wait_for_all, j->s) < 0)
        return -ENOLCK;
    l->waits = true;
    l->waiting[l->waitings++] = (struct fuse_waiting){j->ask, j->connection};
    j->later = true;
    return 0;
}

/* --- requests --- */

int fuse_lock(struct job *j)
{
    struct hostfs_fuse *s = j->s;
    lock_take(s->locks.lock);
    int r = try(s, &j->ask);
    if (r == -EAGAIN && j->ask.op == FUSE_OP_SETLK) { /* who held it may have just closed it */
        lock_give(s->locks.lock);
        fuse_settle(s, 1);
        lock_take(s->locks.lock);
        r = try(s, &j->ask);
    }
    if (r == -EAGAIN && j->ask.op == FUSE_OP_SETLKW)
        r = wait_too(j);
    lock_give(s->locks.lock);
    return r;
}

/* One of our own, if it is no other process's. */
static uint32_t holder(const struct fuse_locks *l, const struct fuse_held *asker)
{
    for (size_t i = 0; i < l->helds; i++)
        if (l->held[i].owner != asker->owner && is_of_file(&l->held[i], asker))
            return l->held[i].pid;
    return 0;
}

int fuse_lock_find(struct job *j)
{
    struct hostfs_fuse *s = j->s;
    struct fuse_lock found;
    struct fuse_held asker = {.owner = j->ask.owner};
    const struct fuse_handle *h = fuse_handle(s, j->ask.fh);
    if (!h)
        return -EBADF;
    file_of(s, j->ask.node, &asker);
    lock_take(s->locks.lock);
    const struct fuse_held *own = find(&s->locks, &asker);
    int r = tree_lock_find(own ? own->fd : h->fd, &j->ask.lock, &found);
    if (r == 0 && !found.pid)
        found.pid = holder(&s->locks, &asker);
    lock_give(s->locks.lock);
    if (r < 0)
        return r;
    j->body = j->small;
    j->len = fuse_body_lock(j->small, &found);
    return 0;
}

int fuse_flush(struct job *j)
{
    struct fuse_held like = {.owner = j->ask.owner};
    file_of(j->s, j->ask.node, &like);
    lock_take(j->s->locks.lock);
    struct fuse_held *h = find(&j->s->locks, &like);
    if (h)
        drop(&j->s->locks, h);
    lock_give(j->s->locks.lock);
    return 0;
}

/* Of files that were opened to read closes are told only here. What flock has locked a close alone
 * does not unlock: the kernel may keep the open file for others (fuse_mapping). */
void fuse_locks_closed(struct hostfs_fuse *s, uint64_t fh)
{
    struct fuse_locks *l = &s->locks;
    const struct fuse_handle *h = fuse_handle(s, fh);
    lock_take(l->lock);
    if (h && h->flocked)
        tree_unflock(h->fd);
    for (size_t i = l->helds; i-- > 0;)
        if (l->held[i].fh == fh)
            drop(l, &l->held[i]);
    lock_give(l->lock);
}

void fuse_lock_stopped(struct hostfs_fuse *s, uint64_t unique)
{
    struct fuse_locks *l = &s->locks;
    lock_take(l->lock);
    size_t i = 0;
    while (i < l->waitings && l->waiting[i].ask.unique != unique)
        i++;
    if (i < l->waitings) {
        reply(&l->waiting[i], -EINTR);
        l->waiting[i] = l->waiting[--l->waitings];
    } else
        l->stopped[l->stops++ % STOPS] = unique;
    lock_give(l->lock);
}
