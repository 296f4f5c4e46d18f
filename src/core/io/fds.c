#include "fds.h"

#include "core/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 4096 };

/* --- opens --- */

static uint32_t make_open(struct io_files *f, int file)
{
    uint32_t at = f->free;
    if (at) {
        f->free = f->open[at].refs;
    } else {
        size_t first = f->opens ? 0 : 1;
        if (f->opens + first >= UINT32_MAX ||
            !grow(&f->open, &f->cap, f->opens + first, sizeof *f->open))
            return 0;
        at = (uint32_t)(f->opens + first);
        f->opens = at + (size_t)1;
    }
    f->open[at] = (struct io_open){1, file, false};
    return at;
}

static void unref_open(struct io_files *f, uint32_t at)
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

static bool reserve_fd(struct io_fds *d, int fd)
{
    if (fd < 0 || fd >= IO_FILES_MAX_FD)
        return false;
    return grow_zeroed(&d->open, &d->fds, (size_t)fd + 1, sizeof *d->open);
}

static uint32_t find_open(const struct io_fds *d, int fd)
{
    return fd >= 0 && (size_t)fd < d->fds ? d->open[fd] : 0;
}

static void set_fd(struct io_fds *d, int fd, uint32_t open)
{
    if (!reserve_fd(d, fd)) {
        d->files->uncounted.untracked++;
        unref_open(d->files, open);
        return;
    }
    unref_open(d->files, d->open[fd]);
    d->open[fd] = open;
}

/* The standard three have names of their own, whatever they are. */
static bool set_standard(struct io_fds *d)
{
    const char *const name[] = {"/fd/0", "/fd/1", "/fd/2"};
    for (int fd = 0; fd < 3; fd++) {
        int file = io_counts_file(d->files->counts, name[fd], strlen(name[fd]));
        uint32_t open = file < 0 ? 0 : make_open(d->files, file);
        if (!open)
            return false;
        set_fd(d, fd, open);
    }
    return true;
}

struct io_fds *io_fds_new(struct io_files *f, bool standard)
{
    struct io_fds *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    *d = (struct io_fds){.files = f, .users = 1};
    if (!standard || set_standard(d))
        return d;
    io_fds_unref(d);
    return NULL;
}

struct io_fds *io_fds_ref(struct io_fds *d)
{
    if (d)
        d->users++;
    return d;
}

struct io_fds *io_fds_clone(struct io_fds *d)
{
    struct io_fds *copy = d ? io_fds_new(d->files, false) : NULL;
    if (!copy)
        return NULL;
    copy->open = d->fds ? malloc(d->fds * sizeof *d->open) : NULL;
    if (!copy->open)
        return copy;
    copy->fds = d->fds;
    memcpy(copy->open, d->open, d->fds * sizeof *d->open);
    for (size_t i = 0; i < d->fds; i++)
        if (d->open[i])
            d->files->open[d->open[i]].refs++;
    return copy;
}

void io_fds_unref(struct io_fds *d)
{
    if (!d || --d->users)
        return;
    for (size_t i = 0; i < d->fds; i++)
        unref_open(d->files, d->open[i]);
    free(d->open);
    free(d);
}

struct io_fds *io_fds_unshare(struct io_fds *d)
{
    if (!d || d->users == 1)
        return d;
    struct io_fds *own = io_fds_clone(d);
    if (!own)
        return d;
    io_fds_unref(d);
    return own;
}

void io_fds_exec(struct io_fds *d, int tid)
{
    for (size_t i = 0; d && i < d->fds; i++)
        if (d->open[i] && !d->files->ops.is_open(d->files->ops.arg, tid, (int)i))
            io_fds_close(d, (int)i);
}

/* --- descriptors --- */

/* A path from the root that is no memfd's; sysv shared memory cannot be opened. */
static bool is_file(const char *path, size_t len)
{
    return len && path[0] == '/' && !(len > 7 && memcmp(path, "/memfd:", 7) == 0);
}

static uint32_t query_fd(struct io_files *f, int tid, int fd)
{
    char path[MAX_PATH];
    if (f->ops.stdio_only)
        return make_open(f, IO_NO_FILE);
    size_t len = f->ops.path(f->ops.arg, tid, fd, path, sizeof path);
    if (!len || len > sizeof path)
        return 0;
    int file = is_file(path, len) ? io_counts_file(f->counts, path, len) : IO_NO_FILE;
    uint32_t open = file < IO_NO_FILE ? 0 : make_open(f, file);
    f->uncounted.untracked += !open;
    return open;
}

struct io_open *io_fds_lookup(struct io_fds *d, int tid, int fd)
{
    if (!d || fd < 0 || fd >= IO_FILES_MAX_FD)
        return NULL;
    if (!find_open(d, fd)) {
        uint32_t open = query_fd(d->files, tid, fd);
        if (open)
            set_fd(d, fd, open);
    }
    return find_open(d, fd) ? &d->files->open[find_open(d, fd)] : NULL;
}

void io_fds_opened(struct io_fds *d, int tid, int fd)
{
    io_fds_close(d, fd);
    io_fds_lookup(d, tid, fd);
}

void io_fds_dup(struct io_fds *d, int tid, int fd, int copy)
{
    if (!d || fd == copy)
        return;
    struct io_open *o = io_fds_lookup(d, tid, fd);
    if (!o)
        return io_fds_close(d, copy);
    o->refs++;
    set_fd(d, copy, find_open(d, fd));
}

void io_fds_close(struct io_fds *d, int fd)
{
    if (d && find_open(d, fd))
        set_fd(d, fd, 0);
}

void io_fds_close_range(struct io_fds *d, uint32_t first, uint32_t last)
{
    for (size_t fd = first; d && fd <= last && fd < d->fds; fd++)
        io_fds_close(d, (int)fd);
}
