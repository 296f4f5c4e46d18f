#include "ninep_host_private.h"

#include <errno.h>
#include <string.h>

/* --- what is there --- */

int host_walk(void *state, uint64_t directory, const char *name, uint64_t *path, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_entry e;
    int r = hostfs_walk(&h->fs, NULL, host_node(directory), name, &e);
    if (r == 0)
        host_found(h, &e, path);
    return host_told(r, name, f);
}

static int look(struct ninep_host_files *h, const struct host_file *file, uint64_t path,
                struct tree_attr *a)
{
    if (file)
        return tree_look(file->open.fd, "", a);
    if (!h->fresh || h->seen_path != path)
        return hostfs_getattr(&h->fs, host_node(path), a);
    *a = h->seen;
    return 0;
}

static struct ninep_time time_of(struct fuse_time t)
{
    return (struct ninep_time){(uint64_t)t.s, t.ns};
}

static uint8_t kind_of(uint32_t mode)
{
    return tree_is_dir(mode) ? NINEP_DIR : tree_is_link(mode) ? NINEP_LINK : NINEP_FILE;
}

static uint32_t version_of(const struct fuse_attr *a)
{
    return (uint32_t)a->mtime.s ^ a->mtime.ns << 2 ^ (uint32_t)a->size;
}

int host_attr(void *state, void *file, uint64_t path, struct ninep_attr *out, struct ninep_qid *qid,
              struct fail *f)
{
    struct ninep_host_files *h = state;
    struct tree_attr a;
    int r = look(h, file, path, &a);
    if (r < 0)
        return host_told(r, "", f);
    const struct fuse_attr *t = &a.attr;
    *out = (struct ninep_attr){.mode = t->mode,
                               .uid = t->uid,
                               .gid = t->gid,
                               .links = t->nlink,
                               .device = t->rdev,
                               .size = t->size,
                               .block_bytes = t->blksize,
                               .blocks = t->blocks,
                               .accessed = time_of(t->atime),
                               .modified = time_of(t->mtime),
                               .changed = time_of(t->ctime)};
    *qid =
        (struct ninep_qid){kind_of(t->mode), version_of(t), hostfs_ino(&h->fs, a.dev, a.attr.ino)};
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
    int r = look(h, NULL, path, &a);
    if (r < 0)
        return host_told(r, "", f);
    *out = (struct ns_stat){.path = path,
                            .version = version_of(&a.attr),
                            .directory = tree_is_dir(a.attr.mode),
                            .mode = a.attr.mode & 0777,
                            .length = a.attr.size,
                            .modified = a.attr.mtime.s};
    name_of(h, path, &directory, out->name);
    return 0;
}

long host_target(void *state, uint64_t path, char *target, size_t room, struct fail *f)
{
    struct ninep_host_files *h = state;
    int64_t n = hostfs_readlink(&h->fs, host_node(path), target, room);
    return host_told((int)n, "", f);
}

/* --- changes --- */

/* The bits of both are in one order, but for those of a time that is now or is given. */
static struct fuse_ask ask_of(const struct ninep_change *c)
{
    enum { SAME = 0x3f };
    struct fuse_ask ask = {.mode = c->to.mode};
    ask.set.valid = c->set & SAME;
    ask.set.uid = c->to.uid;
    ask.set.gid = c->to.gid;
    ask.set.size = c->to.size;
    ask.set.atime = (struct fuse_time){(int64_t)c->to.accessed.s, (uint32_t)c->to.accessed.ns};
    ask.set.mtime = (struct fuse_time){(int64_t)c->to.modified.s, (uint32_t)c->to.modified.ns};
    if (c->set & NINEP_SET_ACCESSED && !(c->set & NINEP_SET_ACCESSED_TO))
        ask.set.valid |= FUSE_SET_ATIME_NOW;
    if (c->set & NINEP_SET_MODIFIED && !(c->set & NINEP_SET_MODIFIED_TO))
        ask.set.valid |= FUSE_SET_MTIME_NOW;
    return ask;
}

int host_change(void *state, void *file, uint64_t path, const struct ninep_change *change,
                struct fail *f)
{
    struct ninep_host_files *h = state;
    const struct host_file *o = file;
    const struct fuse_ask ask = ask_of(change);
    int r = hostfs_setattr(&h->fs, NULL, host_node(path), o ? o->open.fd : -1, &ask, NULL);
    return host_told(r, "", f);
}

int host_make(void *state, uint64_t directory, const char *name, const struct ninep_new *file,
              uint64_t *path, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_entry e;
    const struct hostfs_new new = host_new(h, name, file);
    int r = hostfs_make(&h->fs, NULL, host_node(directory), &new, &e);
    if (r == 0)
        host_found(h, &e, path);
    return host_told(r, name, f);
}

int host_link(void *state, uint64_t directory, const char *name, uint64_t path, struct fail *f)
{
    struct ninep_host_files *h = state;
    int r = hostfs_link(&h->fs, NULL, host_node(path), host_node(directory), name, NULL);
    return host_told(r, name, f);
}

int host_rename(void *state, uint64_t from, const char *name, uint64_t to, const char *newname,
                struct fail *f)
{
    struct ninep_host_files *h = state;
    const struct hostfs_rename rename = {host_node(from), host_node(to), name, newname, 0};
    return host_told(hostfs_rename(&h->fs, NULL, &rename), name, f);
}

int host_move(void *state, uint64_t path, bool same, uint64_t directory, const char *newname,
              struct fail *f)
{
    char name[HOSTFS_NAME];
    uint64_t from = 0;
    int r = name_of(state, path, &from, name);
    return r < 0 ? host_told(r, newname, f)
                 : host_rename(state, from, name, same ? from : directory, newname, f);
}

int host_unlink(void *state, uint64_t directory, const char *name, bool is_directory,
                struct fail *f)
{
    struct ninep_host_files *h = state;
    return host_told(hostfs_unlink(&h->fs, NULL, host_node(directory), name, is_directory), name,
                     f);
}

int host_remove(void *state, uint64_t path, struct fail *f)
{
    char name[HOSTFS_NAME];
    uint64_t directory = 0;
    struct tree_attr a;
    int r = name_of(state, path, &directory, name);
    if (r == 0)
        r = look(state, NULL, path, &a);
    return r < 0 ? host_told(r, "", f)
                 : host_unlink(state, directory, name, tree_is_dir(a.attr.mode), f);
}

int host_space(void *state, uint64_t path, struct ninep_fs *out, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct fuse_statfs s;
    int r = hostfs_statfs(&h->fs, NULL, host_node(path), &s);
    if (r < 0)
        return host_told(r, "", f);
    out->block_bytes = s.frsize;
    out->blocks = s.blocks;
    out->free = s.bfree;
    out->available = s.bavail;
    out->files = s.files;
    out->free_files = s.ffree;
    out->name_most = s.namelen;
    return 0;
}

/* --- extended attributes --- */

long host_value(void *state, uint64_t path, const char *name, void *to, size_t room, struct fail *f)
{
    struct ninep_host_files *h = state;
    int64_t n = hostfs_getxattr(&h->fs, NULL, host_node(path), *name ? name : NULL, to, room);
    return n < 0 ? host_told((int)n, "", f) : (long)n;
}

int host_set_value(void *state, uint64_t path, const char *name, const void *value, size_t len,
                   uint32_t flags, struct fail *f)
{
    struct ninep_host_files *h = state;
    const struct hostfs_xattr x = {name, len ? value : NULL, len, flags};
    return host_told(hostfs_setxattr(&h->fs, NULL, host_node(path), &x), "", f);
}
