#include "ninep_host_private.h"

/* --- what is there --- */

int host_walk(void *state, uint64_t directory, const char *name, uint64_t *path, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_entry e;
    int r = hostfs_walk(&h->fs, NULL, host_node(directory), name, &e);
    if (r == 0)
        host_found(h, &e, path);
    return host_result(r, name, f);
}

static int read_attr(struct ninep_host_files *h, const struct host_file *file, uint64_t path,
                     struct tree_attr *a)
{
    if (file)
        return tree_read_attr(file->open.fd, "", a);
    if (!h->fresh || h->seen_path != path)
        return hostfs_getattr(&h->fs, host_node(path), a);
    *a = h->seen;
    return 0;
}

static uint32_t version_of(const struct ns_attr *a)
{
    return (uint32_t)a->modified.s ^ (uint32_t)a->modified.ns << 2 ^ (uint32_t)a->size;
}

int host_attr(void *state, void *file, uint64_t path, struct ns_attr *out, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct tree_attr a;
    int r = read_attr(h, file, path, &a);
    if (r < 0)
        return host_result(r, "", f);
    *out = a.attr;
    out->ino = hostfs_ino(&h->fs, a.dev, a.attr.ino);
    out->version = version_of(out);
    return 0;
}

static int name_of(struct ninep_host_files *h, uint64_t path, uint64_t *directory,
                   char name[HOSTFS_NAME])
{
    int r = hostfs_name(&h->fs, host_node(path), directory, name);
    *directory -= FUSE_NODE_ROOT;
    return r;
}

int host_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct tree_attr a;
    uint64_t directory = 0;
    int r = read_attr(h, NULL, path, &a);
    if (r < 0)
        return host_result(r, "", f);
    *out = (struct ns_stat){.path = path,
                            .version = version_of(&a.attr),
                            .directory = tree_is_dir(a.attr.mode),
                            .mode = a.attr.mode & 0777,
                            .length = a.attr.size,
                            .modified = (int64_t)a.attr.modified.s};
    name_of(h, path, &directory, out->name);
    return 0;
}

long host_target(void *state, uint64_t path, char *target, size_t cap, struct fail *f)
{
    struct ninep_host_files *h = state;
    int64_t n = hostfs_readlink(&h->fs, host_node(path), target, cap);
    return host_result((int)n, "", f);
}

/* --- changes --- */

int host_change(void *state, void *file, uint64_t path, const struct ns_change *change,
                struct fail *f)
{
    struct ninep_host_files *h = state;
    const struct host_file *o = file;
    int r = hostfs_setattr(&h->fs, NULL, host_node(path), o ? o->open.fd : -1, change, NULL);
    return host_result(r, "", f);
}

int host_make(void *state, uint64_t directory, const char *name, const struct ninep_new_file *file,
              uint64_t *path, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_entry e;
    const struct hostfs_new new = host_new(h, name, file);
    int r = hostfs_make(&h->fs, NULL, host_node(directory), &new, &e);
    if (r == 0)
        host_found(h, &e, path);
    return host_result(r, name, f);
}

int host_link(void *state, uint64_t directory, const char *name, uint64_t path, struct fail *f)
{
    struct ninep_host_files *h = state;
    int r = hostfs_link(&h->fs, NULL, host_node(path), host_node(directory), name, NULL);
    return host_result(r, name, f);
}

int host_rename(void *state, uint64_t from, const char *name, uint64_t to, const char *newname,
                struct fail *f)
{
    struct ninep_host_files *h = state;
    const struct hostfs_rename rename = {host_node(from), host_node(to), name, newname, 0};
    return host_result(hostfs_rename(&h->fs, NULL, &rename), name, f);
}

int host_move(void *state, uint64_t path, bool same, uint64_t directory, const char *newname,
              struct fail *f)
{
    char name[HOSTFS_NAME];
    uint64_t from = 0;
    int r = name_of(state, path, &from, name);
    return r < 0 ? host_result(r, newname, f)
                 : host_rename(state, from, name, same ? from : directory, newname, f);
}

int host_unlink(void *state, uint64_t directory, const char *name, bool is_directory,
                struct fail *f)
{
    struct ninep_host_files *h = state;
    return host_result(hostfs_unlink(&h->fs, NULL, host_node(directory), name, is_directory), name,
                       f);
}

int host_remove(void *state, uint64_t path, struct fail *f)
{
    char name[HOSTFS_NAME];
    uint64_t directory = 0;
    struct tree_attr a;
    int r = name_of(state, path, &directory, name);
    if (r == 0)
        r = read_attr(state, NULL, path, &a);
    return r < 0 ? host_result(r, "", f)
                 : host_unlink(state, directory, name, tree_is_dir(a.attr.mode), f);
}

int host_space(void *state, uint64_t path, struct ns_statfs *out, struct fail *f)
{
    struct ninep_host_files *h = state;
    int r = hostfs_statfs(&h->fs, NULL, host_node(path), out);
    return host_result(r, "", f);
}

/* --- extended attributes --- */

long host_value(void *state, uint64_t path, const char *name, void *to, size_t cap, struct fail *f)
{
    struct ninep_host_files *h = state;
    int64_t n = hostfs_getxattr(&h->fs, NULL, host_node(path), *name ? name : NULL, to, cap);
    return n < 0 ? host_result((int)n, "", f) : (long)n;
}

int host_set_value(void *state, uint64_t path, const char *name, const void *value, size_t len,
                   uint32_t flags, struct fail *f)
{
    struct ninep_host_files *h = state;
    const struct hostfs_xattr x = {name, len ? value : NULL, len, flags};
    return host_result(hostfs_setxattr(&h->fs, NULL, host_node(path), &x), "", f);
}
