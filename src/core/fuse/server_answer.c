/* The operations. */
#include "server_parts.h"

#include <errno.h>
#include <string.h>

/* Of open(2), as Linux numbers them everywhere. */
enum { OPEN_ACCMODE = 3, OPEN_TRUNC = 01000 };

struct op {
    struct fuse_server *s;
    const struct ns_calls *calls;
    void *state;
    const struct fuse_request *req;
    uint64_t path; /* of the request's node */
    uint64_t *found;
    struct buf *out;
    struct fail *f;
    bool other_user; /* the requester is another user, whose rights cannot be taken */
    uint8_t body[FUSE_BODY_MAX];
};

static int append_body(struct op *o, size_t len)
{
    buf_add(o->out, o->body, len);
    return 0;
}

/* 0 is no number for a file. */
static uint64_t nonzero_inode(uint64_t path)
{
    return path ? path : 1;
}

static struct ns_attr attr_of(const struct fuse_server *s, const struct ns_stat *st)
{
    struct ns_attr attr;
    ns_served_attr(&s->tree, st, &attr);
    attr.ino = nonzero_inode(attr.ino);
    return attr;
}

/* --- names --- */

static int stat_path(struct op *o, uint64_t path, struct ns_attr *attr)
{
    struct ns_stat st = {.path = 0};
    int r = o->calls->stat(o->state, path, &st, o->f);
    if (r == 0)
        *attr = attr_of(o->s, &st);
    return r;
}

static int find_node(struct op *o, struct ns_attr *attr)
{
    const char *name = o->req->name;
    uint64_t path;
    struct ns_stat st = {.path = 0};
    if (ns_is_dots(name))
        return -EINVAL;
    if (strlen(name) > NS_NAME_MAX)
        return -ENAMETOOLONG;
    int r = o->calls->look ? o->calls->look(o->state, o->path, name, &path, &st, o->f)
                           : o->calls->walk(o->state, o->path, name, &path, o->f);
    if (r < 0)
        return r;
    if (o->calls->look)
        *attr = attr_of(o->s, &st);
    *o->found = path + 1;
    return 0;
}

static struct fuse_valid validity(const struct op *o)
{
    return (struct fuse_valid){o->s->tree.valid_s, o->s->tree.valid_s};
}

/* A server without look is asked twice, and may answer each but once. */
static int answer_lookup(struct op *o)
{
    struct ns_attr attr;
    int r = *o->found ? 0 : find_node(o, &attr);
    if (r == 0 && !o->calls->look)
        r = stat_path(o, *o->found - 1, &attr);
    if (ns_would_block(r))
        return r;
    uint64_t number = *o->found;
    *o->found = 0;
    if (r == 0)
        return append_body(o, fuse_body_entry(o->body, number, validity(o), &attr));
    fs_forget(o->s, number, 1);
    return r;
}

static int answer_getattr(struct op *o)
{
    struct ns_attr attr;
    int r = stat_path(o, o->path, &attr);
    return r < 0 ? r : append_body(o, fuse_body_attr(o->body, o->s->tree.valid_s, &attr));
}

static int may_open(struct op *o)
{
    struct ns_stat st = {.guarded = false};
    bool foreign = o->s->caller_fn && o->req->uid && o->req->uid != o->s->tree.uid;
    int r = foreign ? o->calls->stat(o->state, o->path, &st, o->f) : 0;
    return r == 0 && (st.owner_only || (st.guarded && o->other_user)) ? -EACCES : r;
}

/* A file can be made empty; that is all. */
static int answer_setattr(struct op *o)
{
    const struct ns_change *c = &o->req->change;
    if (!(c->set & NS_SET_SIZE) || c->set & (NS_SET_MODE | NS_SET_UID | NS_SET_GID))
        return -EPERM;
    int r = may_open(o);
    if (r == 0)
        r = ns_served_truncate(&o->s->tree, o->path, c->to.size, o->f);
    return r < 0 ? r : answer_getattr(o);
}

/* --- directories --- */

static int open_any(struct op *o, bool directory, unsigned how, uint32_t flags)
{
    struct ns_file file;
    int r = directory ? 0 : may_open(o);
    if (r == 0)
        r = ns_served_open(&o->s->tree, o->path, directory, how, &file, o->f);
    if (r < 0)
        return r;
    uint64_t handle = fs_open_new(o->s, &file, directory);
    if (handle)
        return append_body(o, fuse_body_open(o->body, handle, flags, 0));
    ns_file_close(&file);
    return -ENFILE;
}

static int answer_opendir(struct op *o)
{
    return open_any(o, true, NS_READ, 0);
}

/* The part of a listing that a reply has. */
struct entries {
    uint8_t *at;
    size_t len, cap;
};

/* One more lookup of an entry; where st is NULL, or memory ends, the kernel is told the name alone.
 */
static void append_known(struct op *o, const struct ns_file *dir, const struct ns_stat *st,
                         uint8_t *at)
{
    uint64_t path;
    struct ns_attr attr;
    if (!st || o->calls->hold(o->state, dir->path, st, &path, o->f) < 0) {
        fuse_body_absent(at, 0);
        return;
    }
    attr = attr_of(o->s, st);
    fuse_body_entry(at, path + 1, validity(o), &attr);
}

/* 1; 0: it does not fit any more. */
static int append_entry(struct op *o, const struct ns_file *dir, const struct ns_stat *known,
                        const struct ns_entry *e, struct entries *out)
{
    size_t head = o->req->op == FUSE_OP_READDIRPLUS ? FUSE_ENTRY_BYTES : 0;
    size_t left = out->cap - out->len;
    size_t n = left > head ? fuse_body_dirent(out->at + out->len + head, left - head, e) : 0;
    if (n && head)
        append_known(o, dir, known, out->at + out->len);
    out->len += n ? head + n : 0;
    return n != 0;
}

static int append_entries(struct op *o, const struct ns_file *dir, struct entries *out)
{
    struct ns_stat st;
    struct ns_entry e;
    int r = 1;
    for (uint64_t cookie = o->req->offset; r > 0; cookie++) {
        r = ns_served_entry(&o->s->tree, dir, cookie, &st, &e, o->f);
        if (r <= 0)
            break;
        e.ino = nonzero_inode(e.ino);
        if (!append_entry(o, dir, o->calls->hold && r == NS_ENTRY_STAT ? &st : NULL, &e, out))
            return out->len ? 0 : -EINVAL;
    }
    return r;
}

/* A failure behind entries is the next request's. */
static int answer_readdir(struct op *o)
{
    const struct fs_open *dir = fs_open_at(o->s, o->req->fh);
    struct entries out = {.cap = o->req->size < FUSE_SERVER_IO ? (size_t)o->req->size
                                                               : FUSE_SERVER_IO};
    if (!dir || !dir->directory)
        return -EBADF;
    out.at = buf_reserve(o->out, out.cap);
    if (!out.at)
        return -ENOMEM;
    const struct ns_file file = dir->file;
    int r = append_entries(o, &file, &out);
    if (r < 0 && !out.len)
        return r;
    buf_commit(o->out, out.len);
    return 0;
}

/* --- files --- */

static int open_file(struct op *o)
{
    unsigned how = o->req->flags & OPEN_ACCMODE;
    if (how > NS_BOTH)
        return -EINVAL;
    if (o->req->flags & OPEN_TRUNC)
        how |= NS_TRUNCATE;
    return open_any(o, false, how, FUSE_OPEN_DIRECT_IO);
}

static struct ns_file *file_of(const struct op *o)
{
    struct fs_open *open = fs_open_at(o->s, o->req->fh);
    return open && !open->directory ? &open->file : NULL;
}

static int read_file(struct op *o)
{
    struct ns_file *file = file_of(o);
    size_t len = o->req->size < FUSE_SERVER_IO ? (size_t)o->req->size : FUSE_SERVER_IO;
    if (!file)
        return -EBADF;
    void *at = buf_reserve(o->out, len ? len : 1);
    if (!at)
        return -ENOMEM;
    long n = ns_read(file, o->req->offset, at, len, o->f);
    if (n > 0)
        buf_commit(o->out, (size_t)n);
    return n < 0 ? (int)n : 0;
}

static int write_file(struct op *o)
{
    struct ns_file *file = file_of(o);
    if (!file)
        return -EBADF;
    long n = ns_write(file, o->req->offset, o->req->data, o->req->data_len, o->f);
    return n < 0 ? (int)n : append_body(o, fuse_body_count(o->body, (uint32_t)n));
}

static int answer_release(struct op *o)
{
    struct fs_open *file = fs_open_at(o->s, o->req->fh);
    if (!file)
        return -EBADF;
    fs_open_close(o->s, file);
    return 0;
}

/* --- the rest --- */

static int answer_init(struct op *o)
{
    enum { MINOR = 31, MIN_MINOR = 12, PAGE_BYTES = 4096 };
    uint64_t wanted = FUSE_INIT_ATOMIC_O_TRUNC | FUSE_INIT_BIG_WRITES | FUSE_INIT_PARALLEL_DIROPS |
                      FUSE_INIT_MAX_PAGES;
    /* Attributes come with the names: asked for by name they cost far more. Always, and not only
     * where the kernel saw that they are used (READDIRPLUS_AUTO): that halves the CPU time of
     * ls -f, but find -size reads a whole directory before it looks at the first file, and then
     * sends a message for each. */
    if (o->calls->hold)
        wanted |= FUSE_INIT_READDIRPLUS;
    struct fuse_init init = {.minor = o->req->init.minor < MINOR ? o->req->init.minor : MINOR,
                             .flags = o->req->init.flags & wanted,
                             .max_write = FUSE_SERVER_IO,
                             .max_pages = FUSE_SERVER_IO / PAGE_BYTES};
    if (o->req->init.major != 7 || init.minor < MIN_MINOR)
        return -EPROTO;
    return append_body(o, fuse_body_init(o->body, &init));
}

static int answer_statfs(struct op *o)
{
    struct ns_statfs fs = {.io_bytes = 4096, .block_bytes = 4096, .name_max = NS_NAME_MAX};
    return append_body(o, fuse_body_statfs(o->body, &fs));
}

static int answer_nothing(struct op *o)
{
    return 0;
}

static int refuse_request(struct op *o)
{
    return -EPERM;
}

/* What is not there is unknown to us: -ENOSYS, which the kernel remembers. */
static int (*const operations[])(struct op *o) = {
    [FUSE_OP_INIT] = answer_init,
    [FUSE_OP_DESTROY] = answer_nothing,
    [FUSE_OP_STATFS] = answer_statfs,
    [FUSE_OP_LOOKUP] = answer_lookup,
    [FUSE_OP_GETATTR] = answer_getattr,
    [FUSE_OP_SETATTR] = answer_setattr,
    [FUSE_OP_OPENDIR] = answer_opendir,
    [FUSE_OP_READDIR] = answer_readdir,
    [FUSE_OP_READDIRPLUS] = answer_readdir,
    [FUSE_OP_RELEASEDIR] = answer_release,
    [FUSE_OP_OPEN] = open_file,
    [FUSE_OP_READ] = read_file,
    [FUSE_OP_WRITE] = write_file,
    [FUSE_OP_RELEASE] = answer_release,
    [FUSE_OP_SYMLINK] = refuse_request,
    [FUSE_OP_MKNOD] = refuse_request,
    [FUSE_OP_MKDIR] = refuse_request,
    [FUSE_OP_UNLINK] = refuse_request,
    [FUSE_OP_RMDIR] = refuse_request,
    [FUSE_OP_RENAME] = refuse_request,
    [FUSE_OP_RENAME2] = refuse_request,
    [FUSE_OP_LINK] = refuse_request,
    [FUSE_OP_CREATE] = refuse_request,
    [FUSE_OP_TMPFILE] = refuse_request,
};

int fs_answer(struct fuse_server *s, const struct fuse_request *req, uint64_t *found,
              struct buf *out, struct fail *f)
{
    const struct ns_server *files = &s->tree.files;
    int r = s->caller_fn ? s->caller_fn(req->uid, req->gid, req->pid) : 0;
    struct op o = {s, files->calls, files->state, req, req->node - 1, found, out, f, r > 0, {0}};
    if (r < 0)
        return r;
    if (req->op >= sizeof operations / sizeof *operations || !operations[req->op])
        return -ENOSYS;
    return operations[req->op](&o);
}
