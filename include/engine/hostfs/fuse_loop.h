/*
 * hostfs: this machine's file tree, served over FUSE to a command that has it as its root:
 *
 *     fuse_loop.c   the server's life: threads, requests, replies, orders
 *     tree.c        nodes, their descriptors, open files
 *     names.c       requests about names
 *     files.c       requests about open files
 *     attrs.c       requests about attributes
 *     locks.c       locks, and requests that wait for one
 *     account.c     what a request counts as
 */
#ifndef PSUITE_ENGINE_HOSTFS_FUSE_LOOP_H
#define PSUITE_ENGINE_HOSTFS_FUSE_LOOP_H

#include "engine/hostfs/cpu_latency.h"
#include "engine/hostfs/journal.h"

#include "core/fuse/nodes.h"
#include "core/fuse/wire.h"
#include "core/io/report.h"
#include "plat/apart.h"
#include "plat/child.h"
#include "plat/tree.h"

#include <stdatomic.h>

enum {
    HOSTFS_MOST = 1 << 20, /* bytes of one read or write */
    HOSTFS_HEAD = 4096,    /* of a request beside its data */
    HOSTFS_NAME = 256,
    HOSTFS_KEEP_S = 1, /* how long the kernel need not ask for a directory's name again */
};

/* An open file or directory; several threads may read and write it at once. */
struct hostfs_handle {
    int fd;
    uint32_t node;
    atomic_int file; /* of the counts; -1: none */
    atomic_bool did_io;
    bool flocked; /* at some time; under the lock of locks */
    uint64_t at;  /* a directory's descriptor's offset */
    uint32_t next_free;
    bool used;
};

/* What a process has locked in a file, by any of its names: a descriptor's locks. */
struct hostfs_held {
    uint64_t owner, dev, ino, fh;
    uint32_t pid;
    int fd;
};
/* A request that is answered once its lock is free. */
struct hostfs_waiting {
    struct fuse_ask ask;
    int connection;
};
struct hostfs_locks {
    struct lock *lock;
    struct hostfs_held *held;
    struct hostfs_waiting *waiting;
    size_t helds, held_room, waitings, waiting_room;
    bool waits;           /* a thread does */
    uint64_t stopped[16]; /* interrupts that came before their request was waiting; a ring */
    unsigned stops;
};

struct hostfs {
    struct lock *tables; /* nodes, handles */
    struct fuse_nodes nodes;
    struct hostfs_handle **handle;
    size_t handles, handle_room;
    uint32_t free_handle; /* + 1 */
    uint32_t most_places; /* descriptors of directories that are kept */
    uint64_t root_dev;
    uint32_t uid, gid;
    bool alone;       /* without root's rights: all files are shown as the user's */
    bool passthrough; /* the kernel maps files by itself */
    int connection;
    struct hostfs_locks locks;

    struct lock *book; /* all below */
    struct io_counts *counts;
    atomic_bool counting;
    struct journal journal;

    atomic_uint busy;
    atomic_ulong taken; /* requests */
    int stir[2];        /* ends of a pair: the threads tell who takes orders that there are some, */
    atomic_bool looked; /* unless it looks at them anyway */
    atomic_bool over;
};

/* A request on its way. */
struct job {
    struct hostfs *s;
    int connection;
    struct fuse_ask ask;
    uint8_t small[2 * FUSE_BODY_MOST];
    uint8_t *room; /* HOSTFS_MOST bytes */
    const void *body;
    size_t len;
    uint32_t entry;  /* node that the reply tells of, to be forgotten if it does not arrive */
    uint64_t opened; /* handle + 1 that the reply tells of */
    uint64_t moved;  /* bytes read or written; of a directory as 9P has its entries */
    int file;        /* whose they are */
    bool uncounted;  /* the kernel's own question */
    bool later;      /* is answered by somebody else */
    bool absent;     /* answered, that there is no such name: counts as an error */
};

/* --- tree.c --- */

int hostfs_tree_init(struct hostfs *s, const char *path);

/* Where a node is to be found: by a descriptor, and a name if it has none of its own. */
struct hostfs_place {
    int at;
    uint32_t pinned;
    char name[HOSTFS_NAME];
};
int hostfs_place(struct hostfs *s, uint64_t node, struct hostfs_place *out);
/* The same of a directory to look into: no name. */
int hostfs_dir(struct hostfs *s, uint64_t node, struct hostfs_place *out);
void hostfs_place_done(struct hostfs *s, struct hostfs_place *p);

/* NULL when there is none. */
struct hostfs_handle *hostfs_handle(struct hostfs *s, uint64_t fh);
/* A number, or -ENOMEM with fd closed. */
int64_t hostfs_handle_new(struct hostfs *s, int fd, uint64_t node);
void hostfs_handle_free(struct hostfs *s, uint64_t fh);
/* Tells the kernel how it may map what was opened: flags and *backing of the reply. */
uint32_t hostfs_mapping(struct hostfs *s, const struct hostfs_handle *h, const struct fuse_ask *ask,
                        int32_t *backing);

/* What loses the name while it is known shall be found by a descriptor: its node, or 0; to be
 * called before. at: the parent's descriptor. */
uint32_t hostfs_hold_last(struct hostfs *s, int at, uint64_t parent, const char *name);
/* And after: the node that was held, if the name is still its own, is gone. */
void hostfs_unnamed(struct hostfs *s, uint32_t node, uint64_t parent, const char *name);
/* exchange: each has the other's name. */
void hostfs_renamed(struct hostfs *s, uint64_t from, const char *name, uint64_t to,
                    const char *newname, bool exchange);
void hostfs_forget(struct hostfs *s, uint64_t node, uint64_t lookups);
/* As the command sees it. */
void hostfs_attr(const struct hostfs *s, struct tree_attr *a);
uint64_t hostfs_ino(const struct hostfs *s, uint64_t dev, uint64_t ino);

/* --- operations: 0 or -errno, with the reply's body --- */

int hostfs_lookup(struct job *j);
int hostfs_make(struct job *j);
int hostfs_create(struct job *j);
int hostfs_link(struct job *j);
int hostfs_unlink(struct job *j);
int hostfs_rename(struct job *j);
int hostfs_readlink(struct job *j);
int hostfs_open(struct job *j);
int hostfs_opendir(struct job *j);
int hostfs_read(struct job *j);
int hostfs_write(struct job *j);
int hostfs_readdir(struct job *j);
int hostfs_release(struct job *j);
int hostfs_fsync(struct job *j);
int hostfs_fallocate(struct job *j);
int hostfs_lseek(struct job *j);
int hostfs_copy(struct job *j);
int hostfs_getattr(struct job *j);
int hostfs_setattr(struct job *j);
int hostfs_access(struct job *j);
int hostfs_statfs(struct job *j);
int hostfs_xattr(struct job *j);

/* --- locks.c --- */

int hostfs_locks_init(struct hostfs *s);
int hostfs_lock(struct job *j);
int hostfs_lock_find(struct job *j);
/* A process closes a descriptor of it: its locks end, whichever they came by. */
int hostfs_flush(struct job *j);
void hostfs_locks_closed(struct hostfs *s, uint64_t fh);
void hostfs_lock_stopped(struct hostfs *s, uint64_t unique);

/* --- account.c --- */

void hostfs_account(struct job *j, int error, uint64_t start_ns);
/* What is open still counts as closed. */
void hostfs_account_end(struct hostfs *s);

/* --- fuse_loop.c --- */

struct hostfs_start {
    int pass,
        control; /* ends of sockets: the connection comes from the one, orders from the other */
    const struct journal *journal; /* taken over by the server */
    bool json;
    struct io_report_want report;
};
/* All of its requests so far are done, as far as can be seen within a few ms: closes are told late,
 * and several threads answer. own: requests that the asking thread itself has begun. */
void hostfs_settle(struct hostfs *s, unsigned own);
/* Serves until nobody uses the root any more. */
void hostfs_fuse_serve(void *start);

/* What is said of the counts goes to the control: after their HOSTFS_REPORT. 0 or -errno. */
int hostfs_send_report(const struct hostfs_start *start, const struct io_counts *counts,
                       const struct io_report_want *want);

/* Orders, a byte each; the server answers each: an int32_t that is 0 or -errno; of HOSTFS_REPORT
 * the length of the report instead, which follows. */
enum { HOSTFS_COUNT = 'c', HOSTFS_REPORT = 'r' };

#endif
