/* A host's files for a server of 9P. A path is a node's number of hostfs.h, counted from 0.
 * Failures are errno alone, whose words the server has. */
#include "engine/hostfs/ninep_host.h"

#include "hostfs.h"

#include <errno.h>
#include <stdlib.h>

struct host_file {
    struct hostfs_file open;
    bool privileged; /* has a set-user-id bit that another user's write is to take away */
};

struct ninep_host_files {
    struct hostfs fs;
    uint32_t asker;        /* HOSTFS_NOBODY: unknown */
    bool fresh;            /* what follows was looked at by this request, */
    uint64_t seen_path;    /* whose answer tells it */
    struct tree_attr seen; /* again */
};

static uint64_t host_node(uint64_t path)
{
    return path + FUSE_NODE_ROOT;
}

/* What the tree found is answered: its attributes may be asked for next. */
static void note_seen(struct ninep_host_files *h, uint64_t path, const struct tree_attr *a)
{
    h->fresh = true;
    h->seen_path = path;
    h->seen = *a;
}

static void note_found(struct ninep_host_files *h, const struct hostfs_entry *e, uint64_t *path)
{
    *path = e->node - FUSE_NODE_ROOT;
    note_seen(h, *path, &e->attr);
}

static void set_user(void *state, uint32_t uid)
{
    struct ninep_host_files *h = state;
    h->asker = uid;
    h->fresh = false;
}

/* --- what is there --- */

static int walk_name(void *state, uint64_t directory, const char *name, uint64_t *path,
                     struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_entry e;
    int r = hostfs_walk(&h->fs, NULL, host_node(directory), name, &e);
    if (r == 0)
        note_found(h, &e, path);
    return r;
}

static void forget_path(void *state, uint64_t path, uint64_t times)
{
    struct ninep_host_files *h = state;
    hostfs_forget(&h->fs, host_node(path), times);
}

static int read_attr(struct ninep_host_files *h, const struct host_file *file, uint64_t path,
                     struct tree_attr *a)
{
    if (file)
        return tree_read_attr(file->open.fd, "", a);
    if (!h->fresh || h->seen_path != path)
        return hostfs_getattr(&h->fs, host_node(path), a);
    *a = h->seen;
    return 0;
}

static uint32_t version_of(const struct ns_attr *a)
{
    return (uint32_t)a->modified.s ^ (uint32_t)a->modified.ns << 2 ^ (uint32_t)a->size;
}

static int get_attr(void *state, void *file, uint64_t path, struct ns_attr *out)
{
    struct ninep_host_files *h = state;
    struct tree_attr a;
    int r = read_attr(h, file, path, &a);
    if (r < 0)
        return r;
    *out = a.attr;
    out->ino = hostfs_ino(&h->fs, a.dev, a.attr.ino);
    out->version = version_of(out);
    return 0;
}

static void read_name(void *state, uint64_t path, char name[HOSTFS_NAME])
{
    struct ninep_host_files *h = state;
    uint64_t directory;
    hostfs_name(&h->fs, host_node(path), &directory, name);
}

static long read_link(void *state, uint64_t path, char *target, size_t cap)
{
    struct ninep_host_files *h = state;
    return (long)hostfs_readlink(&h->fs, host_node(path), target, cap);
}

static int stat_fs(void *state, uint64_t path, struct ns_statfs *out)
{
    struct ninep_host_files *h = state;
    return hostfs_statfs(&h->fs, NULL, host_node(path), out);
}

/* --- changes --- */

static int set_attr(void *state, void *file, uint64_t path, const struct ns_change *change)
{
    struct ninep_host_files *h = state;
    const struct host_file *o = file;
    return hostfs_setattr(&h->fs, NULL, host_node(path), o ? o->open.fd : -1, change, NULL);
}

/* A device's number as the kernel packs it. */
static uint32_t rdev_of(const struct ninep_new_file *file)
{
    return (file->minor & 0xff) | file->major << 8 | (file->minor & ~0xffu) << 12;
}

/* New files belong to the user that the client attached as. */
static struct hostfs_new new_of(const struct ninep_host_files *h, const char *name,
                                const struct ninep_new_file *file)
{
    return (struct hostfs_new){.name = name,
                               .mode = file->mode,
                               .rdev = rdev_of(file),
                               .target = file->target,
                               .uid = h->asker,
                               .gid = file->gid,
                               .plain = true,
                               .exclusive = file->exclusive};
}

static int make_file(void *state, uint64_t directory, const char *name,
                     const struct ninep_new_file *file, uint64_t *path)
{
    struct ninep_host_files *h = state;
    struct hostfs_entry e;
    const struct hostfs_new new = new_of(h, name, file);
    int r = hostfs_make(&h->fs, NULL, host_node(directory), &new, &e);
    if (r == 0)
        note_found(h, &e, path);
    return r;
}

static int link_file(void *state, uint64_t directory, const char *name, uint64_t path)
{
    struct ninep_host_files *h = state;
    return hostfs_link(&h->fs, NULL, host_node(path), host_node(directory), name, NULL);
}

static int rename_file(void *state, uint64_t from, const char *name, uint64_t to,
                       const char *newname)
{
    struct ninep_host_files *h = state;
    const struct hostfs_rename rename = {host_node(from), host_node(to), name, newname, 0};
    return hostfs_rename(&h->fs, NULL, &rename);
}

static int move_file(void *state, uint64_t path, bool same, uint64_t directory, const char *newname)
{
    struct ninep_host_files *h = state;
    struct hostfs_rename rename = {.newname = newname};
    char name[HOSTFS_NAME];
    int r = hostfs_name(&h->fs, host_node(path), &rename.from, name);
    rename.name = name;
    rename.to = same ? rename.from : host_node(directory);
    return r < 0 ? r : hostfs_rename(&h->fs, NULL, &rename);
}

static int unlink_name(void *state, uint64_t directory, const char *name, bool is_directory)
{
    struct ninep_host_files *h = state;
    return hostfs_unlink(&h->fs, NULL, host_node(directory), name, is_directory);
}

static int remove_file(void *state, uint64_t path)
{
    struct ninep_host_files *h = state;
    char name[HOSTFS_NAME];
    uint64_t directory;
    struct tree_attr a;
    int r = hostfs_name(&h->fs, host_node(path), &directory, name);
    if (r == 0)
        r = read_attr(h, NULL, path, &a);
    return r < 0 ? r : hostfs_unlink(&h->fs, NULL, directory, name, tree_is_dir(a.attr.mode));
}

static long get_xattr(void *state, uint64_t path, const char *name, void *to, size_t cap)
{
    struct ninep_host_files *h = state;
    return (long)hostfs_getxattr(&h->fs, NULL, host_node(path), *name ? name : NULL, to, cap);
}

static int set_xattr(void *state, uint64_t path, const char *name, const void *value, size_t len,
                     uint32_t flags)
{
    struct ninep_host_files *h = state;
    const struct hostfs_xattr x = {name, len ? value : NULL, len, flags};
    return hostfs_setxattr(&h->fs, NULL, host_node(path), &x);
}

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

static int open_path(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct tree_attr a;
    struct hostfs_file opened;
    int r = open_node(h, host_node(path), how, &a, &opened);
    if (r == 0)
        r = file_new(h, &opened, &a, file);
    if (r == 0 && !(how & NS_TRUNCATE))
        note_seen(h, path, &a);
    return r;
}

static int create_file(void *state, uint64_t directory, const char *name,
                       const struct ninep_new_file *file, unsigned how, uint64_t *path,
                       void **opened)
{
    struct ninep_host_files *h = state;
    struct hostfs_entry e;
    struct hostfs_file o;
    const struct hostfs_new new = new_of(h, name, file);
    int r = hostfs_create(&h->fs, NULL, host_node(directory), &new, tree_flags(how), &e, &o);
    if (r < 0)
        return r;
    note_found(h, &e, path);
    r = file_new(h, &o, &e.attr, opened);
    if (r < 0)
        hostfs_forget(&h->fs, e.node, 1);
    return r;
}

static void close_file(void *state, void *file, uint64_t path)
{
    struct ninep_host_files *h = state;
    SCOPED_FREE struct host_file *o = file;
    hostfs_close(&h->fs, &o->open);
}

/* --- contents --- */

static long read_file(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    const struct host_file *o = io->file;
    return (long)tree_read(o->open.fd, bytes, io->len, io->offset);
}

/* The kernel clears a set-user-id bit when a user other than root writes. */
static long write_file(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    const struct ninep_host_files *h = state;
    const struct host_file *o = io->file;
    bool other = o->privileged && h->asker != 0 && h->asker != HOSTFS_NOBODY;
    if (other)
        tree_set_credentials(h->asker, h->asker, 0);
    int64_t n = tree_write(o->open.fd, bytes, io->len, io->offset);
    if (other)
        tree_set_credentials(0, 0, 0);
    return (long)n;
}

static int sync_file(void *state, void *file, uint64_t path, bool data_only)
{
    return file ? tree_sync(((struct host_file *)file)->open.fd, data_only) : -EBADF;
}

static int read_entry(void *state, void *file, uint64_t path, uint64_t cookie, struct ns_entry *out)
{
    const struct ninep_host_files *h = state;
    struct host_file *o = file;
    return o ? hostfs_next(&h->fs, &o->open, cookie, out) : -ENOTDIR;
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

static int set_lock(void *state, void *file, uint64_t path, struct ninep_lock *lock, bool test)
{
    struct ninep_host_files *h = state;
    const struct host_file *o = file;
    const struct hostfs_lock l = lock_of(lock);
    if (!o)
        return -EBADF;
    int r = test ? find_lock(h, o, lock) : hostfs_lock(&h->fs, &o->open, &l);
    return r == -EAGAIN ? 1 : r;
}

/* --- the tree --- */

struct ninep_tree ninep_host_tree(struct ninep_host_files *host, bool writable)
{
    static const struct ns_calls calls = {
        .walk = walk_name,
        .open = open_path,
        .read = read_file,
        .write = write_file,
        .close = close_file,
        .forget = forget_path,
    };
    static const struct ninep_host more = {
        .set_user = set_user,
        .name = read_name,
        .getattr = get_attr,
        .setattr = set_attr,
        .create = create_file,
        .make = make_file,
        .link = link_file,
        .readlink = read_link,
        .rename = rename_file,
        .move = move_file,
        .unlink = unlink_name,
        .remove = remove_file,
        .readdir = read_entry,
        .statfs = stat_fs,
        .fsync = sync_file,
        .getxattr = get_xattr,
        .setxattr = set_xattr,
        .lock = set_lock,
    };
    return (struct ninep_tree){.files = {.files = {&calls, host},
                                         .writable = writable,
                                         .opens_directories = true,
                                         .uid = host->fs.uid,
                                         .gid = host->fs.gid},
                               .host = &more};
}

int ninep_host_open(struct ninep_host_files **out, const char *directory, struct fail *f)
{
    struct ninep_host_files *h = calloc(1, sizeof *h);
    int r = h ? hostfs_init(&h->fs, directory) : -ENOMEM;
    if (r < 0) {
        free(h);
        return fail_set(f, -r, "%.128s", directory);
    }
    h->asker = HOSTFS_NOBODY;
    tree_clear_umask();
    *out = h;
    return 0;
}

void ninep_host_close(struct ninep_host_files *h)
{
    if (!h)
        return;
    hostfs_release(&h->fs);
    free(h);
}
