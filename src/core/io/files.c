#include "core/io/files.h"

#include "core/text/counted.h"
#include "fds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CLOSE_RANGE_CLOEXEC = 4, CLONE_FILES = 0x400 };
enum { UNKNOWN_FD = -2 }; /* of a call's file: there is none of that number */

struct io_files *io_files_new(struct io_counts *counts, const struct io_files_ops *ops)
{
    struct io_files *f = calloc(1, sizeof *f);
    if (f)
        *f = (struct io_files){.counts = counts, .ops = *ops};
    return f;
}

void io_files_free(struct io_files *f)
{
    if (!f)
        return;
    free(f->open);
    free(f);
}

const struct io_uncounted *io_files_uncounted(const struct io_files *f)
{
    return &f->uncounted;
}

/* --- a call begins --- */

static int file_of(struct io_fds *d, int tid, int fd)
{
    const struct io_open *o = io_fds_lookup(d, tid, fd);
    return o ? o->file : UNKNOWN_FD;
}

/* Another thread may get the same descriptor before the close is reported. */
static void enter_close(struct io_fds *d, int tid, struct io_called *c)
{
    int fd = io_called_fd(c);
    c->file[0] = file_of(d, tid, fd);
    io_fds_close(d, fd);
}

static void enter_close_range(struct io_fds *d, const struct io_called *c)
{
    if (!(c->arg[2] & CLOSE_RANGE_CLOEXEC))
        io_fds_close_range(d, (uint32_t)c->arg[0], (uint32_t)c->arg[1]);
}

static void count_untraced(struct io_uncounted *u, const struct io_called *c)
{
    u->traces += c->call->kind == IO_CALL_TRACE;
    u->async_calls += c->call->kind == IO_CALL_ASYNC;
    if (c->call->kind == IO_CALL_MAP && io_called_fd(c) >= 0) {
        u->maps++;
        u->map_bytes += c->arg[1];
    }
}

static bool moves_or_closes(const struct io_call *call)
{
    return call->kind == IO_CALL_READ || call->kind == IO_CALL_WRITE ||
           call->kind == IO_CALL_COPY || call->kind == IO_CALL_CLOSE;
}

/* Whether its begin alone has all that is needed. */
static bool needs_begin_alone(const struct io_call *call)
{
    return call->kind == IO_CALL_MAP || call->kind == IO_CALL_ASYNC || call->kind == IO_CALL_TRACE;
}

bool io_files_enter(struct io_files *f, struct io_fds *d, int tid, struct io_called *c)
{
    c->file[0] = c->file[1] = UNKNOWN_FD;
    switch (c->call->kind) {
    case IO_CALL_CLOSE:
        enter_close(d, tid, c);
        break;
    case IO_CALL_CLOSE_RANGE:
        enter_close_range(d, c);
        break;
    case IO_CALL_COPY:
        c->file[1] = file_of(d, tid, io_called_other(c));
        /* fall through */
    case IO_CALL_READ:
    case IO_CALL_WRITE:
        c->file[0] = file_of(d, tid, io_called_fd(c));
        break;
    case IO_CALL_MAP:
    case IO_CALL_ASYNC:
    case IO_CALL_TRACE:
        count_untraced(&f->uncounted, c);
        break;
    default:
        break;
    }
    bool only_others =
        f->ops.stdio_only && moves_or_closes(c->call) && c->file[0] < 0 && c->file[1] < 0;
    return !only_others && !needs_begin_alone(c->call);
}

/* --- and ends --- */

/* Of 9P2000's read, write and clunk the bytes around the data; of an error its text. */
static void as_messages(struct io_done *d, int64_t result)
{
    enum { HEAD = 7, FID = 4, OFFSET = 8, COUNT = 4 };
    bool moves = d->message == IO_READ || d->message == IO_WRITE;
    d->request += HEAD + FID + (moves ? OFFSET + COUNT : 0);
    d->reply += HEAD + (moves ? COUNT : 0);
    if (d->error)
        d->reply = HEAD + 2 + strlen(strerror((int)-result));
}

static void count_done(struct io_files *f, int tid, const struct io_called *c,
                       enum io_message message, int file)
{
    uint64_t bytes = c->result > 0 ? (uint64_t)c->result : 0;
    struct io_done d = {.message = message,
                        .error = c->result < 0,
                        .start_ns = c->start_ns,
                        .end_ns = c->end_ns,
                        .request = message == IO_WRITE ? bytes : 0,
                        .reply = message == IO_READ ? bytes : 0};
    if (f->ops.stdio_only)
        as_messages(&d, c->result);
    io_counts_done(f->counts, &d);
    if (f->ops.done)
        f->ops.done(f->ops.arg, tid, &d, file < 0 ? -1 : file, c->result);
}

static void did_io(struct io_fds *d, int fd, int file)
{
    uint32_t at = d && fd >= 0 && (size_t)fd < d->fds ? d->open[fd] : 0;
    if (at && d->files->open[at].file == file)
        d->files->open[at].did_io = true;
}

static void add_uncounted(struct io_uncounted *u, bool in, uint64_t bytes)
{
    *(in ? &u->reads : &u->writes) += 1;
    *(in ? &u->read_bytes : &u->written_bytes) += bytes;
}

/* side: its first descriptor or its second. */
static void exit_transfer(struct io_files *f, struct io_fds *d, int tid, const struct io_called *c,
                          int side)
{
    bool in = side == 0 && c->call->kind != IO_CALL_WRITE;
    int file = c->file[side], fd = side ? io_called_other(c) : io_called_fd(c);
    uint64_t bytes = c->result > 0 ? (uint64_t)c->result : 0;
    if (file == IO_NO_FILE)
        return add_uncounted(&f->uncounted, in, bytes);
    count_done(f, tid, c, in ? IO_READ : IO_WRITE, file);
    if (file < 0 || c->result < 0)
        return;
    did_io(d, fd, file);
    if (in)
        io_counts_read(f->counts, file, bytes);
    else
        io_counts_written(f->counts, file, bytes);
}

static void exit_open(struct io_files *f, struct io_fds *d, int tid, const struct io_called *c)
{
    if (c->result >= 0 && c->result < IO_FILES_MAX_FD)
        io_fds_opened(d, tid, (int)c->result);
    else if (c->result >= 0)
        f->uncounted.untracked++;
    count_done(f, tid, c, io_called_message(c),
               c->result < 0 ? UNKNOWN_FD : file_of(d, tid, (int)c->result));
}

void io_files_exit(struct io_files *f, struct io_fds **d, int tid, const struct io_called *c)
{
    switch (c->call->kind) {
    case IO_CALL_OPEN:
        exit_open(f, *d, tid, c);
        break;
    case IO_CALL_READ:
    case IO_CALL_WRITE:
        exit_transfer(f, *d, tid, c, 0);
        break;
    case IO_CALL_COPY:
        exit_transfer(f, *d, tid, c, 0);
        exit_transfer(f, *d, tid, c, 1);
        break;
    case IO_CALL_DUP:
    case IO_CALL_FCNTL:
        if (io_called_copy(c) >= 0)
            io_fds_dup(*d, tid, io_called_fd(c), io_called_copy(c));
        break;
    case IO_CALL_UNSHARE:
        if (c->result == 0 && c->arg[0] & CLONE_FILES)
            *d = io_fds_unshare(*d);
        break;
    default:
        if (c->call->message != IO_MESSAGES && c->file[0] != IO_NO_FILE)
            count_done(f, tid, c, c->call->message, c->file[0]);
    }
}

void io_files_finish(struct io_files *f)
{
    for (size_t i = 0; i < f->opens; i++) {
        if (f->open[i].file >= 0)
            io_counts_closed(f->counts, f->open[i].file, f->open[i].did_io);
        f->open[i].did_io = false;
    }
}

/* --- what the counts do not have --- */

static void add_part(struct buf *out, uint64_t n, const char *noun, const char *format,
                     uint64_t bytes)
{
    if (!n)
        return;
    buf_adds(out, out->len ? ", " : "");
    buf_printf(out, format, counted(n, noun).text, bytes);
}

void io_uncounted_text(const struct io_uncounted *u, struct buf *out)
{
    SCOPED_BUF text = BUF_INIT;
    add_part(&text, u->reads, "read", "%s (%" PRIu64 " bytes) of pipes and sockets", u->read_bytes);
    add_part(&text, u->writes, "write", "%s (%" PRIu64 " bytes) to pipes and sockets",
             u->written_bytes);
    add_part(&text, u->maps, "mapping", "%s of files (%" PRIu64 " bytes)", u->map_bytes);
    add_part(&text, u->async_calls, "time", "asynchronous I/O (%s)", 0);
    add_part(&text, u->traces, "call", "%s of ptrace, which failed here", 0);
    add_part(&text, u->untracked, "descriptor", "%s not followed", 0);
    buf_adds(out, buf_str(&text));
}
