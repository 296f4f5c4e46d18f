#include "fds.h"

#include "core/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PATH = 4096 };

/* --- opens --- */

static uint32_t open_new(struct io_files *f, int file)
{
    uint32_t at = f->free;
    if (at) {
        f->free = f->open[at].refs;
    } else {
        size_t first = f->opens ? 0 : 1;
        if (f->opens + first >= UINT32_MAX ||
            !grow(&f->open, &f->room, f->opens + first, sizeof *f->open))
            return 0;
        at = (uint32_t)(f->opens + first);
        f->opens = at + (size_t)1;
    }
    f->open[at] = (struct io_open){1, file, false};
    return at;
}

static void open_leave(struct io_files *f, uint32_t at)
{
    struct io_open *o = &f->open[at];
    if (!at || --o->refs)
        return;
    if (o->file != IO_NO_FILE)
        io_counts_closed(f->counts, o->file, o->did_io);
    o->file = IO_NO_FILE;
    o->refs = f->free;
    f->free = at;
}

/* --- tables --- */

static bool reach(struct io_fds *d, int fd)
{
    if (fd < 0 || fd >= IO_FILES_MOST_FD)
        return false;
    return grow_zeroed(&d->open, &d->fds, (size_t)fd + 1, sizeof *d->open);
}

static uint32_t at(const struct io_fds *d, int fd)
{
    return fd >= 0 && (size_t)fd < d->fds ? d->open[fd] : 0;
}

static void put(struct io_fds *d, int fd, uint32_t open)
{
    if (!reach(d, fd)) {
        d->of->unseen.forgotten++;
        open_leave(d->of, open);
        return;
    }
    open_leave(d->of, d->open[fd]);
    d->open[fd] = open;
}

/* The standard three have names of their own, whatever they are. */
static bool put_standard(struct io_fds *d)
{
    const char *const name[] = {"/fd/0", "/fd/1", "/fd/2"};
    for (int fd = 0; fd < 3; fd++) {
        int file = io_counts_file(d->of->counts, name[fd], strlen(name[fd]));
        uint32_t open = file < 0 ? 0 : open_new(d->of, file);
        if (!open)
            return false;
        put(d, fd, open);
    }
    return true;
}

struct io_fds *io_fds_new(struct io_files *f, bool standard)
{
    struct io_fds *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    *d = (struct io_fds){.of = f, .users = 1};
    if (!standard || put_standard(d))
        return d;
    io_fds_leave(d);
    return NULL;
}

struct io_fds *io_fds_shared(struct io_fds *d)
{
    if (d)
        d->users++;
    return d;
}

struct io_fds *io_fds_copied(struct io_fds *d)
{
    struct io_fds *copy = d ? io_fds_new(d->of, false) : NULL;
    if (!copy)
        return NULL;
    copy->open = d->fds ? malloc(d->fds * sizeof *d->open) : NULL;
    if (!copy->open)
        return copy;
    copy->fds = d->fds;
    memcpy(copy->open, d->open, d->fds * sizeof *d->open);
    for (size_t i = 0; i < d->fds; i++)
        if (d->open[i])
            d->of->open[d->open[i]].refs++;
    return copy;
}

void io_fds_leave(struct io_fds *d)
{
    if (!d || --d->users)
        return;
    for (size_t i = 0; i < d->fds; i++)
        open_leave(d->of, d->open[i]);
    free(d->open);
    free(d);
}

struct io_fds *io_fds_own(struct io_fds *d)
{
    if (!d || d->users == 1)
        return d;
    struct io_fds *own = io_fds_copied(d);
    if (!own)
        return d;
    io_fds_leave(d);
    return own;
}

void io_fds_executed(struct io_fds *d, int tid)
{
    for (size_t i = 0; d && i < d->fds; i++)
        if (d->open[i] && !d->of->ask.is_open(d->of->ask.arg, tid, (int)i))
            io_fds_close(d, (int)i);
}

/* --- descriptors --- */

/* A path from the root that is no memfd's; sysv shared memory cannot be opened. */
static bool is_file(const char *path, size_t len)
{
    return len && path[0] == '/' && !(len > 7 && memcmp(path, "/memfd:", 7) == 0);
}

static uint32_t asked(struct io_files *f, int tid, int fd)
{
    char path[MOST_PATH];
    if (f->ask.standard)
        return open_new(f, IO_NO_FILE);
    size_t len = f->ask.path(f->ask.arg, tid, fd, path, sizeof path);
    if (!len || len > sizeof path)
        return 0;
    int file = is_file(path, len) ? io_counts_file(f->counts, path, len) : IO_NO_FILE;
    uint32_t open = file < IO_NO_FILE ? 0 : open_new(f, file);
    f->unseen.forgotten += !open;
    return open;
}

struct io_open *io_fds_at(struct io_fds *d, int tid, int fd)
{
    if (!d || fd < 0 || fd >= IO_FILES_MOST_FD)
        return NULL;
    if (!at(d, fd)) {
        uint32_t open = asked(d->of, tid, fd);
        if (open)
            put(d, fd, open);
    }
    return at(d, fd) ? &d->of->open[at(d, fd)] : NULL;
}

void io_fds_opened(struct io_fds *d, int tid, int fd)
{
    io_fds_close(d, fd);
    io_fds_at(d, tid, fd);
}

void io_fds_copy(struct io_fds *d, int tid, int fd, int copy)
{
    if (!d || fd == copy)
        return;
    struct io_open *o = io_fds_at(d, tid, fd);
    if (!o) {
        io_fds_close(d, copy);
        return;
    }
    o->refs++;
    put(d, copy, at(d, fd));
}

void io_fds_close(struct io_fds *d, int fd)
{
    if (d && at(d, fd))
        put(d, fd, 0);
}

void io_fds_close_range(struct io_fds *d, uint32_t first, uint32_t last)
{
    for (size_t fd = first; d && fd <= last && fd < d->fds; fd++)
        io_fds_close(d, (int)fd);
}
