/*
 * ninep_ram: a tree of files in memory for tests of core/ninep: of core/ns/ns.h's calls alone, or
 * with a host's. It counts what is held and open, which must be nothing at the end.
 *
 * A file named "wait" is answered with -EAGAIN until ready is set.
 */
#pragma once

#include "core/ninep/tree.h"

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

/* --- core/ninep/tree.h --- */

static inline void ram_name(void *state, uint64_t path, char name[NS_NAME_MAX + 1])
{
    strcpy(name, ram_at(state, path)->name);
}

static inline int ram_attr(void *state, void *file, uint64_t path, struct ns_attr *out)
{
    (void)file;
    struct ram_file *n = ram_at(state, path);
    uint32_t kind = n->mode & NS_S_KIND;
    *out = (struct ns_attr){.ino = path,
                            .mode = n->mode,
                            .uid = 7,
                            .gid = 8,
                            .links = 1,
                            .device = kind == NS_S_CHAR ? 0x100103 : 0, /* 1, 259 */
                            .size = n->data.len,
                            .modified.s = (uint64_t)-5}; /* before 1970 */
    return 0;
}

static inline int ram_change(void *state, void *file, uint64_t path, const struct ns_change *c)
{
    (void)file;
    struct ram_file *n = ram_at(state, path);
    if (c->set & NS_SET_MODE)
        n->mode = (n->mode & NS_S_KIND) | c->to.mode;
    if (c->set & NS_SET_SIZE && c->to.size > n->data.len)
        return -EFBIG;
    if (c->set & NS_SET_SIZE)
        n->data.len = (size_t)c->to.size;
    return 0;
}

static inline int ram_make(void *state, uint64_t directory, const char *name,
                           const struct ninep_new_file *new, uint64_t *path)
{
    struct ram *r = state;
    int i = ram_add(r, directory, name, new->mode, NULL);
    if (i < 0)
        return i;
    if (new->target)
        buf_adds(&r->file[i].data, new->target);
    r->file[i].held++;
    *path = (uint64_t)i;
    return 0;
}

static inline int ram_create(void *state, uint64_t directory, const char *name,
                             const struct ninep_new_file *new, unsigned how, uint64_t *path,
                             void **opened)
{
    int there = new->exclusive ? -1 : ram_find(state, directory, name);
    int e = there < 0 ? ram_make(state, directory, name, new, path) : 0;
    if (there >= 0) {
        *path = (uint64_t)there;
        ram_at(state, *path)->held++;
    }
    return e < 0 ? e : ram_open(state, *path, how, opened, NULL);
}

static inline long ram_target(void *state, uint64_t path, char *target, size_t room)
{
    struct ram_file *n = ram_at(state, path);
    if (n->data.len > room)
        return -ENAMETOOLONG;
    if (n->data.len)
        memcpy(target, n->data.data, n->data.len);
    return (long)n->data.len;
}

static inline int ram_move(void *state, uint64_t path, bool same, uint64_t directory,
                           const char *newname)
{
    struct ram *r = state;
    struct ram_file *n = ram_at(r, path);
    uint64_t to = same ? n->directory : directory;
    if (path == 0 || ram_find(r, to, newname) >= 0)
        return -EEXIST;
    for (uint64_t up = to; up; up = ram_at(r, up)->directory)
        if (up == path)
            return -EINVAL;
    n->directory = to;
    strcpy(n->name, newname);
    return 0;
}

static inline int ram_rename(void *state, uint64_t from, const char *name, uint64_t to,
                             const char *newname)
{
    int i = ram_find(state, from, name);
    return i < 0 ? -ENOENT : ram_move(state, (uint64_t)i, false, to, newname);
}

static inline int ram_remove(void *state, uint64_t path)
{
    struct ram *r = state;
    struct ram_file *n = ram_at(r, path);
    struct ns_stat first;
    if (path == 0 || !n->linked || ram_entry(state, path, 0, &first, NULL) > 0)
        return -EBUSY;
    n->linked = false;
    ram_drop(n);
    return 0;
}

static inline int ram_unlink(void *state, uint64_t directory, const char *name, bool is_directory)
{
    struct ram *r = state;
    int i = ram_find(r, directory, name);
    if (i < 0)
        return -ENOENT;
    if (((r->file[i].mode & NS_S_KIND) == NS_S_DIR) != is_directory)
        return -(is_directory ? ENOTDIR : EISDIR);
    return ram_remove(state, (uint64_t)i);
}

static inline int ram_next(void *state, void *file, uint64_t path, uint64_t cookie,
                           struct ns_entry *out)
{
    (void)file;
    struct ns_stat st = {.path = 0};
    int e = ram_entry(state, path, (size_t)cookie, &st, NULL);
    if (e <= 0)
        return e;
    struct ram_file *n = ram_at(state, st.path);
    *out = (struct ns_entry){st.path, cookie + 1, (n->mode & NS_S_KIND) >> 12, n->name};
    return 1;
}

static inline int ram_lock(void *state, void *file, uint64_t path, struct ninep_lock *lock,
                           bool test)
{
    (void)file;
    ram_at(state, path);
    if (test)
        lock->kind = 2;
    return !test && lock->kind == 1 && lock->start == 99;
}

static inline void ram_asks(void *state, uint32_t uid)
{
    ((struct ram *)state)->asker = uid;
}

/* A copy stands for it. */
static inline int ram_link(void *state, uint64_t directory, const char *name, uint64_t path)
{
    struct ram *r = state;
    int i = ram_add(r, directory, name, ram_at(r, path)->mode, NULL);
    if (i >= 0)
        buf_add(&r->file[i].data, r->file[path].data.data, r->file[path].data.len);
    return i < 0 ? i : 0;
}

/* One attribute a file: any name has what was set last. */
static inline long ram_value(void *state, uint64_t path, const char *name, void *to, size_t room)
{
    struct ram_file *n = ram_at(state, path);
    if (!*name || n->value.len > room)
        return *name ? -ERANGE : 0;
    if (n->value.len)
        memcpy(to, n->value.data, n->value.len);
    return n->value.len ? (long)n->value.len : -ENODATA;
}

static inline int ram_set_value(void *state, uint64_t path, const char *name, const void *value,
                                size_t len, uint32_t flags)
{
    (void)name, (void)flags;
    struct ram_file *n = ram_at(state, path);
    buf_clear(&n->value);
    buf_add(&n->value, value, len);
    return 0;
}

static inline int ram_space(void *state, uint64_t path, struct ns_statfs *out)
{
    ram_at(state, path);
    out->blocks = RAM_FILES;
    return 0;
}

static inline int ram_sync(void *state, void *file, uint64_t path, bool data_only)
{
    (void)data_only;
    ram_at(state, path);
    return file ? 0 : -EBADF;
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

static inline struct ninep_tree ram_tree(struct ram *r, bool host)
{
    static const struct ns_calls device_calls = {.walk = ram_walk_device,
                                                 .stat = ram_stat,
                                                 .entry = ram_entry,
                                                 .open = ram_open,
                                                 .read = ram_read,
                                                 .write = ram_write,
                                                 .close = ram_close,
                                                 .handle = ram_handle};
    static const struct ns_calls host_calls = {.walk = ram_walk,
                                               .stat = ram_stat,
                                               .entry = ram_entry,
                                               .open = ram_open,
                                               .read = ram_read,
                                               .write = ram_write,
                                               .close = ram_close,
                                               .handle = ram_handle,
                                               .forget = ram_forget};
    static const struct ninep_host host_more = {.set_user = ram_asks,
                                                .name = ram_name,
                                                .getattr = ram_attr,
                                                .setattr = ram_change,
                                                .create = ram_create,
                                                .make = ram_make,
                                                .link = ram_link,
                                                .statfs = ram_space,
                                                .getxattr = ram_value,
                                                .setxattr = ram_set_value,
                                                .fsync = ram_sync,
                                                .readlink = ram_target,
                                                .rename = ram_rename,
                                                .move = ram_move,
                                                .unlink = ram_unlink,
                                                .remove = ram_remove,
                                                .readdir = ram_next,
                                                .lock = ram_lock};
    return (struct ninep_tree){.files = {.files = {host ? &host_calls : &device_calls, r},
                                         .writable = true,
                                         .opens_directories = host,
                                         .owner = "glenda"},
                               .host = host ? &host_more : NULL};
}
