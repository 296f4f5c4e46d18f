/* Requests. */
#include "core/fuse/wire.h"

#include <errno.h>
#include <string.h>

/* What is left of a request. */
struct rest {
    const uint8_t *at;
    size_t len;
    bool truncated; /* more was taken than there is */
};

static const uint8_t *read_bytes(struct rest *r, size_t len)
{
    static const uint8_t none[64];
    if (len > r->len) {
        r->truncated = true;
        r->len = 0;
        return none;
    }
    const uint8_t *at = r->at;
    r->at += len;
    r->len -= len;
    return at;
}

static uint32_t read_u32(struct rest *r)
{
    uint32_t v;
    memcpy(&v, read_bytes(r, sizeof v), sizeof v);
    return v;
}

static uint64_t read_u64(struct rest *r)
{
    uint64_t v;
    memcpy(&v, read_bytes(r, sizeof v), sizeof v);
    return v;
}

static const char *read_string(struct rest *r)
{
    const void *end = memchr(r->at, 0, r->len);
    if (!end) {
        r->truncated = true;
        return "";
    }
    return (const char *)read_bytes(r, (size_t)((const uint8_t *)end - r->at) + 1);
}

static const char *read_name(struct rest *r)
{
    const char *s = read_string(r);
    if (!*s || strchr(s, '/'))
        r->truncated = true;
    return s;
}

static void read_data(struct rest *r, struct fuse_request *a, uint64_t len)
{
    a->data_len = len <= r->len ? (size_t)len : r->len + 1;
    a->data = read_bytes(r, a->data_len);
}

/* SETATTR's bits have the values of core/ns/attr.h, except the one for a handle and those of times,
 * where FUSE's mean the current time. Without an id bit the owner does not change. */
enum { SET_SAME = 0x3f, SET_BY_HANDLE = 1 << 6, SET_TO = NS_SET_ACCESSED_TO | NS_SET_MODIFIED_TO };

static uint32_t changes_of(uint32_t valid)
{
    uint32_t set = valid & SET_SAME, times = set & (NS_SET_ACCESSED | NS_SET_MODIFIED);
    return valid ? set | (times << 3 & ~valid & SET_TO) : NS_SET_CHANGED;
}

static void decode_setattr(struct rest *r, struct fuse_request *a)
{
    uint32_t valid = read_u32(r);
    struct ns_attr *to = &a->change.to;
    a->change.set = changes_of(valid);
    a->has_fh = valid & SET_BY_HANDLE;
    read_bytes(r, 4);
    a->fh = read_u64(r);
    to->size = read_u64(r);
    read_bytes(r, 8); /* lock owner */
    to->accessed.s = read_u64(r);
    to->modified.s = read_u64(r);
    read_bytes(r, 8);
    to->accessed.ns = read_u32(r);
    to->modified.ns = read_u32(r);
    read_bytes(r, 4);
    to->mode = read_u32(r);
    read_bytes(r, 4);
    to->uid = read_u32(r);
    to->gid = read_u32(r);
}

static void decode_init(struct rest *r, struct fuse_request *a)
{
    a->init.major = read_u32(r);
    a->init.minor = read_u32(r);
    read_bytes(r, 4); /* readahead */
    a->init.flags = read_u32(r);
    if (a->init.flags & FUSE_INIT_EXT && r->len >= 4)
        a->init.flags |= (uint64_t)read_u32(r) << 32;
}

/* READ, WRITE, READDIR begin alike. */
static void decode_io(struct rest *r, struct fuse_request *a)
{
    a->fh = read_u64(r);
    a->offset = read_u64(r);
    a->size = read_u32(r);
    read_bytes(r, 4 + 8); /* its flags, lock owner */
    a->flags = read_u32(r);
    read_bytes(r, 4);
}

static void decode_create(struct rest *r, struct fuse_request *a)
{
    if (a->op == FUSE_OP_CREATE || a->op == FUSE_OP_TMPFILE)
        a->flags = read_u32(r);
    a->mode = read_u32(r);
    if (a->op == FUSE_OP_MKNOD)
        a->rdev = read_u32(r);
    read_u32(r); /* umask, already applied */
    if (a->op != FUSE_OP_MKDIR)
        read_u32(r);
    a->name = a->op == FUSE_OP_TMPFILE ? "" : read_name(r);
}

static void decode_names(struct rest *r, struct fuse_request *a)
{
    if (a->op == FUSE_OP_RENAME || a->op == FUSE_OP_RENAME2 || a->op == FUSE_OP_LINK)
        a->node2 = read_u64(r);
    if (a->op == FUSE_OP_RENAME2) {
        a->flags = read_u32(r);
        read_u32(r);
    }
    a->name = read_name(r);
    if (a->op == FUSE_OP_RENAME || a->op == FUSE_OP_RENAME2)
        a->name2 = read_name(r);
    if (a->op == FUSE_OP_SYMLINK)
        a->name2 = read_string(r);
}

static void decode_xattr(struct rest *r, struct fuse_request *a)
{
    if (a->op != FUSE_OP_REMOVEXATTR)
        a->size = read_u32(r);
    if (a->op == FUSE_OP_SETXATTR)
        a->flags = read_u32(r);
    else if (a->op != FUSE_OP_REMOVEXATTR)
        read_u32(r);
    if (a->op != FUSE_OP_LISTXATTR) {
        a->name = read_string(r);
        r->truncated |= !*a->name;
    }
    if (a->op == FUSE_OP_SETXATTR)
        read_data(r, a, a->size);
}

static void decode_handle(struct rest *r, struct fuse_request *a)
{
    a->fh = read_u64(r);
    if (a->op == FUSE_OP_FSYNC || a->op == FUSE_OP_FSYNCDIR) {
        a->flags = read_u32(r);
        return;
    }
    if (a->op != FUSE_OP_FALLOCATE && a->op != FUSE_OP_LSEEK)
        return;
    a->offset = read_u64(r);
    if (a->op == FUSE_OP_FALLOCATE)
        a->size = read_u64(r);
    a->flags = read_u32(r);
}

static void decode_copy(struct rest *r, struct fuse_request *a)
{
    a->fh = read_u64(r);
    a->offset = read_u64(r);
    a->node2 = read_u64(r);
    a->fh2 = read_u64(r);
    a->offset2 = read_u64(r);
    a->size = read_u64(r);
    read_bytes(r, 8); /* flags: none are defined */
}

static void decode_forget(struct rest *r, struct fuse_request *a)
{
    a->size = read_u64(r);
}

static void decode_forgets(struct rest *r, struct fuse_request *a)
{
    a->size = read_u32(r);
    read_u32(r);
    a->data = r->at;
    a->data_len = r->len;
}

static void decode_getattr(struct rest *r, struct fuse_request *a)
{
    a->flags = read_u32(r);
    read_u32(r);
    a->fh = read_u64(r);
}

static void decode_flags(struct rest *r, struct fuse_request *a)
{
    a->flags = read_u32(r);
    read_u32(r);
}

static void decode_write(struct rest *r, struct fuse_request *a)
{
    decode_io(r, a);
    read_data(r, a, a->size);
}

static void decode_lock(struct rest *r, struct fuse_request *a)
{
    a->fh = read_u64(r);
    a->owner = read_u64(r);
    a->lock.start = read_u64(r);
    a->lock.end = read_u64(r);
    a->lock.type = read_u32(r);
    a->lock.pid = read_u32(r);
    a->flags = read_u32(r);
    read_u32(r);
}

static void decode_flush(struct rest *r, struct fuse_request *a)
{
    a->fh = read_u64(r);
    read_u64(r);
    a->owner = read_u64(r);
}

static void decode_interrupt(struct rest *r, struct fuse_request *a)
{
    a->interrupted = read_u64(r);
}

static void decode_nothing(struct rest *r, struct fuse_request *a)
{
    (void)r;
    (void)a;
}

/* What of a request follows its head. NULL: one that we do not know. */
static void (*const bodies[])(struct rest *r, struct fuse_request *a) = {
    [FUSE_OP_LOOKUP] = decode_names,
    [FUSE_OP_UNLINK] = decode_names,
    [FUSE_OP_RMDIR] = decode_names,
    [FUSE_OP_SYMLINK] = decode_names,
    [FUSE_OP_LINK] = decode_names,
    [FUSE_OP_RENAME] = decode_names,
    [FUSE_OP_RENAME2] = decode_names,
    [FUSE_OP_MKNOD] = decode_create,
    [FUSE_OP_MKDIR] = decode_create,
    [FUSE_OP_CREATE] = decode_create,
    [FUSE_OP_TMPFILE] = decode_create,
    [FUSE_OP_FORGET] = decode_forget,
    [FUSE_OP_BATCH_FORGET] = decode_forgets,
    [FUSE_OP_GETATTR] = decode_getattr,
    [FUSE_OP_SETATTR] = decode_setattr,
    [FUSE_OP_OPEN] = decode_flags,
    [FUSE_OP_OPENDIR] = decode_flags,
    [FUSE_OP_ACCESS] = decode_flags,
    [FUSE_OP_READ] = decode_io,
    [FUSE_OP_READDIR] = decode_io,
    [FUSE_OP_READDIRPLUS] = decode_io,
    [FUSE_OP_WRITE] = decode_write,
    [FUSE_OP_RELEASE] = decode_handle,
    [FUSE_OP_RELEASEDIR] = decode_handle,
    [FUSE_OP_FSYNC] = decode_handle,
    [FUSE_OP_FSYNCDIR] = decode_handle,
    [FUSE_OP_FALLOCATE] = decode_handle,
    [FUSE_OP_LSEEK] = decode_handle,
    [FUSE_OP_SETXATTR] = decode_xattr,
    [FUSE_OP_GETXATTR] = decode_xattr,
    [FUSE_OP_LISTXATTR] = decode_xattr,
    [FUSE_OP_REMOVEXATTR] = decode_xattr,
    [FUSE_OP_COPY_FILE_RANGE] = decode_copy,
    [FUSE_OP_INIT] = decode_init,
    [FUSE_OP_READLINK] = decode_nothing,
    [FUSE_OP_STATFS] = decode_nothing,
    [FUSE_OP_DESTROY] = decode_nothing,
    [FUSE_OP_INTERRUPT] = decode_interrupt,
    [FUSE_OP_FLUSH] = decode_flush,
    [FUSE_OP_GETLK] = decode_lock,
    [FUSE_OP_SETLK] = decode_lock,
    [FUSE_OP_SETLKW] = decode_lock,
};

static int decode_body(struct rest *r, struct fuse_request *a)
{
    size_t op = (size_t)a->op;
    if (op >= sizeof bodies / sizeof *bodies || !bodies[op])
        return -ENOSYS;
    bodies[op](r, a);
    return r->truncated ? -EINVAL : 0;
}

int fuse_request_decode(const void *bytes, size_t len, struct fuse_request *out)
{
    struct rest r = {bytes, len, false};
    memset(out, 0, sizeof *out);
    uint32_t whole = read_u32(&r);
    out->op = read_u32(&r);
    out->unique = read_u64(&r);
    out->node = read_u64(&r);
    out->uid = read_u32(&r);
    out->gid = read_u32(&r);
    out->pid = read_u32(&r);
    read_u32(&r);
    if (r.truncated || whole != len)
        return -EINVAL;
    return decode_body(&r, out);
}

bool fuse_request_forget(const struct fuse_request *req, size_t i, uint64_t *node,
                         uint64_t *lookups)
{
    if (req->op == FUSE_OP_FORGET) {
        *node = req->node;
        *lookups = req->size;
        return i == 0;
    }
    if (i >= req->size || i >= req->data_len / FUSE_FORGET_EACH)
        return false;
    const uint8_t *at = (const uint8_t *)req->data + i * FUSE_FORGET_EACH;
    memcpy(node, at, sizeof *node);
    memcpy(lookups, at + 8, sizeof *lookups);
    return true;
}
