/*
 * ninep_ram: the files of ram_files.h as a tree for tests of core/ninep: devices, or with what else
 * the files of a host have.
 */
#pragma once

#include "core/ninep/tree.h"
#include "ram_files.h"

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
