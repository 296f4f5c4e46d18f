#include "engine/hostfs/fuse_loop.h"

#include "plat/mount.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hostfs_tree_init(struct hostfs *s, const char *path)
{
    struct tree_attr a;
    int root = tree_root(path);
    int r = root < 0 ? root : tree_look(root, "", &a);
    if (r < 0)
        return r;
    int limit = tree_limit();
    s->most_places = limit > 1024 ? (uint32_t)limit / 4 : 64;
    s->root_dev = a.dev;
    tree_self(&s->uid, &s->gid);
    s->alone = s->uid != 0;
    r = fuse_nodes_init(&s->nodes, root, a.dev, a.attr.ino);
    if (r == 0)
        s->nodes.node[FUSE_NODE_ROOT].searchable = (a.attr.mode & 0111) == 0111;
    return r;
}

/* --- places --- */

/* Closes what was used longest ago. */
static void make_room(struct hostfs *s)
{
    while (s->nodes.with_fd > s->most_places) {
        uint32_t i = fuse_nodes_idle(&s->nodes);
        if (!i)
            return;
        tree_close_place(fuse_nodes_drop(&s->nodes, i));
    }
}

static bool pin(struct hostfs *s, uint32_t i, struct hostfs_place *out)
{
    struct fuse_node *n = &s->nodes.node[i];
    if (n->fd < 0)
        return false;
    n->pins++;
    fuse_nodes_used(&s->nodes, i);
    *out = (struct hostfs_place){.at = n->fd, .pinned = i};
    return true;
}

/* The node's name and its parent; under the lock. */
static int by_name(struct hostfs *s, uint32_t i, uint32_t *parent, struct hostfs_place *out)
{
    const struct fuse_node *n = &s->nodes.node[i];
    if (n->gone)
        return -ESTALE;
    if (strlen(n->name) >= sizeof out->name)
        return -ENAMETOOLONG;
    *parent = n->parent;
    strcpy(out->name, n->name);
    return 0;
}

/* The descriptor that was opened for it, unless somebody else was faster. */
static int settle(struct hostfs *s, uint32_t i, int fd, struct hostfs_place *out)
{
    struct tree_attr a;
    int r = tree_look(fd, "", &a);
    lock_take(s->tables);
    struct fuse_node *n = &s->nodes.node[i];
    if (r == 0 && (a.dev != n->dev || a.attr.ino != n->ino))
        r = -ESTALE;
    if (r == 0 && n->fd < 0) {
        fuse_nodes_keep(&s->nodes, i, fd);
        fd = -1;
    }
    if (r == 0) {
        pin(s, i, out);
        make_room(s);
    }
    lock_give(s->tables);
    if (fd >= 0)
        tree_close_place(fd);
    return r;
}

/* Descriptors that were closed are opened again from the nearest directory above that has one. */
static int pinned_dir(struct hostfs *s, uint32_t i, struct hostfs_place *out)
{
    struct hostfs_place parent, self;
    uint32_t up;
    lock_take(s->tables);
    bool done = pin(s, i, out);
    int r = done ? 0 : by_name(s, i, &up, &self);
    lock_give(s->tables);
    if (done || r < 0)
        return r;
    if ((r = pinned_dir(s, up, &parent)) < 0)
        return r;
    int fd = tree_place(parent.at, self.name);
    hostfs_place_done(s, &parent);
    return fd < 0 ? fd : settle(s, i, fd, out);
}

static bool exists(struct hostfs *s, uint64_t node)
{
    lock_take(s->tables);
    bool is = fuse_nodes_at(&s->nodes, node) != NULL;
    lock_give(s->tables);
    return is;
}

int hostfs_dir(struct hostfs *s, uint64_t node, struct hostfs_place *out)
{
    return exists(s, node) ? pinned_dir(s, (uint32_t)node, out) : -ESTALE;
}

int hostfs_place(struct hostfs *s, uint64_t node, struct hostfs_place *out)
{
    uint32_t up = 0;
    char name[HOSTFS_NAME];
    lock_take(s->tables);
    bool is = fuse_nodes_at(&s->nodes, node) != NULL;
    bool done = is && pin(s, (uint32_t)node, out);
    int r = done ? 0 : is ? by_name(s, (uint32_t)node, &up, out) : -ESTALE;
    lock_give(s->tables);
    if (done || r < 0)
        return r;
    strcpy(name, out->name);
    r = pinned_dir(s, up, out);
    if (r == 0)
        strcpy(out->name, name);
    return r;
}

void hostfs_place_done(struct hostfs *s, struct hostfs_place *p)
{
    if (!p->pinned)
        return;
    lock_take(s->tables);
    s->nodes.node[p->pinned].pins--;
    fuse_nodes_forget(&s->nodes, p->pinned, 0, tree_close_place);
    lock_give(s->tables);
    p->pinned = 0;
}

void hostfs_forget(struct hostfs *s, uint64_t node, uint64_t lookups)
{
    lock_take(s->tables);
    fuse_nodes_forget(&s->nodes, node, lookups, tree_close_place);
    lock_give(s->tables);
}

/* --- handles --- */

struct hostfs_handle *hostfs_handle(struct hostfs *s, uint64_t fh)
{
    struct hostfs_handle *h = NULL;
    lock_take(s->tables);
    if (fh < s->handles && s->handle[fh]->used)
        h = s->handle[fh];
    lock_give(s->tables);
    return h;
}

static int64_t number_of_new(struct hostfs *s)
{
    if (s->free_handle) {
        uint32_t i = s->free_handle - 1;
        s->free_handle = s->handle[i]->next_free;
        return i;
    }
    if (s->handles == s->handle_room) {
        size_t more = s->handle_room * 2 + 64;
        struct hostfs_handle **bigger = realloc(s->handle, more * sizeof *bigger);
        if (!bigger)
            return -ENOMEM;
        s->handle = bigger;
        s->handle_room = more;
    }
    s->handle[s->handles] = calloc(1, sizeof **s->handle);
    return s->handle[s->handles] ? (int64_t)s->handles++ : -ENOMEM;
}

int64_t hostfs_handle_new(struct hostfs *s, int fd, uint64_t node)
{
    lock_take(s->tables);
    int64_t i = number_of_new(s);
    if (i >= 0) {
        *s->handle[i] =
            (struct hostfs_handle){.fd = fd, .node = (uint32_t)node, .file = -1, .used = true};
        s->nodes.node[node].opens++;
    }
    lock_give(s->tables);
    if (i < 0)
        tree_close(fd);
    return i;
}

void hostfs_handle_free(struct hostfs *s, uint64_t fh)
{
    int fd = -1, backing = 0;
    lock_take(s->tables);
    if (fh < s->handles && s->handle[fh]->used) {
        struct hostfs_handle *h = s->handle[fh];
        struct fuse_node *n = &s->nodes.node[h->node];
        fd = h->fd;
        if (--n->opens == 0) {
            backing = n->backing;
            n->backing = 0;
        }
        h->used = false;
        h->next_free = s->free_handle;
        s->free_handle = (uint32_t)fh + 1;
        fuse_nodes_forget(&s->nodes, h->node, 0, tree_close_place);
    }
    lock_give(s->tables);
    if (backing > 0)
        mount_backing_close(s->connection, backing);
    if (fd >= 0)
        tree_close(fd);
}

/* Closes are told at once, so that locks end with them, of what was opened to write: programs that
 * lock mostly do, and the others' need one message fewer. */
uint32_t hostfs_mapping(struct hostfs *s, const struct hostfs_handle *h, const struct fuse_ask *ask,
                        int32_t *backing)
{
    uint32_t flags = FUSE_OPEN_DIRECT_IO | FUSE_OPEN_PARALLEL_WRITES;
    if (!tree_opens_to_write(ask->flags))
        flags |= FUSE_OPEN_NOFLUSH;
    *backing = 0;
    if (!s->passthrough)
        return flags;
    lock_take(s->tables);
    struct fuse_node *n = &s->nodes.node[h->node];
    if (n->opens == 1)
        n->backing = mount_backing(s->connection, h->fd);
    if (n->backing > 0) {
        *backing = n->backing;
        flags |= FUSE_OPEN_PASSTHROUGH;
    }
    lock_give(s->tables);
    return flags;
}

/* --- attributes --- */

/* Files of several devices are on one in there: their numbers must not be the same. */
uint64_t hostfs_ino(const struct hostfs *s, uint64_t dev, uint64_t ino)
{
    return dev == s->root_dev ? ino
                              : ino ^ (dev * UINT64_C(0x9e3779b97f4a7c15) & ~UINT64_C(0) << 40);
}

void hostfs_attr(const struct hostfs *s, struct tree_attr *a)
{
    a->attr.ino = hostfs_ino(s, a->dev, a->attr.ino);
    if (!s->alone)
        return;
    a->attr.uid = s->uid;
    a->attr.gid = s->gid;
}
