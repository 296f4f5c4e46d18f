/*
 * fuse: the file tree (hostfs.h) over FUSE. A request is a struct job: an operation decodes it,
 * calls the tree, and leaves the reply's body in the job; several threads do so at once.
 */
#pragma once

#include "engine/hostfs/fuse_loop.h"
#include "engine/hostfs/standard.h"
#include "hostfs.h"

#include "core/fuse/wire.h"

#include <stdatomic.h>

enum {
    HOSTFS_MAX_IO = 1 << 20, /* bytes of one read or write */
    HOSTFS_MAX_HEAD = 4096,  /* of a request without its data */
    HOSTFS_KEEP_S = 1,       /* how long the kernel need not ask for a directory's name again */
};

/* What the kernel has open; several threads may read and write it at once. */
struct fuse_handle {
    struct hostfs_file open;
    atomic_int file; /* of the counts; -1: none */
    atomic_bool did_io;
    uint32_t next_free;
    bool used;
};

/* A request that is answered once its lock is free. */
struct fuse_waiting {
    struct fuse_request ask;
    int connection;
};
struct fuse_waits {
    struct lock *lock;
    struct fuse_waiting *waiting;
    size_t count, cap;
    bool has_thread;
    uint64_t stopped[16]; /* interrupts that came before their request was waiting; a ring */
    unsigned stops;
};

struct hostfs_fuse {
    struct hostfs fs;
    struct fuse_handle **handle; /* under the lock of the tree's tables */
    size_t handles, handle_cap;
    uint32_t free_handle; /* + 1 */
    bool passthrough;     /* the kernel maps files by itself */
    int connection;
    struct fuse_waits waits;

    struct lock *account; /* of counts and journal */
    struct io_counts *counts;
    atomic_bool counting;
    struct journal journal;
    struct standard *standard; /* NULL: it is not traced, for the reason */
    struct fail not_traced;

    atomic_uint busy;
    atomic_ulong requests; /* requests */
    int wake[2]; /* ends of a pair: the threads tell the one that takes orders that there are
                    requests, */
    atomic_bool check_due; /* unless it looks at them anyway */
    atomic_bool over;
};

/* A request in progress. */
struct job {
    struct hostfs_fuse *s;
    int connection;
    struct fuse_request ask;
    struct hostfs_cred cred;
    uint8_t small[2 * FUSE_BODY_MAX];
    uint8_t *buffer;  /* HOSTFS_MAX_IO bytes */
    const void *body; /* small, unless an operation has it elsewhere */
    size_t len;
    uint32_t entry;  /* node that the reply tells of, to be forgotten if it does not arrive */
    uint64_t opened; /* handle + 1 that the reply tells of */
    uint64_t moved;  /* bytes read or written; of a directory as 9P has its entries */
    int file;        /* whose they are */
    bool uncounted;  /* the kernel's own question */
    bool later;      /* is answered by another thread */
    bool absent;     /* answered, that there is no such name: counts as an error */
};

/* Attributes as the command sees them. */
static inline void fuse_map_attrs(const struct hostfs *h, struct tree_attr *a)
{
    a->attr.ino = hostfs_ino(h, a->dev, a->attr.ino);
    a->attr.uid = h->alone ? h->uid : a->attr.uid;
    a->attr.gid = h->alone ? h->gid : a->attr.gid;
}

/* --- fuse_handles.c --- */

/* NULL when there is none. */
struct fuse_handle *fuse_handle(struct hostfs_fuse *s, uint64_t fh);
/* Appends the reply that tells of what was opened, and how the kernel may map it: 0, or -ENOMEM
 * with it closed. */
int fuse_answer_open(struct job *j, struct hostfs_file *opened);
void fuse_handle_free(struct hostfs_fuse *s, uint64_t fh);

/* --- operations: 0 or -errno, with the reply's body --- */

int fuse_lookup(struct job *j);
int fuse_make(struct job *j);
int fuse_create(struct job *j);
int fuse_link(struct job *j);
int fuse_unlink(struct job *j);
int fuse_rename(struct job *j);
int fuse_readlink(struct job *j);
int fuse_open(struct job *j);
int fuse_opendir(struct job *j);
int fuse_getattr(struct job *j);
int fuse_setattr(struct job *j);
int fuse_access(struct job *j);
int fuse_statfs(struct job *j);
int fuse_xattr(struct job *j);

/* Those about what is open, h. */
int fuse_read(struct job *j, struct fuse_handle *h);
int fuse_write(struct job *j, struct fuse_handle *h);
int fuse_readdir(struct job *j, struct fuse_handle *h);
int fuse_release(struct job *j, struct fuse_handle *h);
int fuse_fsync(struct job *j, struct fuse_handle *h);
int fuse_fallocate(struct job *j, struct fuse_handle *h);
int fuse_lseek(struct job *j, struct fuse_handle *h);
int fuse_copy(struct job *j, struct fuse_handle *h);

/* --- fuse_locks.c --- */

int fuse_lock(struct job *j);
int fuse_lock_find(struct job *j, struct fuse_handle *h);
int fuse_flush(struct job *j, struct fuse_handle *h);
void fuse_lock_stopped(struct hostfs_fuse *s, uint64_t unique);

/* --- fuse_account.c --- */

void fuse_account(struct job *j, int error, uint64_t start_ns);
/* What is open still counts as closed. */
void fuse_account_end(struct hostfs_fuse *s);

/* --- fuse_loop.c --- */

/* All of its requests so far are done, as far as can be seen within a few ms: closes are reported
 * late, and several threads answer. own: requests that the asking thread itself has begun. */
void fuse_wait_idle(struct hostfs_fuse *s, unsigned own);
