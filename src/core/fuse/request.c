/* Requests. */
#include "core/fuse/wire.h"

#include "core/base/cursor.h"

#include <errno.h>
#include <string.h>

static const char *read_name(struct cursor *r)
{
    const char *s = cursor_string(r);
    if (!*s || strchr(s, '/'))
        r->bad = true;
    return s;
}

static void read_data(struct cursor *r, struct fuse_request *a, uint64_t len)
{
    a->data = cursor_array(r, len, 1);
    a->data_len = a->data ? (size_t)len : 0;
}

/* --- the fields behind a request's head, in order --- */

struct field {
    enum {
        KIND_END,
        KIND_U32,
        KIND_U64,
        KIND_SIZE, /* 32 bits, of a member of 64 */
        KIND_NAME,
        KIND_LABEL, /* of an extended attribute: not empty */
        KIND_STRING,
        KIND_DATA, /* as many bytes as the member `size' says */
        KIND_REST, /* data: all that is left */
        KIND_UNUSED
    } kind;
    size_t at; /* the member's offset; of KIND_UNUSED the bytes */
};

#define FIELD(kind, where)                                                                         \
    {                                                                                              \
        KIND_##kind, where                                                                         \
    }
#define U32(member)    FIELD(U32, offsetof(struct fuse_request, member))
#define U64(member)    FIELD(U64, offsetof(struct fuse_request, member))
#define SIZE(member)   FIELD(SIZE, offsetof(struct fuse_request, member))
#define NAME(member)   FIELD(NAME, offsetof(struct fuse_request, member))
#define LABEL(member)  FIELD(LABEL, offsetof(struct fuse_request, member))
#define STRING(member) FIELD(STRING, offsetof(struct fuse_request, member))
#define DATA           FIELD(DATA, 0)
#define REST           FIELD(REST, 0)
#define UNUSED(bytes)  FIELD(UNUSED, bytes)
#define FIELDS(...)                                                                                \
    (const struct field[])                                                                         \
    {                                                                                              \
        __VA_ARGS__, FIELD(END, 0)                                                                 \
    }
#define FILE_FLAGS FIELDS(U32(flags), UNUSED(4))
/* Behind the size are flags of their own, and the lock owner. */
#define RANGE U64(fh), U64(offset), SIZE(size), UNUSED(4 + 8), U32(flags), UNUSED(4)
#define LOCK                                                                                       \
    FIELDS(U64(fh), U64(owner), U64(lock.start), U64(lock.end), U32(lock.type), U32(lock.pid),     \
           U32(flags), UNUSED(4))

/* NULL: a request that we do not know. Unused are umasks, too, which are applied already. */
static const struct field *const bodies[] = {
    [FUSE_OP_LOOKUP] = FIELDS(NAME(name)),
    [FUSE_OP_UNLINK] = FIELDS(NAME(name)),
    [FUSE_OP_RMDIR] = FIELDS(NAME(name)),
    [FUSE_OP_SYMLINK] = FIELDS(NAME(name), STRING(name2)),
    [FUSE_OP_LINK] = FIELDS(U64(node2), NAME(name)),
    [FUSE_OP_RENAME] = FIELDS(U64(node2), NAME(name), NAME(name2)),
    [FUSE_OP_RENAME2] = FIELDS(U64(node2), U32(flags), UNUSED(4), NAME(name), NAME(name2)),
    [FUSE_OP_MKNOD] = FIELDS(U32(mode), U32(rdev), UNUSED(4 + 4), NAME(name)),
    [FUSE_OP_MKDIR] = FIELDS(U32(mode), UNUSED(4), NAME(name)),
    [FUSE_OP_CREATE] = FIELDS(U32(flags), U32(mode), UNUSED(4 + 4), NAME(name)),
    [FUSE_OP_TMPFILE] = FIELDS(U32(flags), U32(mode), UNUSED(4 + 4)),
    [FUSE_OP_FORGET] = FIELDS(U64(size)),
    [FUSE_OP_BATCH_FORGET] = FIELDS(SIZE(size), UNUSED(4), REST),
    [FUSE_OP_GETATTR] = FIELDS(U32(flags), UNUSED(4), U64(fh)),
    [FUSE_OP_SETATTR] =
        FIELDS(U32(change.set), UNUSED(4), U64(fh), U64(change.to.size), UNUSED(8),
               U64(change.to.accessed.s), U64(change.to.modified.s), UNUSED(8),
               SIZE(change.to.accessed.ns), SIZE(change.to.modified.ns), UNUSED(4),
               U32(change.to.mode), UNUSED(4), U32(change.to.uid), U32(change.to.gid)),
    [FUSE_OP_OPEN] = FILE_FLAGS,
    [FUSE_OP_OPENDIR] = FILE_FLAGS,
    [FUSE_OP_ACCESS] = FILE_FLAGS,
    [FUSE_OP_READ] = FIELDS(RANGE),
    [FUSE_OP_READDIR] = FIELDS(RANGE),
    [FUSE_OP_READDIRPLUS] = FIELDS(RANGE),
    [FUSE_OP_WRITE] = FIELDS(RANGE, DATA),
    [FUSE_OP_RELEASE] = FIELDS(U64(fh)),
    [FUSE_OP_RELEASEDIR] = FIELDS(U64(fh)),
    [FUSE_OP_FSYNC] = FIELDS(U64(fh), U32(flags)),
    [FUSE_OP_FSYNCDIR] = FIELDS(U64(fh), U32(flags)),
    [FUSE_OP_FALLOCATE] = FIELDS(U64(fh), U64(offset), U64(size), U32(flags)),
    [FUSE_OP_LSEEK] = FIELDS(U64(fh), U64(offset), U32(flags)),
    [FUSE_OP_SETXATTR] = FIELDS(SIZE(size), U32(flags), LABEL(name), DATA),
    [FUSE_OP_GETXATTR] = FIELDS(SIZE(size), UNUSED(4), LABEL(name)),
    [FUSE_OP_LISTXATTR] = FIELDS(SIZE(size), UNUSED(4)),
    [FUSE_OP_REMOVEXATTR] = FIELDS(LABEL(name)),
    [FUSE_OP_COPY_FILE_RANGE] = /* of its flags none are defined */
    FIELDS(U64(fh), U64(offset), U64(node2), U64(fh2), U64(offset2), U64(size), UNUSED(8)),
    [FUSE_OP_INIT] = FIELDS(U32(init.major), U32(init.minor), UNUSED(4), SIZE(init.flags)),
    [FUSE_OP_READLINK] = FIELDS(UNUSED(0)),
    [FUSE_OP_STATFS] = FIELDS(UNUSED(0)),
    [FUSE_OP_DESTROY] = FIELDS(UNUSED(0)),
    [FUSE_OP_INTERRUPT] = FIELDS(U64(interrupted)),
    [FUSE_OP_FLUSH] = FIELDS(U64(fh), UNUSED(8), U64(owner)),
    [FUSE_OP_GETLK] = LOCK,
    [FUSE_OP_SETLK] = LOCK,
    [FUSE_OP_SETLKW] = LOCK,
};

static void read_field(struct cursor *r, const struct field *f, struct fuse_request *a)
{
    void *to = (char *)a + f->at;
    switch (f->kind) {
    case KIND_U32:
        *(uint32_t *)to = cursor_u32(r);
        break;
    case KIND_U64:
        *(uint64_t *)to = cursor_u64(r);
        break;
    case KIND_SIZE:
        *(uint64_t *)to = cursor_u32(r);
        break;
    case KIND_NAME:
        *(const char **)to = read_name(r);
        break;
    case KIND_LABEL:
    case KIND_STRING:
        *(const char **)to = cursor_string(r);
        r->bad |= f->kind == KIND_LABEL && !**(const char **)to;
        break;
    case KIND_DATA:
        read_data(r, a, a->size);
        break;
    case KIND_REST:
        read_data(r, a, cursor_left(r));
        break;
    default:
        cursor_bytes(r, f->at);
    }
}

/* --- what is in no field --- */

/* SETATTR's bits have the values of core/ns/attr.h, except the one for a handle and those of times,
 * where FUSE's mean the current time. Without an id bit the owner does not change. */
enum { SET_SAME = 0x3f, SET_BY_HANDLE = 1 << 6, SET_TO = NS_SET_ACCESSED_TO | NS_SET_MODIFIED_TO };

static uint32_t changes_of(uint32_t valid)
{
    uint32_t set = valid & SET_SAME, times = set & (NS_SET_ACCESSED | NS_SET_MODIFIED);
    return valid ? set | (times << 3 & ~valid & SET_TO) : NS_SET_CHANGED;
}

static void complete_request(struct cursor *r, struct fuse_request *a)
{
    if (a->op == FUSE_OP_SETATTR) {
        a->has_fh = a->change.set & SET_BY_HANDLE;
        a->change.set = changes_of(a->change.set);
    } else if (a->op == FUSE_OP_TMPFILE) {
        a->name = "";
    } else if (a->op == FUSE_OP_INIT && a->init.flags & FUSE_INIT_EXT && cursor_left(r) >= 4) {
        a->init.flags |= (uint64_t)cursor_u32(r) << 32;
    }
}

static int decode_body(struct cursor *r, struct fuse_request *a)
{
    size_t op = (size_t)a->op;
    if (op >= sizeof bodies / sizeof *bodies || !bodies[op])
        return -ENOSYS;
    for (const struct field *f = bodies[op]; f->kind != KIND_END; f++)
        read_field(r, f, a);
    complete_request(r, a);
    return r->bad ? -EINVAL : 0;
}

int fuse_request_decode(const void *bytes, size_t len, struct fuse_request *out)
{
    struct cursor r = cursor_of(bytes, len);
    memset(out, 0, sizeof *out);
    uint32_t whole = cursor_u32(&r);
    out->op = cursor_u32(&r);
    out->unique = cursor_u64(&r);
    out->node = cursor_u64(&r);
    out->uid = cursor_u32(&r);
    out->gid = cursor_u32(&r);
    out->pid = cursor_u32(&r);
    cursor_u32(&r);
    if (r.bad || whole != len)
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
