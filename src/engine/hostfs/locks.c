/*
 * Locks are the host's own, so that others see them. POSIX's are a process's, however it opened the
 * file, and end when it closes any descriptor of it: so each process that locks a file has a
 * descriptor here that nothing else is done with. flock's are those of the open file itself.
 */
#include "hostfs.h"

#include "core/base/grow.h"

#include <errno.h>

/* What a process has locked in a file, by any of its names. */
struct hostfs_held {
    uint64_t owner, dev, ino;
    uint32_t pid;
    int fd;
    const struct hostfs_file *by; /* the open file that it locked last by */
};

static bool is_of_file(const struct hostfs_held *a, const struct hostfs_file *o)
{
    return a->dev == o->dev && a->ino == o->ino;
}

static struct hostfs_held *find_owner(const struct hostfs_locks *l, const struct hostfs_file *o,
                                      uint64_t owner)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->held[i].owner == owner && is_of_file(&l->held[i], o))
            return &l->held[i];
    return NULL;
}

static struct hostfs_held *find_open(const struct hostfs_locks *l, const struct hostfs_file *o)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->held[i].by == o)
            return &l->held[i];
    return NULL;
}

/* What the asker has locked already; NULL: nothing. */
static struct hostfs_held *find_held(const struct hostfs_locks *l, const struct hostfs_file *o,
                                     const struct hostfs_lock *lock)
{
    struct hostfs_held *own = find_owner(l, o, lock->owner);
    return own || !lock->untyped ? own : find_open(l, o);
}

static void drop_held(struct hostfs_locks *l, struct hostfs_held *h)
{
    tree_close(h->fd);
    *h = l->held[--l->count];
}

static int lock_first(struct hostfs_locks *l, const struct hostfs_file *o,
                      const struct hostfs_lock *lock)
{
    if (!grow(&l->held, &l->cap, l->count, sizeof *l->held))
        return -ENOMEM;
    int fd = tree_open_for_lock(o->fd);
    int r = fd < 0 ? fd : tree_lock(fd, &lock->range);
    if (r == 0)
        l->held[l->count++] =
            (struct hostfs_held){lock->owner, o->dev, o->ino, lock->range.pid, fd, o};
    else
        tree_close(fd);
    return r;
}

static int lock_more(struct hostfs_held *h, const struct hostfs_file *o,
                     const struct hostfs_lock *lock)
{
    int r = tree_lock(h->fd, &lock->range);
    if (r < 0 || tree_is_unlock(lock->range.type))
        return r;
    h->by = o;
    h->owner = lock->owner;
    h->pid = lock->range.pid;
    return 0;
}

static int unlock_range(struct hostfs_locks *l, const struct hostfs_file *o,
                        const struct hostfs_lock *lock)
{
    struct hostfs_held *own = find_owner(l, o, lock->owner);
    int r = own ? tree_lock(own->fd, &lock->range) : 0;
    for (size_t i = 0; lock->untyped && i < l->count; i++)
        if (l->held[i].by == o && &l->held[i] != own)
            tree_lock(l->held[i].fd, &lock->range);
    return r;
}

int hostfs_lock(struct hostfs *h, const struct hostfs_file *o, const struct hostfs_lock *lock)
{
    struct hostfs_locks *l = &h->locks;
    SCOPED_LOCK locked = lock_acquire(l->lock);
    struct hostfs_held *held = find_held(l, o, lock);
    if (tree_is_unlock(lock->range.type))
        return unlock_range(l, o, lock);
    return held ? lock_more(held, o, lock) : lock_first(l, o, lock);
}

/* One of our own, if it is no other process's. */
static uint32_t find_holder(const struct hostfs_locks *l, const struct hostfs_file *o,
                            uint64_t asker)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->held[i].owner != asker && is_of_file(&l->held[i], o))
            return l->held[i].pid;
    return 0;
}

int hostfs_lock_find(struct hostfs *h, const struct hostfs_file *o, const struct hostfs_lock *lock,
                     struct ns_lock *found)
{
    struct hostfs_locks *l = &h->locks;
    SCOPED_LOCK locked = lock_acquire(l->lock);
    const struct hostfs_held *held = find_held(l, o, lock);
    int r = tree_get_lock(held ? held->fd : o->fd, &lock->range, found);
    if (r == 0 && !found->pid && !tree_is_unlock(found->type))
        found->pid = find_holder(l, o, lock->owner);
    return r;
}

int hostfs_flock(struct hostfs *h, struct hostfs_file *o, uint32_t type)
{
    SCOPED_LOCK locked = lock_acquire(h->locks.lock);
    o->flocked = true;
    return tree_flock(o->fd, type);
}

void hostfs_unlock_owner(struct hostfs *h, const struct hostfs_file *o, uint64_t owner)
{
    SCOPED_LOCK locked = lock_acquire(h->locks.lock);
    struct hostfs_held *held = find_owner(&h->locks, o, owner);
    if (held)
        drop_held(&h->locks, held);
}

/* What flock has locked a close alone does not unlock: FUSE's kernel may keep the open file for
 * others (fuse_mapping). */
void hostfs_unlock_open(struct hostfs *h, const struct hostfs_file *o)
{
    struct hostfs_locks *l = &h->locks;
    struct hostfs_held *held;
    SCOPED_LOCK locked = lock_acquire(l->lock);
    if (o->flocked)
        tree_unflock(o->fd);
    while ((held = find_open(l, o)))
        drop_held(l, held);
}
