/*
 * io_files: tracks the open descriptors of each process, so that the bytes of a call are counted
 * for the right file (core/io/counts.h). The caller reports calls as they begin and end, forks,
 * execs and exits.
 *
 * A descriptor's file is asked for once: when it was opened, or when it is first used if it was not
 * opened before our eyes (inherited, received). What has no path from the root (pipes, sockets,
 * memfd) is no file: its calls are tallied apart.
 */
#pragma once

#include "core/base/buf.h"
#include "core/io/call.h"
#include "core/io/counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IO_FILES_MAX_FD = 1 << 20 }; /* descriptors above are not followed */

struct io_files;
struct io_fds; /* the descriptors of a process, or of several that share them */

/* How the system is asked, while the thread tid is stopped. */
struct io_files_ops {
    void *arg;
    /* What fd of tid leads to, as /proc names it, not terminated; its length, 0: nothing, or
     * longer than room. */
    size_t (*path)(void *arg, int tid, int fd, char *to, size_t cap);
    bool (*is_open)(void *arg, int tid, int fd);
    /* An operation as it was counted, of file (-1: of none that is known); NULL: not wanted. */
    void (*done)(void *arg, int tid, const struct io_done *done, int file, int64_t result);
    /* The standard descriptors alone are files, and the bytes of an operation are those of the
     * 9P2000 messages that it counts as: for calls that do not reach a file server. */
    bool stdio_only;
};

/* Calls that are in no row, and I/O that no call shows. */
struct io_uncounted {
    uint64_t reads, read_bytes;     /* of what is no file */
    uint64_t writes, written_bytes; /* to what is no file */
    uint64_t maps, map_bytes;       /* mappings of files, by the length asked for */
    uint64_t async_calls;           /* io_uring set up, or requests handed to io_submit */
    uint64_t traces;                /* calls of ptrace: they fail, as we trace already */
    uint64_t untracked;             /* descriptors above the limit, or for want of memory */
};

/* counts is the caller's and outlives it. NULL: no memory. */
struct io_files *io_files_new(struct io_counts *counts, const struct io_files_ops *ops);
void io_files_free(struct io_files *f);
const struct io_uncounted *io_files_uncounted(const struct io_files *f);

/* A table: with standard, 0, 1 and 2 are the files /fd/0, /fd/1 and /fd/2. NULL: no memory; all
 * below take NULL for a table, and then count without files. */
struct io_fds *io_fds_new(struct io_files *f, bool standard);
struct io_fds *io_fds_ref(struct io_fds *d);     /* one user more */
struct io_fds *io_fds_clone(struct io_fds *d);   /* by fork */
void io_fds_unref(struct io_fds *d);             /* a user has ended: the last one closes all */
struct io_fds *io_fds_unshare(struct io_fds *d); /* d, or instead of it a copy if others share it */
void io_fds_exec(struct io_fds *d, int tid);     /* what is not open any more is closed */

/* A call begins; false when its end need not be reported. */
bool io_files_enter(struct io_files *f, struct io_fds *d, int tid, struct io_called *c);
/* It has ended; *d may be another table then. */
void io_files_exit(struct io_files *f, struct io_fds **d, int tid, const struct io_called *c);

/* What is open still counts as closed: before a report, while processes live on. Nothing is to be
 * reported any more then. */
void io_files_finish(struct io_files *f);

/* In one line, what the counts do not have: "mappings of 3 files (1234 bytes)..."; nothing when
 * there is nothing. */
void io_uncounted_text(const struct io_uncounted *u, struct buf *out);
