/*
 * iostats_serve: the server of files behind a command's root; who has what:
 *
 *     iostats_fuse.c     the command, and what the server is told meanwhile
 *     iostats_9p.c       the same command over a 9P server, which has the nodes alone in common
 *     iostats_serve.c    the server's life: threads, requests, replies
 *     iostats_tree.c     nodes, their descriptors, open files
 *     iostats_names.c    requests about names
 *     iostats_files.c    requests about open files
 *     iostats_attrs.c    requests about attributes
 *     iostats_locks.c    locks, and who waits for one
 *     iostats_tally.c    what a request counts as
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
    SERVE_MOST = 1 << 20, /* bytes of one read or write */
    SERVE_HEAD = 4096,    /* of a request beside its data */
    SERVE_NAME = 256,
    SERVE_KEEP_S = 1, /* how long the kernel need not ask for a directory's name again */
};

/* An open file or directory; several threads may read and write it at once. */
struct serve_handle {
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
struct serve_held {
    uint64_t owner, dev, ino, fh;
    uint32_t pid;
    int fd;
};
/* A request that is answered once its lock is free. */
struct serve_waiting {
    struct fuse_ask ask;
    int connection;
};
struct serve_locks {
    struct lock *lock;
    struct serve_held *held;
    struct serve_waiting *waiting;
    size_t helds, held_room, waitings, waiting_room;
    bool waits;           /* a thread does */
    uint64_t stopped[16]; /* interrupts that came before their request was waiting; a ring */
    unsigned stops;
};

struct serve {
    struct lock *tables; /* nodes, handles */
    struct fuse_nodes nodes;
    struct serve_handle **handle;
    size_t handles, handle_room;
    uint32_t free_handle; /* + 1 */
    uint32_t most_places; /* descriptors of directories that are kept */
    uint64_t root_dev;
    uint32_t uid, gid;
    bool alone;       /* without root's rights: all files are shown as the user's */
    bool passthrough; /* the kernel maps files by itself */
    int connection;
    struct serve_locks locks;

    struct lock *book; /* all below */
    struct io_counts *counts;
    atomic_bool counting;
    struct iostats_journal journal;

    atomic_uint busy;
    atomic_ulong taken; /* requests */
    int stir[2];        /* ends of a pair: the threads tell who takes orders that there are some, */
    atomic_bool looked; /* unless it looks at them anyway */
    atomic_bool over;
};

/* A request on its way. */
struct job {
    struct serve *s;
    int connection;
    struct fuse_ask ask;
    uint8_t small[2 * FUSE_BODY_MOST];
    uint8_t *room; /* SERVE_MOST bytes */
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

/* --- iostats_tree --- */

int serve_tree_init(struct serve *s, const char *path);

/* Where a node is to be found: by a descriptor, and a name if it has none of its own. */
struct serve_place {
    int at;
    uint32_t pinned;
    char name[SERVE_NAME];
};
int serve_place(struct serve *s, uint64_t node, struct serve_place *out);
/* The same of a directory to look into: no name. */
int serve_dir(struct serve *s, uint64_t node, struct serve_place *out);
void serve_place_done(struct serve *s, struct serve_place *p);

/* NULL when there is none. */
struct serve_handle *serve_handle(struct serve *s, uint64_t fh);
/* A number, or -ENOMEM with fd closed. */
int64_t serve_handle_new(struct serve *s, int fd, uint64_t node);
void serve_handle_free(struct serve *s, uint64_t fh);
/* Tells the kernel how it may map what was opened: flags and *backing of the reply. */
uint32_t serve_mapping(struct serve *s, const struct serve_handle *h, const struct fuse_ask *ask,
                       int32_t *backing);

/* What loses the name while it is known shall be found by a descriptor: its node, or 0; to be
 * called before. at: the parent's descriptor. */
uint32_t serve_hold_last(struct serve *s, int at, uint64_t parent, const char *name);
/* And after: the node that was held, if the name is still its own, is gone. */
void serve_unnamed(struct serve *s, uint32_t node, uint64_t parent, const char *name);
/* exchange: each has the other's name. */
void serve_renamed(struct serve *s, uint64_t from, const char *name, uint64_t to,
                   const char *newname, bool exchange);
void serve_forget(struct serve *s, uint64_t node, uint64_t lookups);
/* As the command sees it. */
void serve_attr(const struct serve *s, struct tree_attr *a);
uint64_t serve_ino(const struct serve *s, uint64_t dev, uint64_t ino);

/* --- operations: 0 or -errno, with the reply's body --- */

int serve_lookup(struct job *j);
int serve_make(struct job *j);
int serve_create(struct job *j);
int serve_link(struct job *j);
int serve_unlink(struct job *j);
int serve_rename(struct job *j);
int serve_readlink(struct job *j);
int serve_open(struct job *j);
int serve_opendir(struct job *j);
int serve_read(struct job *j);
int serve_write(struct job *j);
int serve_readdir(struct job *j);
int serve_release(struct job *j);
int serve_fsync(struct job *j);
int serve_fallocate(struct job *j);
int serve_lseek(struct job *j);
int serve_copy(struct job *j);
int serve_getattr(struct job *j);
int serve_setattr(struct job *j);
int serve_access(struct job *j);
int serve_statfs(struct job *j);
int serve_xattr(struct job *j);

/* --- iostats_locks --- */

int serve_locks_init(struct serve *s);
int serve_lock(struct job *j);
int serve_lock_find(struct job *j);
/* A process closes a descriptor of it: its locks end, whichever they came by. */
int serve_flush(struct job *j);
void serve_locks_closed(struct serve *s, uint64_t fh);
void serve_lock_stopped(struct serve *s, uint64_t unique);

/* --- iostats_tally --- */

void serve_tally(struct job *j, int error, uint64_t start_ns);
/* What is open still counts as closed. */
void serve_tally_end(struct serve *s);

/* --- iostats_serve --- */

struct serve_start {
    int pass,
        control; /* ends of sockets: the connection comes from the one, orders from the other */
    const struct iostats_journal *journal; /* taken over by the server */
    bool json;
    struct io_report_want report;
};
/* All of its requests so far are done, as far as can be seen within a few ms: closes are told late,
 * and several threads answer. own: requests that the asking thread itself has begun. */
void serve_settle(struct serve *s, unsigned own);
/* Serves until nobody uses the root any more. */
void serve_run(void *start);

/* What is said of the counts goes to the control: after their SERVE_REPORT. 0 or -errno. */
int serve_send_report(const struct serve_start *start, const struct io_counts *counts,
                      const struct io_report_want *want);

/* --- iostats_fuse: a command in a root of ours, the way it is mounted being left open --- */

struct serve_root {
    void (*serve)(void *start); /* a struct serve_start; in a process of its own */
    int (*hold)(char *const argv[], int pass, struct child *out, struct fail *f); /* plat/mount.h */
};
struct iostats_result;
int serve_command(const struct serve_root *root, const struct iostats_want *want,
                  struct iostats_journal *journal, struct buf *report,
                  struct iostats_result *result, struct fail *f);

/* Orders, a byte each; the server answers each: an int32_t that is 0 or -errno; of SERVE_REPORT
 * the length of the report instead, which follows. */
enum { SERVE_COUNT = 'c', SERVE_REPORT = 'r' };

#endif
