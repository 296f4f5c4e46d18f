/* Requests. */
#include "core/base/bytes.h"
#include "core/fuse/wire.h"

#include <errno.h>
#include <string.h>

/* What is left of a request. */
struct rest {
    const uint8_t *at;
    size_t len;
    bool cut; /* more was taken than there is */
};

static const uint8_t *take(struct rest *r, size_t len)
{
    static const uint8_t none[64];
    if (len > r->len) {
        r->cut = true;
        r->len = 0;
        return none;
    }
    const uint8_t *at = r->at;
    r->at += len;
    r->len -= len;
    return at;
}

static uint32_t u32(struct rest *r)
{
    uint32_t v;
    memcpy(&v, take(r, sizeof v), sizeof v);
    return v;
}

static uint64_t u64(struct rest *r)
{
    uint64_t v;
    memcpy(&v, take(r, sizeof v), sizeof v);
    return v;
}

static const char *text(struct rest *r)
{
    const void *end = memchr(r->at, 0, r->len);
    if (!end) {
        r->cut = true;
        return "";
    }
    return (const char *)take(r, (size_t)((const uint8_t *)end - r->at) + 1);
}

static const char *name(struct rest *r)
{
    const char *s = text(r);
    if (!*s || strchr(s, '/'))
        r->cut = true;
    return s;
}

static void data(struct rest *r, struct fuse_ask *a, uint64_t len)
{
    a->data_len = len <= r->len ? (size_t)len : r->len + 1;
    a->data = take(r, a->data_len);
}

/* Bits of what SETATTR changes stand where core/ns/attr.h has them, but for a handle's, and those
 * of times: FUSE's say that it is now. None is a chown to nobody. */
enum { SET_SAME = 0x3f, SET_BY_HANDLE = 1 << 6, SET_TO = NS_SET_ACCESSED_TO | NS_SET_MODIFIED_TO };

static uint32_t changes_of(uint32_t valid)
{
    uint32_t set = valid & SET_SAME, times = set & (NS_SET_ACCESSED | NS_SET_MODIFIED);
    return valid ? set | (times << 3 & ~valid & SET_TO) : NS_SET_CHANGED;
}

static void take_setattr(struct rest *r, struct fuse_ask *a)
{
    uint32_t valid = u32(r);
    struct ns_attr *to = &a->change.to;
    a->change.set = changes_of(valid);
    a->by_handle = valid & SET_BY_HANDLE;
    take(r, 4);
    a->fh = u64(r);
    to->size = u64(r);
    take(r, 8); /* lock owner */
    to->accessed.s = u64(r);
    to->modified.s = u64(r);
    take(r, 8);
    to->accessed.ns = u32(r);
    to->modified.ns = u32(r);
    take(r, 4);
    to->mode = u32(r);
    take(r, 4);
    to->uid = u32(r);
    to->gid = u32(r);
}

static void take_init(struct rest *r, struct fuse_ask *a)
{
    a->init.major = u32(r);
    a->init.minor = u32(r);
    take(r, 4); /* readahead */
    a->init.flags = u32(r);
    if (a->init.flags & FUSE_INIT_EXT && r->len >= 4)
        a->init.flags |= (uint64_t)u32(r) << 32;
}

/* READ, WRITE, READDIR begin alike. */
static void take_io(struct rest *r, struct fuse_ask *a)
{
    a->fh = u64(r);
    a->offset = u64(r);
    a->size = u32(r);
    take(r, 4 + 8); /* its flags, lock owner */
    a->flags = u32(r);
    take(r, 4);
}

static void take_made(struct rest *r, struct fuse_ask *a)
{
    if (a->op == FUSE_OP_CREATE || a->op == FUSE_OP_TMPFILE)
        a->flags = u32(r);
    a->mode = u32(r);
    if (a->op == FUSE_OP_MKNOD)
        a->rdev = u32(r);
    u32(r); /* umask, already applied */
    if (a->op != FUSE_OP_MKDIR)
        u32(r);
    a->name = a->op == FUSE_OP_TMPFILE ? "" : name(r);
}

static void take_names(struct rest *r, struct fuse_ask *a)
{
    if (a->op == FUSE_OP_RENAME || a->op == FUSE_OP_RENAME2 || a->op == FUSE_OP_LINK)
        a->node2 = u64(r);
    if (a->op == FUSE_OP_RENAME2) {
        a->flags = u32(r);
        u32(r);
    }
    a->name = name(r);
    if (a->op == FUSE_OP_RENAME || a->op == FUSE_OP_RENAME2)
        a->name2 = name(r);
    if (a->op == FUSE_OP_SYMLINK)
        a->name2 = text(r);
}

static void take_xattr(struct rest *r, struct fuse_ask *a)
{
    if (a->op != FUSE_OP_REMOVEXATTR)
        a->size = u32(r);
    if (a->op == FUSE_OP_SETXATTR)
        a->flags = u32(r);
    else if (a->op != FUSE_OP_REMOVEXATTR)
        u32(r);
    if (a->op != FUSE_OP_LISTXATTR) {
        a->name = text(r);
        r->cut |= !*a->name;
    }
    if (a->op == FUSE_OP_SETXATTR)
        data(r, a, a->size);
}

static void take_handle(struct rest *r, struct fuse_ask *a)
{
    a->fh = u64(r);
    if (a->op == FUSE_OP_FSYNC || a->op == FUSE_OP_FSYNCDIR) {
        a->flags = u32(r);
        return;
    }
    if (a->op != FUSE_OP_FALLOCATE && a->op != FUSE_OP_LSEEK)
        return;
    a->offset = u64(r);
    if (a->op == FUSE_OP_FALLOCATE)
        a->size = u64(r);
    a->flags = u32(r);
}

static void take_copy(struct rest *r, struct fuse_ask *a)
{
    a->fh = u64(r);
    a->offset = u64(r);
    a->node2 = u64(r);
    a->fh2 = u64(r);
    a->offset2 = u64(r);
    a->size = u64(r);
    take(r, 8); /* flags: none are defined */
}

static void take_forget(struct rest *r, struct fuse_ask *a)
{
    a->size = u64(r);
}

static void take_forgets(struct rest *r, struct fuse_ask *a)
{
    a->size = u32(r);
    u32(r);
    a->data = r->at;
    a->data_len = r->len;
}

static void take_getattr(struct rest *r, struct fuse_ask *a)
{
    a->flags = u32(r);
    u32(r);
    a->fh = u64(r);
}

static void take_flags(struct rest *r, struct fuse_ask *a)
{
    a->flags = u32(r);
    u32(r);
}

static void take_write(struct rest *r, struct fuse_ask *a)
{
    take_io(r, a);
    data(r, a, a->size);
}

static void take_lock(struct rest *r, struct fuse_ask *a)
{
    a->fh = u64(r);
    a->owner = u64(r);
    a->lock.start = u64(r);
    a->lock.end = u64(r);
    a->lock.type = u32(r);
    a->lock.pid = u32(r);
    a->flags = u32(r);
    u32(r);
}

static void take_flush(struct rest *r, struct fuse_ask *a)
{
    a->fh = u64(r);
    u64(r);
    a->owner = u64(r);
}

static void take_interrupt(struct rest *r, struct fuse_ask *a)
{
    a->stopped = u64(r);
}

static void take_nothing(struct rest *r, struct fuse_ask *a)
{
    (void)r;
    (void)a;
}

/* What of a request follows its head. NULL: one that we do not know. */
static void (*const bodies[])(struct rest *r, struct fuse_ask *a) = {
    [FUSE_OP_LOOKUP] = take_names,
    [FUSE_OP_UNLINK] = take_names,
    [FUSE_OP_RMDIR] = take_names,
    [FUSE_OP_SYMLINK] = take_names,
    [FUSE_OP_LINK] = take_names,
    [FUSE_OP_RENAME] = take_names,
    [FUSE_OP_RENAME2] = take_names,
    [FUSE_OP_MKNOD] = take_made,
    [FUSE_OP_MKDIR] = take_made,
    [FUSE_OP_CREATE] = take_made,
    [FUSE_OP_TMPFILE] = take_made,
    [FUSE_OP_FORGET] = take_forget,
    [FUSE_OP_BATCH_FORGET] = take_forgets,
    [FUSE_OP_GETATTR] = take_getattr,
    [FUSE_OP_SETATTR] = take_setattr,
    [FUSE_OP_OPEN] = take_flags,
    [FUSE_OP_OPENDIR] = take_flags,
    [FUSE_OP_ACCESS] = take_flags,
    [FUSE_OP_READ] = take_io,
    [FUSE_OP_READDIR] = take_io,
    [FUSE_OP_WRITE] = take_write,
    [FUSE_OP_RELEASE] = take_handle,
    [FUSE_OP_RELEASEDIR] = take_handle,
    [FUSE_OP_FSYNC] = take_handle,
    [FUSE_OP_FSYNCDIR] = take_handle,
    [FUSE_OP_FALLOCATE] = take_handle,
    [FUSE_OP_LSEEK] = take_handle,
    [FUSE_OP_SETXATTR] = take_xattr,
    [FUSE_OP_GETXATTR] = take_xattr,
    [FUSE_OP_LISTXATTR] = take_xattr,
    [FUSE_OP_REMOVEXATTR] = take_xattr,
    [FUSE_OP_COPY_FILE_RANGE] = take_copy,
    [FUSE_OP_INIT] = take_init,
    [FUSE_OP_READLINK] = take_nothing,
    [FUSE_OP_STATFS] = take_nothing,
    [FUSE_OP_DESTROY] = take_nothing,
    [FUSE_OP_INTERRUPT] = take_interrupt,
    [FUSE_OP_FLUSH] = take_flush,
    [FUSE_OP_GETLK] = take_lock,
    [FUSE_OP_SETLK] = take_lock,
    [FUSE_OP_SETLKW] = take_lock,
};

static int take_body(struct rest *r, struct fuse_ask *a)
{
    size_t op = (size_t)a->op;
    if (op >= sizeof bodies / sizeof *bodies || !bodies[op])
        return -ENOSYS;
    bodies[op](r, a);
    return r->cut ? -EINVAL : 0;
}

int fuse_ask_decode(const void *bytes, size_t len, struct fuse_ask *out)
{
    struct rest r = {bytes, len, false};
    memset(out, 0, sizeof *out);
    uint32_t whole = u32(&r);
    out->op = u32(&r);
    out->unique = u64(&r);
    out->node = u64(&r);
    out->uid = u32(&r);
    out->gid = u32(&r);
    out->pid = u32(&r);
    u32(&r);
    if (r.cut || whole != len)
        return -EINVAL;
    return take_body(&r, out);
}

bool fuse_ask_forget(const struct fuse_ask *ask, size_t i, uint64_t *node, uint64_t *lookups)
{
    if (ask->op == FUSE_OP_FORGET) {
        *node = ask->node;
        *lookups = ask->size;
        return i == 0;
    }
    if (i >= ask->size || i >= ask->data_len / FUSE_FORGET_EACH)
        return false;
    const uint8_t *at = (const uint8_t *)ask->data + i * FUSE_FORGET_EACH;
    memcpy(node, at, sizeof *node);
    memcpy(lookups, at + 8, sizeof *lookups);
    return true;
}
