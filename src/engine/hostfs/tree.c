/* Nodes and where they are found. */
#include "hostfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int open_root(struct hostfs *h, const char *path)
{
    struct tree_attr a;
    int root = tree_root(path);
    int r = root < 0 ? root : tree_read_attr(root, "", &a);
    if (r == 0)
        r = fuse_nodes_init(&h->nodes, root, a.dev, a.attr.ino);
    if (r < 0) {
        tree_close(root);
        return r;
    }
    h->root_dev = a.dev;
    h->nodes.node[FUSE_NODE_ROOT].searchable = (a.attr.mode & 0111) == 0111;
    return 0;
}

int hostfs_init(struct hostfs *h, const char *path)
{
    *h = (struct hostfs){.tables = lock_new(), .locks.lock = lock_new()};
    int r = h->tables && h->locks.lock ? open_root(h, path) : -ENOMEM;
    if (r < 0) {
        lock_free(h->tables);
        lock_free(h->locks.lock);
        return r;
    }
    int limit = tree_fd_limit();
    h->max_dir_fds = limit > 1024 ? (uint32_t)limit / 4 : 64;
    tree_own_ids(&h->uid, &h->gid);
    h->alone = h->uid != 0;
    return 0;
}

void hostfs_release(struct hostfs *h)
{
    tree_close(h->nodes.node[FUSE_NODE_ROOT].fd);
    fuse_nodes_release(&h->nodes);
    free(h->locks.held);
    lock_free(h->locks.lock);
    lock_free(h->tables);
}

void hostfs_set_cred(const struct hostfs *h, const struct hostfs_cred *cred)
{
    if (cred && !h->alone)
        tree_set_credentials(cred->uid, cred->gid, cred->pid);
}

/* --- places --- */

/* Closes what was used longest ago. */
static void close_idle_dirs(struct hostfs *h)
{
    while (h->nodes.with_fd > h->max_dir_fds) {
        uint32_t i = fuse_nodes_oldest_idle(&h->nodes);
        if (!i)
            return;
        tree_close(fuse_nodes_drop_fd(&h->nodes, i));
    }
}

static bool pin_node(struct hostfs *h, uint32_t i, struct hostfs_place *out)
{
    struct fuse_node *n = &h->nodes.node[i];
    if (n->fd < 0)
        return false;
    n->pins++;
    fuse_nodes_touch(&h->nodes, i);
    *out = (struct hostfs_place){.h = h, .at = n->fd, .pinned = i};
    return true;
}

/* The node's name and its parent; under the lock. */
static int by_name(struct hostfs *h, uint32_t i, uint32_t *parent, struct hostfs_place *out)
{
    const struct fuse_node *n = &h->nodes.node[i];
    if (n->unlinked)
        return -ESTALE;
    if (strlen(n->name) >= sizeof out->name)
        return -ENAMETOOLONG;
    *parent = n->parent;
    strcpy(out->name, n->name);
    return 0;
}

/* The descriptor that was opened for it, unless another thread was faster. */
static int settle_descriptor(struct hostfs *h, uint32_t i, int fd, struct hostfs_place *out)
{
    struct tree_attr a;
    int r = tree_read_attr(fd, "", &a);
    SCOPED_TREE unused = fd;
    SCOPED_LOCK held = lock_acquire(h->tables);
    struct fuse_node *n = &h->nodes.node[i];
    if (r == 0 && (a.dev != n->dev || a.attr.ino != n->ino))
        r = -ESTALE;
    if (r == 0 && n->fd < 0) {
        fuse_nodes_set_fd(&h->nodes, i, fd);
        unused = -1;
    }
    if (r == 0) {
        pin_node(h, i, out);
        close_idle_dirs(h);
    }
    return r;
}

/* Descriptors that were closed are opened again from the nearest directory above that has one. */
static int pinned_dir(struct hostfs *h, uint32_t i, struct hostfs_place *out)
{
    struct hostfs_place parent, self;
    uint32_t up;
    lock_acquire(h->tables);
    bool done = pin_node(h, i, out);
    int r = done ? 0 : by_name(h, i, &up, &self);
    lock_release(h->tables);
    if (done || r < 0)
        return r;
    if ((r = pinned_dir(h, up, &parent)) < 0)
        return r;
    int fd = tree_open_path(parent.at, self.name);
    hostfs_place_release(&parent);
    return fd < 0 ? fd : settle_descriptor(h, i, fd, out);
}

static bool has_node(struct hostfs *h, uint64_t node)
{
    SCOPED_LOCK held = lock_acquire(h->tables);
    return fuse_nodes_at(&h->nodes, node) != NULL;
}

int hostfs_dir(struct hostfs *h, uint64_t node, struct hostfs_place *out)
{
    out->pinned = 0;
    return has_node(h, node) ? pinned_dir(h, (uint32_t)node, out) : -ESTALE;
}

int hostfs_place(struct hostfs *h, uint64_t node, struct hostfs_place *out)
{
    uint32_t up = 0;
    char name[HOSTFS_NAME];
    out->pinned = 0;
    lock_acquire(h->tables);
    bool is = fuse_nodes_at(&h->nodes, node) != NULL;
    bool done = is && pin_node(h, (uint32_t)node, out);
    int r = done ? 0 : is ? by_name(h, (uint32_t)node, &up, out) : -ESTALE;
    lock_release(h->tables);
    if (done || r < 0)
        return r;
    strcpy(name, out->name);
    r = pinned_dir(h, up, out);
    if (r == 0)
        strcpy(out->name, name);
    return r;
}

void hostfs_place_release(struct hostfs_place *p)
{
    if (!p->pinned)
        return;
    SCOPED_LOCK held = lock_acquire(p->h->tables);
    p->h->nodes.node[p->pinned].pins--;
    fuse_nodes_forget(&p->h->nodes, p->pinned, 0, tree_close);
}

void hostfs_forget(struct hostfs *h, uint64_t node, uint64_t lookups)
{
    SCOPED_LOCK held = lock_acquire(h->tables);
    fuse_nodes_forget(&h->nodes, node, lookups, tree_close);
}

/* --- what a node is called --- */

/* Files of several devices are on one in there: their numbers must not be the same. */
uint64_t hostfs_ino(const struct hostfs *h, uint64_t dev, uint64_t ino)
{
    return dev == h->root_dev ? ino
                              : ino ^ (dev * UINT64_C(0x9e3779b97f4a7c15) & ~UINT64_C(0) << 40);
}

void hostfs_path(struct hostfs *h, uint64_t node, struct buf *out)
{
    SCOPED_LOCK held = lock_acquire(h->tables);
    if (fuse_nodes_at(&h->nodes, node))
        fuse_nodes_path(&h->nodes, (uint32_t)node, out);
}

int hostfs_name(struct hostfs *h, uint64_t node, uint64_t *directory, char name[HOSTFS_NAME])
{
    SCOPED_LOCK held = lock_acquire(h->tables);
    const struct fuse_node *n = &h->nodes.node[node];
    if (node == FUSE_NODE_ROOT)
        return -EBUSY;
    if (n->unlinked || strlen(n->name) >= HOSTFS_NAME)
        return -ESTALE;
    strcpy(name, n->name);
    *directory = n->parent;
    return 0;
}
