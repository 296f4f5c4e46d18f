/* Counts a request as the equivalent 9P2000 message, with that message's bytes.
 */
#include "fuse.h"

#include "plat/clock.h"

#include <string.h>

/* Plus 1; 0: 9P2000 has no message for it, or sends none. */
static const uint8_t messages[] = {
    [FUSE_OP_INIT] = IO_VERSION + 1,     [FUSE_OP_INTERRUPT] = IO_FLUSH + 1,
    [FUSE_OP_LOOKUP] = IO_WALK + 1,      [FUSE_OP_OPEN] = IO_OPEN + 1,
    [FUSE_OP_OPENDIR] = IO_OPEN + 1,     [FUSE_OP_CREATE] = IO_CREATE + 1,
    [FUSE_OP_TMPFILE] = IO_CREATE + 1,   [FUSE_OP_MKDIR] = IO_CREATE + 1,
    [FUSE_OP_MKNOD] = IO_CREATE + 1,     [FUSE_OP_SYMLINK] = IO_CREATE + 1,
    [FUSE_OP_LINK] = IO_CREATE + 1,      [FUSE_OP_READ] = IO_READ + 1,
    [FUSE_OP_READDIR] = IO_READ + 1,     [FUSE_OP_WRITE] = IO_WRITE + 1,
    [FUSE_OP_RELEASE] = IO_CLUNK + 1,    [FUSE_OP_COPY_FILE_RANGE] = IO_WRITE + 1,
    [FUSE_OP_RELEASEDIR] = IO_CLUNK + 1, [FUSE_OP_UNLINK] = IO_REMOVE + 1,
    [FUSE_OP_RMDIR] = IO_REMOVE + 1,     [FUSE_OP_GETATTR] = IO_STAT + 1,
    [FUSE_OP_ACCESS] = IO_STAT + 1,      [FUSE_OP_SETATTR] = IO_WSTAT + 1,
    [FUSE_OP_RENAME] = IO_WSTAT + 1,     [FUSE_OP_RENAME2] = IO_WSTAT + 1,
    [FUSE_OP_FSYNC] = IO_WSTAT + 1,      [FUSE_OP_FSYNCDIR] = IO_WSTAT + 1,
    [FUSE_OP_FALLOCATE] = IO_WSTAT + 1,
};

static enum io_message message_of(const struct fuse_request *a)
{
    unsigned message = a->op < sizeof messages ? messages[a->op] : 0;
    return message ? (enum io_message)(message - 1) : IO_MESSAGES;
}

/* A message's fixed part: size, type, tag and what the type has (intro(5) and read(5) ...); STAT is
 * a directory entry without its four names, whose counts it has. */
enum { HEAD = 7, STAT = 49, QID = 13, VERSION = 4 + 2 + 6 /* msize, "9P2000" */ };

static uint64_t request_bytes(enum io_message m, const struct job *j)
{
    size_t name = j->ask.name ? strlen(j->ask.name) : 0;
    switch (m) {
    case IO_VERSION:
        return HEAD + VERSION;
    case IO_FLUSH: /* oldtag */
        return HEAD + 2;
    case IO_WALK: /* fid newfid nwname, and one name */
        return HEAD + 4 + 4 + 2 + 2 + name;
    case IO_OPEN: /* fid mode */
        return HEAD + 4 + 1;
    case IO_CREATE: /* fid name perm mode */
        return HEAD + 4 + 2 + name + 4 + 1;
    case IO_READ: /* fid offset count */
        return HEAD + 4 + 8 + 4;
    case IO_WRITE: /* and data */
        return HEAD + 4 + 8 + 4 + (j->ask.op == FUSE_OP_WRITE ? j->ask.data_len : j->moved);
    case IO_WSTAT: /* fid n stat: what changes its name has it */
        return HEAD + 4 + 2 + STAT + (j->ask.name2 ? strlen(j->ask.name2) : 0);
    default: /* fid */
        return HEAD + 4;
    }
}

static uint64_t reply_bytes(enum io_message m, const struct job *j)
{
    switch (m) {
    case IO_VERSION:
        return HEAD + VERSION;
    case IO_WALK: /* nwqid, and a qid */
        return HEAD + 2 + QID;
    case IO_OPEN: /* qid iounit */
    case IO_CREATE:
        return HEAD + QID + 4;
    case IO_READ: /* count data */
        return HEAD + 4 + j->moved;
    case IO_WRITE: /* count */
        return HEAD + 4;
    case IO_STAT: /* n stat */
        return HEAD + 2 + STAT;
    default:
        return HEAD;
    }
}

/* --- the journal --- */

/* The request's node, and the name in it. */
static void add_path(struct hostfs_fuse *s, const struct fuse_request *a, struct buf *path)
{
    hostfs_path(&s->fs, a->node, path);
    if (!a->name || !*a->name)
        return;
    if (path->len > 1)
        buf_addc(path, '/');
    buf_adds(path, a->name);
}

static void log_message(struct job *j, const struct io_done *d, int error)
{
    struct hostfs_fuse *s = j->s;
    SCOPED_BUF path = BUF_INIT;
    add_path(s, &j->ask, &path);
    SCOPED_LOCK held = lock_acquire(s->account);
    journal_add(&s->journal, (int)j->ask.pid, d, buf_str(&path), -error);
}

/* --- counts --- */

static void count_message(struct job *j, const struct io_done *d)
{
    struct io_counts *c = j->s->counts;
    io_counts_done(c, d);
    if (d->error)
        return;
    if (d->message == IO_READ)
        io_counts_read(c, j->file, j->moved);
    if (d->message == IO_WRITE)
        io_counts_written(c, j->file, j->moved);
}

void fuse_account(struct job *j, int error, uint64_t start_ns)
{
    struct hostfs_fuse *s = j->s;
    enum io_message m = message_of(&j->ask);
    bool counts = s->counting || m == IO_VERSION; /* the mount's, before the command begins */
    if (!counts || m == IO_MESSAGES || j->uncounted)
        return;
    struct io_done d = {.message = m,
                        .error = error != 0,
                        .start_ns = start_ns,
                        .end_ns = clock_mono_ns(),
                        .request = request_bytes(m, j),
                        .reply = error ? HEAD + 2 + strlen(strerror(-error)) : reply_bytes(m, j)};
    lock_acquire(s->account);
    count_message(j, &d);
    lock_release(s->account);
    if (journal_wanted(&s->journal))
        log_message(j, &d, error);
}

void fuse_account_end(struct hostfs_fuse *s)
{
    SCOPED_LOCK tables = lock_acquire(s->fs.tables);
    SCOPED_LOCK account = lock_acquire(s->account);
    for (size_t i = 0; i < s->handles; i++) {
        struct fuse_handle *h = s->handle[i];
        if (h->used)
            io_counts_closed(s->counts, h->file, h->did_io);
    }
    s->counting = false;
}
