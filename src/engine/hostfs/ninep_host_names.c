#include "ninep_host_private.h"

#include <errno.h>
#include <string.h>

/* --- what is there --- */

int host_walk(void *state, uint64_t directory, const char *name, uint64_t *path, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_place dir;
    struct tree_attr a;
    int r = hostfs_dir(&h->s, host_node(directory), &dir);
    if (r == 0) {
        r = host_enter(h, directory, dir.at, name, path, &a);
        hostfs_place_done(&h->s, &dir);
    }
    return host_told(r, name, f);
}

static int look(struct ninep_host_files *h, const struct host_file *file, uint64_t path,
                struct tree_attr *a)
{
    struct hostfs_place p;
    if (file)
        return tree_look(file->fd, "", a);
    if (h->fresh && h->seen_path == path) {
        *a = h->seen;
        return 0;
    }
    int r = hostfs_place(&h->s, host_node(path), &p);
    if (r < 0)
        return r;
    r = tree_look(p.at, p.name, a);
    hostfs_place_done(&h->s, &p);
    return r;
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
        (struct ninep_qid){kind_of(t->mode), version_of(t), hostfs_ino(&h->s, a.dev, a.attr.ino)};
    return 0;
}

/* A node's directory and its name in there. */
static int name_of(struct ninep_host_files *h, uint64_t path, uint64_t *directory,
                   char name[HOSTFS_NAME])
{
    lock_take(h->s.tables);
    const struct fuse_node *n = &h->s.nodes.node[host_node(path)];
    bool known = path && !n->gone && strlen(n->name) < HOSTFS_NAME;
    if (known) {
        strcpy(name, n->name);
        *directory = n->parent - FUSE_NODE_ROOT;
    }
    lock_give(h->s.tables);
    return known ? 0 : path ? -ESTALE : -EBUSY;
}

int host_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct tree_attr a;
    uint64_t directory;
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
    struct hostfs_place p;
    int64_t r = hostfs_place(&h->s, host_node(path), &p);
    if (r == 0) {
        r = tree_read_link(p.at, p.name, target, room);
        hostfs_place_done(&h->s, &p);
    }
    return host_told((int)r, "", f);
}

/* --- changes --- */

/* A descriptor of the file itself, to be closed. */
static int place_of(struct ninep_host_files *h, uint64_t path)
{
    struct hostfs_place p;
    int r = hostfs_place(&h->s, host_node(path), &p);
    if (r < 0)
        return r;
    r = tree_place(p.at, p.name);
    hostfs_place_done(&h->s, &p);
    return r;
}

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
    struct fuse_ask ask = ask_of(change);
    int place = place_of(h, path), r = place < 0 ? place : 0;
    if (r == 0 && file && ask.set.valid & FUSE_SET_SIZE) {
        r = tree_set_open(((struct host_file *)file)->fd, &ask);
        ask.set.valid = (ask.set.valid & ~(uint32_t)FUSE_SET_SIZE) | FUSE_SET_FH;
    }
    if (r == 0)
        r = tree_set(place, &ask);
    if (place >= 0)
        tree_close_place(place);
    return host_told(r, "", f);
}

/* A device's number as the kernel packs it. */
static int make_at(int at, const char *name, const struct ninep_new *file)
{
    switch (file->mode & NINEP_S_KIND) {
    case NINEP_S_DIR:
        return tree_make_dir(at, name, file->mode & 07777);
    case NINEP_S_LINK:
        return tree_make_link(at, name, file->target);
    default:
        return tree_make_node(at, name, file->mode,
                              (file->minor & 0xff) | file->major << 8 |
                                  (file->minor & ~0xffu) << 12);
    }
}

static int give_at(const struct ninep_host_files *h, int at, const char *name,
                   const struct ninep_new *file)
{
    int place = tree_place(at, name);
    int r = place < 0 ? place : host_give(h, place, file);
    if (place >= 0)
        tree_close_place(place);
    return r;
}

int host_make(void *state, uint64_t directory, const char *name, const struct ninep_new *file,
              uint64_t *path, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_place dir;
    struct tree_attr a;
    int r = hostfs_dir(&h->s, host_node(directory), &dir);
    if (r < 0)
        return host_told(r, name, f);
    r = make_at(dir.at, name, file);
    if (r == 0)
        r = give_at(h, dir.at, name, file);
    if (r == 0)
        r = host_enter(h, directory, dir.at, name, path, &a);
    hostfs_place_done(&h->s, &dir);
    return host_told(r, name, f);
}

int host_link(void *state, uint64_t directory, const char *name, uint64_t path, struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_place dir;
    int place = place_of(h, path), r;
    if (place < 0)
        return host_told(place, name, f);
    r = hostfs_dir(&h->s, host_node(directory), &dir);
    if (r == 0) {
        r = tree_link(place, dir.at, name);
        hostfs_place_done(&h->s, &dir);
    }
    tree_close_place(place);
    return host_told(r, name, f);
}

static int rename_at(struct ninep_host_files *h, int from_at, uint64_t from, const char *name,
                     int to_at, uint64_t to, const char *newname)
{
    uint64_t from_node = host_node(from), to_node = host_node(to);
    hostfs_hold_last(&h->s, to_at, to_node, newname);
    int r = tree_rename(from_at, name, to_at, newname, 0);
    if (r == 0)
        hostfs_renamed(&h->s, from_node, name, to_node, newname, false);
    return r;
}

int host_rename(void *state, uint64_t from, const char *name, uint64_t to, const char *newname,
                struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_place out_of, into;
    int r = hostfs_dir(&h->s, host_node(from), &out_of);
    if (r < 0)
        return host_told(r, name, f);
    r = hostfs_dir(&h->s, host_node(to), &into);
    if (r == 0) {
        r = rename_at(h, out_of.at, from, name, into.at, to, newname);
        hostfs_place_done(&h->s, &into);
    }
    hostfs_place_done(&h->s, &out_of);
    return host_told(r, name, f);
}

int host_move(void *state, uint64_t path, bool same, uint64_t directory, const char *newname,
              struct fail *f)
{
    char name[HOSTFS_NAME];
    uint64_t from;
    int r = name_of(state, path, &from, name);
    return r < 0 ? host_told(r, newname, f)
                 : host_rename(state, from, name, same ? from : directory, newname, f);
}

int host_unlink(void *state, uint64_t directory, const char *name, bool is_directory,
                struct fail *f)
{
    struct ninep_host_files *h = state;
    struct hostfs_place dir;
    int r = hostfs_dir(&h->s, host_node(directory), &dir);
    if (r < 0)
        return host_told(r, name, f);
    uint32_t i = hostfs_hold_last(&h->s, dir.at, host_node(directory), name);
    r = tree_unlink(dir.at, name, is_directory);
    if (r == 0)
        hostfs_unnamed(&h->s, i, host_node(directory), name);
    hostfs_place_done(&h->s, &dir);
    return host_told(r, name, f);
}

int host_remove(void *state, uint64_t path, struct fail *f)
{
    char name[HOSTFS_NAME];
    uint64_t directory;
    struct tree_attr a;
    int r = name_of(state, path, &directory, name);
    if (r == 0)
        r = look(state, NULL, path, &a);
    return r < 0 ? host_told(r, "", f)
                 : host_unlink(state, directory, name, tree_is_dir(a.attr.mode), f);
}

int host_space(void *state, uint64_t path, struct ninep_fs *out, struct fail *f)
{
    struct fuse_statfs s;
    int place = place_of(state, path);
    int r = place < 0 ? place : tree_statfs(place, &s);
    if (place >= 0)
        tree_close_place(place);
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
    int place = place_of(state, path);
    if (place < 0)
        return host_told(place, "", f);
    int64_t n = *name ? tree_get_xattr(place, name, to, room) : tree_list_xattr(place, to, room);
    tree_close_place(place);
    return n < 0 ? host_told((int)n, "", f) : (long)n;
}

int host_set_value(void *state, uint64_t path, const char *name, const void *value, size_t len,
                   uint32_t flags, struct fail *f)
{
    int place = place_of(state, path);
    if (place < 0)
        return host_told(place, "", f);
    int r = len ? tree_set_xattr(place, name, value, len, flags) : tree_remove_xattr(place, name);
    tree_close_place(place);
    return host_told(r, "", f);
}
