#include "ninep_host_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Entries as the kernel gave them: as many as are read at once. */
enum { ENTRIES = 16 * 1024 };
struct host_dir {
    uint64_t at;   /* where the descriptor is */
    uint64_t next; /* the cookie of what follows in raw */
    uint64_t dev;
    size_t len, used;
    _Alignas(8) uint8_t raw[ENTRIES];
};

/* --- opening --- */

static void enlist(struct ninep_host_files *h, struct host_file *file)
{
    file->next = h->open;
    if (h->open)
        h->open->before = file;
    h->open = file;
}

/* Takes over fd. */
static int file_new(struct ninep_host_files *h, int fd, uint64_t path, const struct tree_attr *a,
                    void **out)
{
    enum { SET_IDS = 06000 };
    struct host_file *file = calloc(1, sizeof *file);
    if (file && tree_is_dir(a->attr.mode)) {
        file->list = malloc(sizeof *file->list);
        if (file->list)
            *file->list = (struct host_dir){.dev = a->dev};
    }
    if (!file || (tree_is_dir(a->attr.mode) && !file->list)) {
        free(file);
        tree_close(fd);
        return -ENOMEM;
    }
    file->fd = fd;
    file->path = path;
    file->privileged = a->attr.mode & SET_IDS && !h->fs.alone;
    enlist(h, file);
    *out = file;
    return 0;
}

/* A descriptor of a file or directory; others are looked at only. */
static int open_node(struct ninep_host_files *h, uint64_t node, unsigned how, struct tree_attr *a)
{
    int r = hostfs_getattr(&h->fs, node, a);
    if (r < 0)
        return r;
    if (tree_is_dir(a->attr.mode))
        return hostfs_open_dir(&h->fs, NULL, node);
    return tree_is_file(a->attr.mode) ? hostfs_open(&h->fs, NULL, node, tree_flags(how)) : -ENXIO;
}

int host_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct tree_attr a;
    int fd = open_node(h, host_node(path), how, &a);
    int r = fd < 0 ? fd : file_new(h, fd, path, &a, file);
    if (r == 0 && !(how & NS_TRUNCATE))
        host_seen(h, path, &a);
    return host_told(r, "", f);
}

int host_create(void *state, uint64_t directory, const char *name, const struct ninep_new *file,
                unsigned how, uint64_t *path, void **opened, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_entry e;
    const struct hostfs_new new = host_new(h, name, file);
    int fd = hostfs_create(&h->fs, NULL, host_node(directory), &new, tree_flags(how), &e);
    if (fd < 0)
        return host_told(fd, name, f);
    host_found(h, &e, path);
    int r = file_new(h, fd, *path, &e.attr, opened);
    if (r < 0)
        hostfs_forget(&h->fs, e.node, 1);
    return host_told(r, name, f);
}

void host_close(void *state, void *file, uint64_t path)
{
    struct ninep_host_files *h = state;
    struct host_file *o = file;
    (void)path;
    if (o->before)
        o->before->next = o->next;
    else
        h->open = o->next;
    if (o->next)
        o->next->before = o->before;
    tree_close(o->fd);
    free(o->list);
    free(o);
}

/* --- contents --- */

long host_read(void *state, void *file, uint64_t path, uint64_t offset, void *bytes, size_t len,
               struct fail *f)
{
    (void)state;
    (void)path;
    int64_t n = tree_read(((struct host_file *)file)->fd, bytes, len, offset);
    return n < 0 ? host_told((int)n, "", f) : (long)n;
}

/* The kernel takes a set-user-id bit away when it is not root who writes. */
long host_write(void *state, void *file, uint64_t path, uint64_t offset, const void *bytes,
                size_t len, struct fail *f)
{
    const struct ninep_host_files *h = state;
    const struct host_file *o = file;
    bool other = o->privileged && h->asker != 0 && h->asker != HOSTFS_NOBODY;
    (void)path;
    if (other)
        tree_as(h->asker, h->asker, 0);
    int64_t n = tree_write(o->fd, bytes, len, offset);
    if (other)
        tree_as(0, 0, 0);
    return n < 0 ? host_told((int)n, "", f) : (long)n;
}

int host_sync(void *state, void *file, uint64_t path, bool data_only, struct fail *f)
{
    (void)state;
    (void)path;
    int r = file ? tree_sync(((struct host_file *)file)->fd, data_only) : -EBADF;
    return host_told(r, "", f);
}

/* --- directories --- */

/* What stands at the cookie is in raw: 1, or 0 at the end. */
static int fill(const struct host_file *o, uint64_t cookie)
{
    struct host_dir *d = o->list;
    if (d->used < d->len && d->next == cookie)
        return 1;
    int64_t n = tree_entries(o->fd, cookie, &d->at, d->raw, sizeof d->raw);
    d->used = 0;
    d->len = n > 0 ? (size_t)n : 0;
    d->next = cookie;
    return n < 0 ? (int)n : n > 0;
}

int host_next(void *state, void *file, uint64_t path, uint64_t *cookie,
              struct ninep_host_entry *out, struct fail *f)
{
    const struct ninep_host_files *h = state;
    const struct host_file *o = file;
    struct tree_entry e;
    (void)path;
    int r = o && o->list ? fill(o, *cookie) : -ENOTDIR;
    if (r <= 0)
        return host_told(r, "", f);
    struct host_dir *d = o->list;
    size_t len = tree_entry(d->raw + d->used, d->len - d->used, &e);
    if (strlen(e.name) >= sizeof out->name)
        return host_told(-ENAMETOOLONG, e.name, f);
    strcpy(out->name, e.name);
    out->kind = (uint8_t)e.type;
    out->file = hostfs_ino(&h->fs, d->dev, e.ino);
    d->used += len;
    *cookie = d->next = e.next;
    return 1;
}

/* --- locks --- */

/* A process of the client has its locks by whichever of its open files was locked first. */
static struct host_file *locked_by(struct ninep_host_files *h, struct host_file *file,
                                   uint32_t locker)
{
    for (struct host_file *o = h->open; o; o = o->next)
        if (o != file && o->path == file->path && locker && o->locker == locker)
            return o;
    return file;
}

/* The kinds of 9P2000.L have Linux' numbers, as FUSE's. */
static struct fuse_lock lock_of(const struct ninep_lock *l)
{
    uint64_t end = l->length ? l->start + l->length - 1 : UINT64_MAX;
    return (struct fuse_lock){l->start, end < l->start ? UINT64_MAX : end, l->kind, l->pid};
}

static int find_lock(struct host_file *o, struct ninep_lock *lock)
{
    enum { WRITE = 1 };
    struct fuse_lock l = lock_of(lock), found;
    if (tree_is_unlock(l.type)) /* Linux' client asks so for any lock */
        l.type = WRITE;
    int r = tree_lock_find(o->fd, &l, &found);
    if (r < 0)
        return r;
    lock->kind = (uint8_t)found.type;
    lock->start = found.start;
    lock->length = found.end < INT64_MAX ? found.end - found.start + 1 : 0;
    lock->pid = found.pid;
    return 0;
}

static int set_lock(struct host_file *o, struct host_file *file, const struct ninep_lock *lock)
{
    const struct fuse_lock l = lock_of(lock);
    int r = tree_lock(o->fd, &l);
    if (r < 0)
        return r;
    if (!tree_is_unlock(l.type))
        o->locker = lock->pid;
    else if (o != file) /* what was inherited by a fork */
        tree_lock(file->fd, &l);
    return 0;
}

int host_lock(void *state, void *file, uint64_t path, struct ninep_lock *lock, bool test,
              struct fail *f)
{
    struct host_file *own = file;
    (void)path;
    if (!own)
        return host_told(-EBADF, "", f);
    struct host_file *o = own->locker == lock->pid ? own : locked_by(state, own, lock->pid);
    int r = test ? find_lock(o, lock) : set_lock(o, own, lock);
    return r == -EAGAIN ? 1 : host_told(r, "", f);
}
