/*
 * ram_files: a tree of files in memory, by the calls of core/ns/ns.h. It counts what is held and
 * open, which must be nothing at the end.
 *
 * A file named "wait" is answered with -EAGAIN until ready is set.
 */
#pragma once

#include "core/ns/attr.h"
#include "core/ns/ns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RAM_FILES = 64, RAM_BYTES = 1 << 16 };

struct ram_file {
    bool used, linked;
    uint64_t directory;
    char name[NS_NAME_MAX + 1];
    uint32_t mode;
    struct buf data; /* a symbolic link's target, too */
    struct buf value;
    int held, open;
};
struct ram {
    struct ram_file file[RAM_FILES]; /* the first is the root */
    bool ready;
    int handle;
    uint32_t asker; /* of the request that is answered */
    bool by_kernel; /* paths come as they were asked for: those that are not held are -ESTALE */
};

static inline void ram_init(struct ram *r)
{
    memset(r, 0, sizeof *r);
    r->file[0] = (struct ram_file){.used = true, .linked = true, .mode = NS_S_DIR | 0755};
    r->handle = -1;
}

static inline void ram_drop(struct ram_file *n)
{
    if (!n->used || n->linked || n->held || n->open)
        return;
    buf_release(&n->data);
    buf_release(&n->value);
    *n = (struct ram_file){.used = false};
}

static inline void ram_release(struct ram *r)
{
    for (size_t i = 0; i < RAM_FILES; i++) {
        buf_release(&r->file[i].data);
        buf_release(&r->file[i].value);
    }
}

/* What nobody gave back. */
static inline int ram_held(const struct ram *r)
{
    int n = 0;
    for (size_t i = 0; i < RAM_FILES; i++)
        n += r->file[i].held + r->file[i].open;
    return n;
}

static inline struct ram_file *ram_at(struct ram *r, uint64_t path)
{
    if (path >= RAM_FILES || !r->file[path].used)
        abort(); /* a path that was never answered, or given back */
    return &r->file[path];
}

static inline bool ram_is_stale(const struct ram *r, uint64_t path)
{
    return r->by_kernel && path && (path >= RAM_FILES || !r->file[path].held);
}

static inline int ram_find(struct ram *r, uint64_t directory, const char *name)
{
    for (int i = 1; i < RAM_FILES; i++) {
        struct ram_file *n = &r->file[i];
        if (n->used && n->linked && n->directory == directory && strcmp(n->name, name) == 0)
            return i;
    }
    return -1;
}

static inline int ram_add(struct ram *r, uint64_t directory, const char *name, uint32_t mode,
                          struct fail *f)
{
    if ((ram_at(r, directory)->mode & NS_S_KIND) != NS_S_DIR)
        return fail_set(f, ENOTDIR, "%s", name);
    if (ram_find(r, directory, name) >= 0)
        return fail_set(f, EEXIST, "%s", name);
    for (int i = 1; i < RAM_FILES; i++) {
        struct ram_file *n = &r->file[i];
        if (n->used)
            continue;
        *n = (struct ram_file){.used = true,
                               .linked = true,
                               .directory = directory,
                               .mode = mode,
                               .data = BUF_INIT,
                               .value = BUF_INIT};
        strcpy(n->name, name);
        return i;
    }
    return fail_set(f, ENOSPC, "%s", name);
}

static inline int ram_put(struct ram *r, uint64_t directory, const char *name, const char *text)
{
    int i = ram_add(r, directory, name, NS_S_FILE | 0644, NULL);
    buf_adds(&r->file[i].data, text);
    return i;
}

static inline int ram_dir(struct ram *r, uint64_t directory, const char *name)
{
    return ram_add(r, directory, name, NS_S_DIR | 0755, NULL);
}

/* --- core/ns/ns.h --- */

static inline int ram_walk(void *state, uint64_t directory, const char *name, uint64_t *path,
                           struct fail *f)
{
    struct ram *r = state;
    if (ram_is_stale(r, directory))
        return fail_set(f, ESTALE, "%s", name);
    ram_at(r, directory);
    int i = ram_find(r, directory, name);
    if (i < 0)
        return fail_set(f, ENOENT, "%s", name);
    r->file[i].held++;
    *path = (uint64_t)i;
    return 0;
}

static inline int ram_walk_device(void *state, uint64_t directory, const char *name, uint64_t *path,
                                  struct fail *f)
{
    int e = ram_walk(state, directory, name, path, f);
    if (e == 0)
        ((struct ram *)state)->file[*path].held--;
    return e;
}

static inline void ram_tell(struct ram *r, uint64_t path, struct ns_stat *out)
{
    struct ram_file *n = ram_at(r, path);
    out->path = path;
    out->directory = (n->mode & NS_S_KIND) == NS_S_DIR;
    out->mode = n->mode & 0777;
    out->length = n->data.len;
    out->modified = 1000000000;
    memcpy(out->name, n->name, sizeof out->name);
}

static inline int ram_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    if (ram_is_stale(state, path))
        return fail_set(f, ESTALE, "stat");
    ram_tell(state, path, out);
    return 0;
}

static inline int ram_entry(void *state, uint64_t directory, size_t index, struct ns_stat *out,
                            struct fail *f)
{
    struct ram *r = state;
    (void)f;
    for (size_t i = 1; i < RAM_FILES; i++) {
        if (!r->file[i].used || !r->file[i].linked || r->file[i].directory != directory ||
            index-- != 0)
            continue;
        ram_tell(r, i, out);
        return 1;
    }
    return 0;
}

static inline int ram_open(void *state, uint64_t path, unsigned how, void **file, struct fail *f)
{
    if (ram_is_stale(state, path))
        return fail_set(f, ESTALE, "open");
    struct ram_file *n = ram_at(state, path);
    if (how & NS_TRUNCATE)
        buf_clear(&n->data);
    n->open++;
    *file = n;
    return 0;
}

/* --- the calls of a server whose answers take time --- */

static inline int ram_look(void *state, uint64_t directory, const char *name, uint64_t *path,
                           struct ns_stat *out, struct fail *f)
{
    int r = ram_walk(state, directory, name, path, f);
    return r < 0 ? r : ram_stat(state, *path, out, f);
}

static inline int ram_read_entry(void *state, void *file, uint64_t directory, size_t index,
                                 struct ns_stat *out, struct fail *f)
{
    if (file != ram_at(state, directory))
        abort();
    int r = ram_entry(state, directory, index, out, f);
    return r <= 0 ? r : strcmp(out->name, "wait") == 0 ? NS_ENTRY_NAME : NS_ENTRY_STAT;
}

static inline int ram_hold(void *state, uint64_t directory, const struct ns_stat *entry,
                           uint64_t *path, struct fail *f)
{
    return ram_walk(state, directory, entry->name, path, f);
}

static inline bool ram_waits(const struct ram *r, const struct ram_file *n)
{
    return !r->ready && strcmp(n->name, "wait") == 0;
}

static inline long ram_read(void *state, const struct ns_io *io, void *bytes, struct fail *f)
{
    struct ram_file *n = ram_at(state, io->path);
    if (io->file != n || !n->open)
        abort();
    if (ram_waits(state, n))
        return fail_set(f, EAGAIN, "%s", n->name);
    size_t have = io->offset < n->data.len ? n->data.len - (size_t)io->offset : 0;
    size_t take = have < io->len ? have : io->len;
    if (take)
        memcpy(bytes, n->data.data + io->offset, take);
    return (long)take;
}

static inline long ram_write(void *state, const struct ns_io *io, const void *bytes, struct fail *f)
{
    struct ram_file *n = ram_at(state, io->path);
    if (io->file != n || !n->open)
        abort();
    if (ram_waits(state, n))
        return fail_set(f, EAGAIN, "%s", n->name);
    if (io->offset > RAM_BYTES || io->len > RAM_BYTES - io->offset)
        return fail_set(f, EFBIG, "%s", n->name);
    while (n->data.len < io->offset + io->len)
        buf_addc(&n->data, '\0');
    if (io->len)
        memcpy(n->data.data + io->offset, bytes, io->len);
    return (long)io->len;
}

static inline void ram_close(void *state, void *file, uint64_t path)
{
    struct ram_file *n = ram_at(state, path);
    if (file != n || n->open-- <= 0)
        abort();
    ram_drop(n);
}

static inline int ram_handle(void *state, void *file, uint64_t path)
{
    (void)file;
    return ram_waits(state, ram_at(state, path)) ? ((struct ram *)state)->handle : -1;
}

static inline void ram_forget(void *state, uint64_t path, uint64_t times)
{
    if (ram_is_stale(state, path))
        return;
    struct ram_file *n = ram_at(state, path);
    bool fits = times <= (uint64_t)n->held;
    if (!fits && !((struct ram *)state)->by_kernel)
        abort();
    n->held -= fits ? (int)times : n->held;
    ram_drop(n);
}
