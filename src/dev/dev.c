#include "dev.h"

#include "plat/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct served {
    const struct dev *dev;
    void *device;
};

struct opened {
    struct buf text;
    int handle;  /* -1: text it is */
    bool reread; /* it has been read from its start */
    bool streams;
    void *stream; /* the device's own */
};

/* --- a file's number: its directory's, then its index in the table, from 1 --- */

static uint64_t path_of(uint64_t directory, size_t index)
{
    return directory << 8 | (index + 1);
}

static uint64_t directory_of(uint64_t path)
{
    return path >> 8;
}

static const struct dev_file *table_of(const struct served *s, uint64_t directory)
{
    return directory ? s->dev->inner : s->dev->files;
}

/* NULL: it is a directory. */
static const struct dev_file *file_of(const struct served *s, uint64_t path)
{
    size_t index = path & 0xff;
    return index ? &table_of(s, directory_of(path))[index - 1] : NULL;
}

static size_t count_files(const struct dev_file *table)
{
    size_t n = 0;
    while (table && table[n].name)
        n++;
    return n;
}

static bool find_file(const struct dev_file *table, const char *name, size_t *index)
{
    for (*index = 0; table && table[*index].name; ++*index)
        if (strcmp(table[*index].name, name) == 0)
            return true;
    return false;
}

/* --- names --- */

static int walk_name(void *state, uint64_t from, const char *name, uint64_t *path, struct fail *f)
{
    const struct served *s = state;
    uint64_t directory = directory_of(from);
    size_t index;
    if (file_of(s, from))
        return fail_set(f, ENOTDIR, "%s", name);
    if (find_file(table_of(s, directory), name, &index)) {
        *path = path_of(directory, index);
        return 0;
    }
    if (directory || !s->dev->inner)
        return fail_set(f, ENOENT, "%s", name);
    int r = s->dev->find(s->device, name, &directory, f);
    if (r == 0)
        *path = directory << 8;
    return r;
}

static int stat_directory(const struct served *s, uint64_t path, struct ns_stat *out,
                          struct fail *f)
{
    *out = (struct ns_stat){.path = path, .directory = true, .mode = 0555, .name = "/"};
    return path ? s->dev->name(s->device, directory_of(path), out->name, f) : 0;
}

static int stat_file(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    const struct served *s = state;
    const struct dev_file *file = file_of(s, path);
    if (!file)
        return stat_directory(s, path, out, f);
    *out = (struct ns_stat){
        .path = path, .mode = file->mode, .guarded = file->guarded, .owner_only = file->owner_only};
    if (file->length)
        out->length = file->length(s->device, directory_of(path));
    strcpy(out->name, file->name);
    return 0;
}

static int read_entry(void *state, uint64_t from, size_t index, struct ns_stat *out, struct fail *f)
{
    const struct served *s = state;
    uint64_t directory = directory_of(from);
    size_t files = count_files(table_of(s, directory));
    if (index < files)
        return stat_file(state, path_of(directory, index), out, f) < 0 ? -EIO : 1;
    if (directory || !s->dev->inner)
        return 0;
    int r = s->dev->nth(s->device, index - files, &directory, f);
    if (r > 0 && stat_directory(s, directory << 8, out, NULL) < 0)
        *out = (struct ns_stat){.path = directory << 8, .directory = true, .name = "?"};
    return r;
}

/* --- bytes --- */

static bool can_open(const struct dev_file *file, unsigned how)
{
    unsigned access = how & NS_ACCESS;
    bool reads = access != NS_WRITE, writes = access != NS_READ;
    return (!reads || file->mode & 0444) && (!writes || file->write);
}

static int fill_text(const struct served *s, uint64_t path, struct opened *o, struct fail *f)
{
    const struct dev_file *file = file_of(s, path);
    buf_clear(&o->text);
    int r = file->text ? file->text(s->device, directory_of(path), &o->text, f) : 0;
    if (r == 0 && buf_error(&o->text))
        r = fail_set(f, ENOMEM, "%s", file->name);
    return r;
}

static int open_stream(const struct served *s, uint64_t path, struct opened *o, struct fail *f)
{
    const struct dev_stream *stream = file_of(s, path)->stream;
    return stream->open ? stream->open(s->device, directory_of(path), &o->stream, f) : 0;
}

static void close_file(void *state, void *file, uint64_t path)
{
    const struct served *s = state;
    SCOPED_FREE struct opened *o = file;
    if (o->handle >= 0)
        folder_close(o->handle);
    if (o->streams && file_of(s, path)->stream->close)
        file_of(s, path)->stream->close(s->device, o->stream);
    buf_release(&o->text);
}

static int open_file(void *state, uint64_t path, unsigned how, void **out, struct fail *f)
{
    const struct served *s = state;
    const struct dev_file *file = file_of(s, path);
    int r = 0;
    if (!file)
        return fail_set(f, EISDIR, "%s", s->dev->names[0]);
    if (!can_open(file, how))
        return fail_set(f, EACCES, "%s", file->name);
    struct opened *o = calloc(1, sizeof *o);
    if (!o)
        return fail_set(f, ENOMEM, "%s", file->name);
    o->handle = -1;
    if (file->bytes)
        r = o->handle = file->bytes(s->device, directory_of(path), f);
    else if (file->stream)
        o->streams = (r = open_stream(s, path, o, f)) == 0;
    else if ((how & NS_ACCESS) != NS_WRITE)
        r = fill_text(s, path, o, f);
    if (r < 0) {
        o->handle = -1;
        close_file(state, o, path);
        return r;
    }
    *out = o;
    return 0;
}

static long read_file(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    const struct served *s = state;
    const struct dev_file *d = file_of(s, io->path);
    struct opened *o = io->file;
    if (o->handle >= 0)
        return folder_read(o->handle, io->offset, bytes, io->len, f);
    if (o->streams)
        return d->stream->read(s->device, o->stream, bytes, io->len, f);
    if (d->alignment && io->offset % d->alignment)
        return fail_set(f, EINVAL, "%s: read offsets must be multiples of %u", d->name,
                        d->alignment);
    int r = io->offset == 0 && o->reread ? fill_text(state, io->path, o, f) : 0;
    if (r < 0)
        return r;
    o->reread = true;
    if (io->offset >= o->text.len)
        return 0;
    size_t left = o->text.len - (size_t)io->offset, n = left < io->len ? left : io->len;
    memcpy(bytes, o->text.data + io->offset, n);
    return (long)n;
}

static long write_file(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    const struct served *s = state;
    const struct dev_file *d = file_of(s, io->path);
    char message[DEV_MAX_MESSAGE + 1];
    size_t n = io->len;
    if (n && ((const char *)bytes)[n - 1] == '\n')
        n--;
    if (n > DEV_MAX_MESSAGE || (n && memchr(bytes, '\0', n)))
        return fail_set(f, EINVAL, "%s", d->name);
    memcpy(message, bytes, n);
    message[n] = '\0';
    int r = d->write(s->device, directory_of(io->path), message, f);
    return r < 0 ? r : (long)io->len;
}

/* --- itself --- */

static int tend_server(void *state)
{
    const struct served *s = state;
    return s->dev->tend ? s->dev->tend(s->device) : -1;
}

static int tell_program(void *state, int pid, struct fail *f)
{
    const struct served *s = state;
    return s->dev->program ? s->dev->program(s->device, pid, f) : 0;
}

static void end_server(void *state)
{
    SCOPED_FREE struct served *s = state;
    s->dev->end(s->device);
    free(s->device);
}

static const struct ns_calls calls = {.walk = walk_name,
                                      .stat = stat_file,
                                      .entry = read_entry,
                                      .open = open_file,
                                      .read = read_file,
                                      .write = write_file,
                                      .close = close_file,
                                      .run_timers = tend_server,
                                      .program = tell_program,
                                      .end = end_server};

int dev_serve(const struct dev *dev, struct ns_server *out, struct fail *f)
{
    struct served *s = calloc(1, sizeof *s);
    if (s) {
        s->dev = dev;
        s->device = calloc(1, dev->bytes);
    }
    if (!s || !s->device || (dev->start && dev->start(s->device) < 0)) {
        free(s ? s->device : NULL);
        free(s);
        return fail_set(f, ENOMEM, "%s", dev->names[0]);
    }
    *out = (struct ns_server){&calls, s};
    return 0;
}
