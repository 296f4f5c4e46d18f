#include "ninep_host_private.h"

#include <errno.h>
#include <stdlib.h>

/* --- opening --- */

/* Takes over what was opened. */
static int file_new(struct ninep_host_files *h, struct hostfs_file *opened,
                    const struct tree_attr *a, void **out)
{
    enum { SET_IDS = 06000 };
    struct host_file *file = malloc(sizeof *file);
    if (!file) {
        hostfs_close(&h->fs, opened);
        return -ENOMEM;
    }
    *file = (struct host_file){*opened, a->attr.mode & SET_IDS && !h->fs.alone};
    *out = file;
    return 0;
}

/* A file or directory; others are looked at only. */
static int open_node(struct ninep_host_files *h, uint64_t node, unsigned how, struct tree_attr *a,
                     struct hostfs_file *out)
{
    int r = hostfs_getattr(&h->fs, node, a);
    if (r < 0)
        return r;
    if (tree_is_dir(a->attr.mode))
        return hostfs_open_dir(&h->fs, NULL, node, out);
    return tree_is_file(a->attr.mode) ? hostfs_open(&h->fs, NULL, node, tree_flags(how), out)
                                      : -ENXIO;
}

int host_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct tree_attr a;
    struct hostfs_file opened;
    int r = open_node(h, host_node(path), how, &a, &opened);
    if (r == 0)
        r = file_new(h, &opened, &a, file);
    if (r == 0 && !(how & NS_TRUNCATE))
        host_seen(h, path, &a);
    return host_result(r, "", f);
}

int host_create(void *state, uint64_t directory, const char *name,
                const struct ninep_new_file *file, unsigned how, uint64_t *path, void **opened,
                struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_entry e;
    struct hostfs_file o;
    const struct hostfs_new new = host_new(h, name, file);
    int r = hostfs_create(&h->fs, NULL, host_node(directory), &new, tree_flags(how), &e, &o);
    if (r < 0)
        return host_result(r, name, f);
    host_found(h, &e, path);
    r = file_new(h, &o, &e.attr, opened);
    if (r < 0)
        hostfs_forget(&h->fs, e.node, 1);
    return host_result(r, name, f);
}

void host_close(void *state, void *file, uint64_t path)
{
    struct ninep_host_files *h = state;
    struct host_file *o = file;
    hostfs_close(&h->fs, &o->open);
    free(o);
}

/* --- contents --- */

long host_read(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    const struct host_file *o = io->file;
    int64_t n = tree_read(o->open.fd, bytes, io->len, io->offset);
    return n < 0 ? host_result((int)n, "", f) : (long)n;
}

/* The kernel clears a set-user-id bit when a user other than root writes. */
long host_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    const struct ninep_host_files *h = state;
    const struct host_file *o = io->file;
    bool other = o->privileged && h->asker != 0 && h->asker != HOSTFS_NOBODY;
    if (other)
        tree_set_credentials(h->asker, h->asker, 0);
    int64_t n = tree_write(o->open.fd, bytes, io->len, io->offset);
    if (other)
        tree_set_credentials(0, 0, 0);
    return n < 0 ? host_result((int)n, "", f) : (long)n;
}

int host_sync(void *state, void *file, uint64_t path, bool data_only, struct fail *f)
{
    int r = file ? tree_sync(((struct host_file *)file)->open.fd, data_only) : -EBADF;
    return host_result(r, "", f);
}

/* --- directories --- */

int host_next(void *state, void *file, uint64_t path, uint64_t cookie, struct ns_entry *out,
              struct fail *f)
{
    const struct ninep_host_files *h = state;
    struct host_file *o = file;
    return host_result(o ? hostfs_next(&h->fs, &o->open, cookie, out) : -ENOTDIR, "", f);
}

/* --- locks --- */

/* Two machines may have a process of the same number. */
static uint64_t owner_of(const struct ninep_lock *l)
{
    uint64_t h = 0;
    for (size_t i = 0; i < l->client.len; i++)
        h = (h ^ (uint8_t)l->client.at[i]) * 0x100000001b3;
    return h << 32 ^ l->pid;
}

/* The kinds of 9P2000.L have Linux' numbers, as FUSE's. */
static struct hostfs_lock lock_of(const struct ninep_lock *l)
{
    uint64_t end = l->length ? l->start + l->length - 1 : UINT64_MAX;
    return (struct hostfs_lock){
        .owner = owner_of(l),
        .untyped = true,
        .range = {l->start, end < l->start ? UINT64_MAX : end, l->kind, l->pid}};
}

static int find_lock(struct ninep_host_files *h, const struct host_file *o, struct ninep_lock *lock)
{
    enum { WRITE = 1 };
    struct hostfs_lock l = lock_of(lock);
    struct ns_lock found;
    if (tree_is_unlock(l.range.type)) /* Linux' client asks so for any lock */
        l.range.type = WRITE;
    int r = hostfs_lock_find(&h->fs, &o->open, &l, &found);
    if (r < 0)
        return r;
    lock->kind = (uint8_t)found.type;
    lock->start = found.start;
    lock->length = found.end < INT64_MAX ? found.end - found.start + 1 : 0;
    lock->pid = found.pid;
    return 0;
}

int host_lock(void *state, void *file, uint64_t path, struct ninep_lock *lock, bool test,
              struct fail *f)
{
    struct ninep_host_files *h = state;
    const struct host_file *o = file;
    const struct hostfs_lock l = lock_of(lock);
    if (!o)
        return host_result(-EBADF, "", f);
    int r = test ? find_lock(h, o, lock) : hostfs_lock(&h->fs, &o->open, &l);
    return r == -EAGAIN ? 1 : host_result(r, "", f);
}
