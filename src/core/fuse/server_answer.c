/* The operations. */
#include "server_parts.h"

#include <errno.h>
#include <string.h>

/* Of open(2), as Linux numbers them everywhere. */
enum { O_WAY = 3, O_EMPTY = 01000 };

struct op {
    struct fuse_server *s;
    const struct ns_calls *calls;
    void *state;
    const struct fuse_ask *ask;
    uint64_t *found;
    struct buf *out;
    struct fail *f;
    bool stranger; /* who asks is another user, whose rights cannot be taken */
};

static int append(struct op *o, const void *body, size_t len)
{
    buf_add(o->out, body, len);
    return 0;
}

/* 0 is no number for a file. */
static uint64_t inode(uint64_t path)
{
    return path ? path : 1;
}

static struct ns_attr attr_of(const struct fuse_server *s, const struct ns_stat *st)
{
    struct ns_attr attr;
    ns_served_attr(&s->tree, st, &attr);
    attr.ino = inode(attr.ino);
    return attr;
}

/* --- names --- */

static int path_of(const struct op *o, uint64_t *path)
{
    const struct fs_node *n = fs_node_at(o->s, o->ask->node);
    if (!n)
        return -ESTALE;
    *path = n->path;
    return 0;
}

static int stat_path(struct op *o, uint64_t path, struct ns_attr *attr)
{
    struct ns_stat st = {.path = 0};
    int r = o->calls->stat(o->state, path, &st, o->f);
    if (r == 0)
        *attr = attr_of(o->s, &st);
    return r;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int find(struct op *o)
{
    uint64_t directory, path;
    int r = path_of(o, &directory);
    if (r < 0 || is_dots(o->ask->name))
        return r < 0 ? r : -EINVAL;
    if (strlen(o->ask->name) > NS_NAME_MOST)
        return -ENAMETOOLONG;
    r = o->calls->walk(o->state, directory, o->ask->name, &path, o->f);
    if (r < 0)
        return r;
    *o->found = fs_node_look(o->s, path);
    return *o->found ? 0 : -ENOMEM;
}

/* Another machine is asked twice, and answers each but once. */
static int lookup(struct op *o)
{
    uint8_t body[FUSE_BODY_MOST];
    struct ns_attr attr;
    int r = *o->found ? 0 : find(o);
    const struct fs_node *n = fs_node_at(o->s, *o->found);
    if (r == 0)
        r = n ? stat_path(o, n->path, &attr) : -ESTALE;
    if (ns_is_later(r))
        return r;
    uint64_t number = *o->found;
    *o->found = 0;
    if (r == 0)
        return append(o, body, fuse_body_entry(body, number, 0, &attr));
    fs_node_forget(o->s, number, 1);
    return r;
}

static int getattr(struct op *o)
{
    uint8_t body[FUSE_BODY_MOST];
    struct ns_attr attr;
    uint64_t path;
    int r = path_of(o, &path);
    if (r == 0)
        r = stat_path(o, path, &attr);
    return r < 0 ? r : append(o, body, fuse_body_attr(body, &attr));
}

static int may_open(struct op *o, uint64_t path)
{
    struct ns_stat st = {.guarded = false};
    int r = o->stranger ? o->calls->stat(o->state, path, &st, o->f) : 0;
    return r == 0 && st.guarded ? -EACCES : r;
}

/* A file can be made empty; that is all. */
static int setattr(struct op *o)
{
    uint64_t path;
    int r = path_of(o, &path);
    if (r < 0)
        return r;
    const struct ns_change *c = &o->ask->change;
    if (!(c->set & NS_SET_SIZE) || c->set & (NS_SET_MODE | NS_SET_UID | NS_SET_GID))
        return -EPERM;
    r = may_open(o, path);
    if (r == 0)
        r = ns_served_truncate(&o->s->tree, path, c->to.size, o->f);
    return r < 0 ? r : getattr(o);
}

/* --- directories --- */

static int open_any(struct op *o, bool directory, unsigned how, uint32_t flags)
{
    uint8_t body[FUSE_BODY_MOST];
    struct ns_file file;
    uint64_t path;
    int r = path_of(o, &path);
    if (r == 0 && !directory)
        r = may_open(o, path);
    if (r == 0)
        r = ns_served_open(&o->s->tree, path, directory, how, &file, o->f);
    if (r < 0)
        return r;
    uint64_t handle = fs_open_new(o->s, o->ask->node, &file, directory);
    if (handle)
        return append(o, body, fuse_body_open(body, handle, flags, 0));
    ns_file_close(&file);
    return -ENFILE;
}

static int opendir(struct op *o)
{
    return open_any(o, true, NS_READ, 0);
}

static int readdir(struct op *o)
{
    const struct fs_open *dir = fs_open_at(o->s, o->ask->fh);
    size_t room = o->ask->size < FUSE_SERVER_IO ? (size_t)o->ask->size : FUSE_SERVER_IO, len = 0;
    struct ns_stat st;
    struct ns_entry e;
    int r = 1;
    if (!dir || !dir->directory)
        return -EBADF;
    uint8_t *at = buf_room(o->out, room);
    if (!at)
        return -ENOMEM;
    for (uint64_t offset = o->ask->offset; r > 0; offset++) {
        r = ns_served_entry(&o->s->tree, dir->file.path, offset, &st, &e, o->f);
        if (r <= 0)
            break;
        e.ino = inode(e.ino);
        size_t n = fuse_body_dirent(at + len, room - len, &e);
        if (n == 0)
            r = len ? 0 : -EINVAL;
        len += n;
    }
    if (r < 0 && !len)
        return r;
    buf_grew(o->out, len);
    return 0;
}

/* --- files --- */

static int open_file(struct op *o)
{
    unsigned how = o->ask->flags & O_WAY;
    if (how > NS_BOTH)
        return -EINVAL;
    if (o->ask->flags & O_EMPTY)
        how |= NS_TRUNCATE;
    return open_any(o, false, how, FUSE_OPEN_DIRECT_IO);
}

static struct ns_file *file_of(const struct op *o)
{
    struct fs_open *open = fs_open_at(o->s, o->ask->fh);
    return open && !open->directory ? &open->file : NULL;
}

static int read_file(struct op *o)
{
    struct ns_file *file = file_of(o);
    size_t len = o->ask->size < FUSE_SERVER_IO ? (size_t)o->ask->size : FUSE_SERVER_IO;
    if (!file)
        return -EBADF;
    void *at = buf_room(o->out, len ? len : 1);
    if (!at)
        return -ENOMEM;
    long n = ns_read(file, o->ask->offset, at, len, o->f);
    if (n > 0)
        buf_grew(o->out, (size_t)n);
    return n < 0 ? (int)n : 0;
}

static int write_file(struct op *o)
{
    uint8_t body[FUSE_BODY_MOST];
    struct ns_file *file = file_of(o);
    if (!file)
        return -EBADF;
    long n = ns_write(file, o->ask->offset, o->ask->data, o->ask->data_len, o->f);
    return n < 0 ? (int)n : append(o, body, fuse_body_count(body, (uint32_t)n));
}

static int release(struct op *o)
{
    struct fs_open *file = fs_open_at(o->s, o->ask->fh);
    if (!file)
        return -EBADF;
    fs_open_close(o->s, file);
    return 0;
}

/* --- the rest --- */

static int init(struct op *o)
{
    enum { MINOR = 31, LEAST = 12 };
    uint8_t body[FUSE_BODY_MOST];
    const uint64_t wanted =
        FUSE_INIT_ATOMIC_O_TRUNC | FUSE_INIT_BIG_WRITES | FUSE_INIT_PARALLEL_DIROPS;
    struct fuse_init init = {.minor = o->ask->init.minor < MINOR ? o->ask->init.minor : MINOR,
                             .flags = o->ask->init.flags & wanted,
                             .max_write = FUSE_SERVER_IO};
    if (o->ask->init.major != 7 || init.minor < LEAST)
        return -EPROTO;
    return append(o, body, fuse_body_init(body, &init));
}

static int statfs(struct op *o)
{
    uint8_t body[FUSE_BODY_MOST];
    struct ns_space fs = {.io_bytes = 4096, .block_bytes = 4096, .name_most = NS_NAME_MOST};
    return append(o, body, fuse_body_statfs(body, &fs));
}

static int nothing(struct op *o)
{
    (void)o;
    return 0;
}

static int refuse(struct op *o)
{
    (void)o;
    return -EPERM;
}

/* What is not there is unknown to us: -ENOSYS, which the kernel remembers. */
static int (*const operations[])(struct op *o) = {
    [FUSE_OP_INIT] = init,       [FUSE_OP_DESTROY] = nothing, [FUSE_OP_STATFS] = statfs,
    [FUSE_OP_LOOKUP] = lookup,   [FUSE_OP_GETATTR] = getattr, [FUSE_OP_SETATTR] = setattr,
    [FUSE_OP_OPENDIR] = opendir, [FUSE_OP_READDIR] = readdir, [FUSE_OP_RELEASEDIR] = release,
    [FUSE_OP_OPEN] = open_file,  [FUSE_OP_READ] = read_file,  [FUSE_OP_WRITE] = write_file,
    [FUSE_OP_RELEASE] = release, [FUSE_OP_SYMLINK] = refuse,  [FUSE_OP_MKNOD] = refuse,
    [FUSE_OP_MKDIR] = refuse,    [FUSE_OP_UNLINK] = refuse,   [FUSE_OP_RMDIR] = refuse,
    [FUSE_OP_RENAME] = refuse,   [FUSE_OP_RENAME2] = refuse,  [FUSE_OP_LINK] = refuse,
    [FUSE_OP_CREATE] = refuse,   [FUSE_OP_TMPFILE] = refuse,
};

int fs_answer(struct fuse_server *s, const struct fuse_ask *ask, uint64_t *found, struct buf *out,
              struct fail *f)
{
    const struct ns_server *files = &s->tree.files;
    struct op o = {s, files->calls, files->state, ask, found, out, f, false};
    int r = s->asks ? s->asks(ask->uid, ask->gid, ask->pid) : 0;
    if (r < 0)
        return r;
    o.stranger = r > 0;
    if (ask->op >= sizeof operations / sizeof *operations || !operations[ask->op])
        return -ENOSYS;
    return operations[ask->op](&o);
}
