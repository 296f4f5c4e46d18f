/*
 * fuse_wire: FUSE's messages (the kernel's include/uapi/linux/fuse.h, protocol 7): requests as they
 * are read from /dev/fuse, and the bodies of replies. In the machine's byte order.
 *
 * A reply is fuse_head_out (16 bytes: length, error as -errno, the request's number) and a body; of
 * one that failed there is no body. fuse_reply_head makes the first, fuse_body_* the second.
 */
#pragma once

#include "core/ns/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fuse_op {
    FUSE_OP_LOOKUP = 1,
    FUSE_OP_FORGET = 2, /* no reply */
    FUSE_OP_GETATTR = 3,
    FUSE_OP_SETATTR = 4,
    FUSE_OP_READLINK = 5,
    FUSE_OP_SYMLINK = 6,
    FUSE_OP_MKNOD = 8,
    FUSE_OP_MKDIR = 9,
    FUSE_OP_UNLINK = 10,
    FUSE_OP_RMDIR = 11,
    FUSE_OP_RENAME = 12,
    FUSE_OP_LINK = 13,
    FUSE_OP_OPEN = 14,
    FUSE_OP_READ = 15,
    FUSE_OP_WRITE = 16,
    FUSE_OP_STATFS = 17,
    FUSE_OP_RELEASE = 18,
    FUSE_OP_FSYNC = 20,
    FUSE_OP_SETXATTR = 21,
    FUSE_OP_GETXATTR = 22,
    FUSE_OP_LISTXATTR = 23,
    FUSE_OP_REMOVEXATTR = 24,
    FUSE_OP_FLUSH = 25,
    FUSE_OP_INIT = 26,
    FUSE_OP_OPENDIR = 27,
    FUSE_OP_READDIR = 28,
    FUSE_OP_RELEASEDIR = 29,
    FUSE_OP_FSYNCDIR = 30,
    FUSE_OP_GETLK = 31,
    FUSE_OP_SETLK = 32,
    FUSE_OP_SETLKW = 33,
    FUSE_OP_ACCESS = 34,
    FUSE_OP_CREATE = 35,
    FUSE_OP_INTERRUPT = 36, /* no reply */
    FUSE_OP_DESTROY = 38,
    FUSE_OP_BATCH_FORGET = 42, /* no reply */
    FUSE_OP_FALLOCATE = 43,
    FUSE_OP_READDIRPLUS = 44,
    FUSE_OP_RENAME2 = 45,
    FUSE_OP_LSEEK = 46,
    FUSE_OP_COPY_FILE_RANGE = 47,
    FUSE_OP_TMPFILE = 51,
};

/* Flags of INIT, flags2 above bit 31; and of an open. */
#define FUSE_INIT_POSIX_LOCKS     (UINT64_C(1) << 1)
#define FUSE_INIT_ATOMIC_O_TRUNC  (UINT64_C(1) << 3)
#define FUSE_INIT_BIG_WRITES      (UINT64_C(1) << 5)
#define FUSE_INIT_FLOCK_LOCKS     (UINT64_C(1) << 10)
#define FUSE_INIT_AUTO_INVAL_DATA (UINT64_C(1) << 12)
#define FUSE_INIT_READDIRPLUS     (UINT64_C(1) << 13)
#define FUSE_INIT_PARALLEL_DIROPS (UINT64_C(1) << 18)
#define FUSE_INIT_MAX_PAGES       (UINT64_C(1) << 22)
#define FUSE_INIT_CACHE_SYMLINKS  (UINT64_C(1) << 23)
#define FUSE_INIT_EXT             (UINT64_C(1) << 30)
#define FUSE_INIT_DIRECT_IO_MMAP  (UINT64_C(1) << 36)
#define FUSE_INIT_PASSTHROUGH     (UINT64_C(1) << 37)
enum {
    FUSE_OPEN_DIRECT_IO = 1 << 0,
    FUSE_OPEN_NOFLUSH = 1 << 5,
    FUSE_OPEN_PARALLEL_WRITES = 1 << 6,
    FUSE_OPEN_PASSTHROUGH = 1 << 7,
};
enum { FUSE_LOCK_FLOCK = 1 << 0 }; /* in the flags of a lock: it is flock's, the open file's */

/* A request. What its operation does not have is 0; texts and data point into the request's bytes.
 */
struct fuse_request {
    uint32_t op;
    uint64_t unique, node;
    uint32_t uid, gid, pid;
    uint64_t fh, offset, size; /* size: bytes wanted, or to be written; of FORGET lookups */
    uint32_t flags;            /* of the call: O_*, RENAME_*, XATTR_*, mask of ACCESS; whence */
    uint32_t mode, rdev;
    uint64_t node2, fh2, offset2; /* RENAME's new directory, LINK's old file, COPY's target */
    const char *name, *name2;     /* NUL-terminated, without '/', never empty; a symlink's target
                                     may have both */
    const void *data;
    size_t data_len;
    uint64_t owner;          /* of locks: GETLK, SETLK, SETLKW, FLUSH */
    struct ns_lock lock;     /* GETLK, SETLK, SETLKW */
    uint64_t interrupted;    /* INTERRUPT: the request that is not waited for any more */
    struct ns_change change; /* SETATTR */
    bool has_fh;             /* SETATTR: fh is given */
    struct {                 /* INIT */
        uint32_t major, minor;
        uint64_t flags;
    } init;
};

enum { FUSE_HEAD_IN = 40, FUSE_HEAD_OUT = 16, FUSE_FORGET_EACH = 16 };

/* Decodes one request of len bytes. 0; -EINVAL when it is cut short, or a name is none: then op,
 * unique and node are set if the header is whole, and can be answered; -ENOSYS when the operation
 * is unknown. */
int fuse_request_decode(const void *bytes, size_t len, struct fuse_request *out);

/* The i-th pair of FORGET (which has one) or BATCH_FORGET; false when there are fewer. */
bool fuse_request_forget(const struct fuse_request *req, size_t i, uint64_t *node,
                         uint64_t *lookups);

/* Bodies: each writes to at, which has room for FUSE_BODY_MAX bytes, and returns its length. */
enum { FUSE_BODY_MAX = 160 };
struct fuse_init {
    uint32_t minor;
    uint64_t flags;
    uint32_t max_write, max_pages, stack_depth;
};
size_t fuse_body_init(void *at, const struct fuse_init *init);
/* For how many seconds the kernel may use what a reply says. */
struct fuse_valid {
    uint64_t entry_s, attr_s;
};
size_t fuse_body_entry(void *at, uint64_t node, struct fuse_valid valid,
                       const struct ns_attr *attr);
/* There is no such name, which is known for so long. */
size_t fuse_body_absent(void *at, uint64_t entry_s);
size_t fuse_body_attr(void *at, uint64_t attr_s, const struct ns_attr *attr);
size_t fuse_body_open(void *at, uint64_t fh, uint32_t flags, int32_t backing);
size_t fuse_body_count(void *at, uint32_t n);    /* WRITE, GETXATTR's size, COPY_FILE_RANGE */
size_t fuse_body_offset(void *at, uint64_t off); /* LSEEK */
size_t fuse_body_statfs(void *at, const struct ns_statfs *s);
size_t fuse_body_lock(void *at, const struct ns_lock *lock);

/* A directory entry: its length, or 0 when it does not fit into room. */
size_t fuse_body_dirent(void *at, size_t avail, const struct ns_entry *e);
/* What READDIRPLUS has before each of them is fuse_body_entry's; node 0: nothing is known. */
enum { FUSE_ENTRY_BYTES = 128 };

void fuse_reply_head(void *at, uint64_t unique, int error, size_t body);
