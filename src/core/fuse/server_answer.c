/* The operations. */
#include "server_parts.h"

#include <errno.h>
#include <string.h>

/* Of open(2), as Linux numbers them everywhere; kinds of a mode; of a directory's entry. */
enum { O_WAY = 3, O_EMPTY = 01000 };
enum { KIND_DIR = 0040000, KIND_FILE = 0100000, ENTRY_DIR = 4, ENTRY_FILE = 8 };

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
static uint64_t inode(const struct ns_stat *st)
{
    return st->path ? st->path : 1;
}

static struct fuse_attr attr_of(const struct fuse_server *s, const struct ns_stat *st)
{
    struct fuse_time at = {.s = st->modified};
    return (struct fuse_attr){.ino = inode(st),
                              .size = st->length,
                              .blocks = st->length / 512 + (st->length % 512 != 0),
                              .atime = at,
                              .mtime = at,
                              .ctime = at,
                              .mode = (st->directory ? KIND_DIR : KIND_FILE) | (st->mode & 0777),
                              .nlink = 1,
                              .uid = s->tree.uid,
                              .gid = s->tree.gid,
                              .blksize = 4096};
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

static int stat_path(struct op *o, uint64_t path, struct fuse_attr *attr, struct ns_stat *st)
{
    *st = (struct ns_stat){.path = 0};
    int r = o->calls->stat(o->state, path, st, o->f);
    if (r == 0)
        *attr = attr_of(o->s, st);
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
    struct fuse_attr attr;
    struct ns_stat st;
    int r = *o->found ? 0 : find(o);
    const struct fs_node *n = fs_node_at(o->s, *o->found);
    if (r == 0)
        r = n ? stat_path(o, n->path, &attr, &st) : -ESTALE;
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
    struct fuse_attr attr;
    struct ns_stat st;
    uint64_t path;
    int r = path_of(o, &path);
    if (r == 0)
        r = stat_path(o, path, &attr, &st);
    return r < 0 ? r : append(o, body, fuse_body_attr(body, &attr));
}

static int empty(struct op *o, uint64_t path)
{
    void *file = NULL;
    int r = o->calls->open(o->state, path, NS_WRITE | NS_TRUNCATE, &file, o->f);
    if (r == 0 && o->calls->close)
        o->calls->close(o->state, file, path);
    return r;
}

/* A file can be made empty; that is all. */
static int setattr(struct op *o)
{
    uint64_t path;
    int r = path_of(o, &path);
    if (r < 0)
        return r;
    if (!(o->ask->set.valid & FUSE_SET_SIZE) || o->ask->set.size ||
        o->ask->set.valid & (FUSE_SET_MODE | FUSE_SET_UID | FUSE_SET_GID))
        return -EPERM;
    r = empty(o, path);
    return r < 0 ? r : getattr(o);
}

/* --- directories --- */

static int opendir(struct op *o)
{
    uint8_t body[FUSE_BODY_MOST];
    if (!fs_node_at(o->s, o->ask->node))
        return -ESTALE;
    uint64_t handle = fs_open_new(o->s, o->ask->node, NULL, true);
    return handle ? append(o, body, fuse_body_open(body, handle, 0, 0)) : -ENFILE;
}

/* The entry behind an offset, "." and ".." first: 1, 0 at the end. */
static int entry(struct op *o, uint64_t directory, uint64_t offset, struct ns_stat *st)
{
    *st = (struct ns_stat){.path = directory, .directory = true};
    if (offset < 2) {
        strcpy(st->name, offset ? ".." : ".");
        return 1;
    }
    return offset - 2 > SIZE_MAX / 2
               ? 0
               : o->calls->entry(o->state, directory, (size_t)(offset - 2), st, o->f);
}

static int readdir(struct op *o)
{
    const struct fs_open *dir = fs_open_at(o->s, o->ask->fh);
    size_t room = o->ask->size < FUSE_SERVER_IO ? (size_t)o->ask->size : FUSE_SERVER_IO, len = 0;
    struct ns_stat st;
    int r = 1;
    if (!dir || !dir->directory)
        return -EBADF;
    uint8_t *at = buf_room(o->out, room);
    if (!at)
        return -ENOMEM;
    for (uint64_t offset = o->ask->offset; r > 0; offset++) {
        r = entry(o, o->s->node[dir->node].path, offset, &st);
        if (r <= 0)
            break;
        size_t n =
            fuse_body_dirent(at + len, room - len, inode(&st), offset + 1,
                             st.directory ? ENTRY_DIR : ENTRY_FILE, st.name, strlen(st.name));
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

static int may_open(struct op *o, uint64_t path)
{
    struct ns_stat st = {.guarded = false};
    int r = o->stranger ? o->calls->stat(o->state, path, &st, o->f) : 0;
    return r == 0 && st.guarded ? -EACCES : r;
}

static int open_file(struct op *o)
{
    uint8_t body[FUSE_BODY_MOST];
    unsigned how = o->ask->flags & O_WAY;
    void *file = NULL;
    uint64_t path;
    int r = path_of(o, &path);
    if (r < 0 || how > NS_BOTH)
        return r < 0 ? r : -EINVAL;
    if (o->ask->flags & O_EMPTY)
        how |= NS_TRUNCATE;
    r = may_open(o, path);
    if (r == 0)
        r = o->calls->open(o->state, path, how, &file, o->f);
    if (r < 0)
        return r;
    uint64_t handle = fs_open_new(o->s, o->ask->node, file, false);
    if (handle)
        return append(o, body, fuse_body_open(body, handle, FUSE_OPEN_DIRECT_IO, 0));
    if (o->calls->close)
        o->calls->close(o->state, file, path);
    return -ENFILE;
}

static struct fs_open *file_of(const struct op *o)
{
    struct fs_open *file = fs_open_at(o->s, o->ask->fh);
    return file && !file->directory ? file : NULL;
}

static int read_file(struct op *o)
{
    const struct fs_open *file = file_of(o);
    size_t len = o->ask->size < FUSE_SERVER_IO ? (size_t)o->ask->size : FUSE_SERVER_IO;
    if (!file || !o->calls->read)
        return -EBADF;
    void *at = buf_room(o->out, len ? len : 1);
    if (!at)
        return -ENOMEM;
    long n = o->calls->read(o->state, file->file, o->s->node[file->node].path, o->ask->offset, at,
                            len, o->f);
    if (n > 0)
        buf_grew(o->out, (size_t)n);
    return n < 0 ? (int)n : 0;
}

static int write_file(struct op *o)
{
    uint8_t body[FUSE_BODY_MOST];
    const struct fs_open *file = file_of(o);
    if (!file || !o->calls->write)
        return -EBADF;
    long n = o->calls->write(o->state, file->file, o->s->node[file->node].path, o->ask->offset,
                             o->ask->data, o->ask->data_len, o->f);
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
    struct fuse_statfs fs = {.bsize = 4096, .frsize = 4096, .namelen = NS_NAME_MOST};
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
    int r = s->tree.asks ? s->tree.asks(ask->uid, ask->gid, ask->pid) : 0;
    if (r < 0)
        return r;
    o.stranger = r > 0;
    if (ask->op >= sizeof operations / sizeof *operations || !operations[ask->op])
        return -ENOSYS;
    return operations[ask->op](&o);
}
