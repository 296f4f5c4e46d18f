/* Operations on names. */
#include "hostfs.h"

#include "plat/rights.h"

#include <errno.h>

int hostfs_add_node(struct hostfs *h, uint64_t directory, const char *name, struct hostfs_entry *e)
{
    const struct tree_attr *a = &e->attr;
    SCOPED_LOCK held = lock_acquire(h->tables);
    e->searchable = h->nodes.node[directory].searchable;
    e->node =
        fuse_nodes_lookup(&h->nodes, (uint32_t)directory, name, a->dev, a->attr.ino, &e->known);
    if (e->node)
        h->nodes.node[e->node].searchable = (a->attr.mode & 0111) == 0111;
    return e->node ? 0 : -ENOMEM;
}

static int look_and_enter(struct hostfs *h, int at, uint64_t directory, const char *name,
                          struct hostfs_entry *out)
{
    int r = tree_read_attr(at, name, &out->attr);
    return r < 0 ? r : hostfs_add_node(h, directory, name, out);
}

static bool asks_for_another(const struct hostfs *h, const struct hostfs_cred *who)
{
    return !h->alone && (who ? who->uid != h->uid : !rights_are_own());
}

int hostfs_walk(struct hostfs *h, const struct hostfs_cred *cred, uint64_t directory,
                const char *name, struct hostfs_entry *out)
{
    SCOPED_PLACE dir;
    int r = hostfs_dir(h, directory, &dir);
    if (r < 0)
        return r;
    hostfs_set_cred(h, cred);
    if (asks_for_another(h, cred) && tree_is_of_ourselves(dir.at, name))
        return -EACCES;
    return look_and_enter(h, dir.at, directory, name, out);
}

/* --- what is made --- */

/* Only root can give files away, and what is root's own is as it should be. */
static bool needs_owner(const struct hostfs *h, const struct hostfs_new *new)
{
    bool own_gid = new->gid == 0 || new->gid == HOSTFS_NOBODY;
    bool to_nobody = new->uid == HOSTFS_NOBODY &&new->gid == HOSTFS_NOBODY;
    return !h->alone && !to_nobody && !(new->uid == 0 && own_gid);
}

uint32_t hostfs_first_mode(const struct hostfs *h, const struct hostfs_new *new)
{
    return needs_owner(h, new) ? new->mode & ~07777u : new->mode;
}

int hostfs_set_owner(const struct hostfs *h, int place, const struct hostfs_new *new)
{
    struct ns_change c = {.to = {.uid = new->uid, .gid = new->gid, .mode = new->mode}};
    if (!needs_owner(h, new))
        return 0;
    c.set =
        (new->uid != HOSTFS_NOBODY ? NS_SET_UID : 0) | (new->gid != HOSTFS_NOBODY ? NS_SET_GID : 0);
    if (c.set && !tree_is_link(new->mode))
        c.set |= NS_SET_MODE;
    return c.set ? tree_set(place, &c) : 0;
}

/* Who may write to the directory may have put another file there by that name. */
static bool is_just_made(const struct hostfs *h, int place, const struct hostfs_new *new)
{
    enum { KIND = 0170000 };
    struct tree_attr a;
    if (tree_read_attr(place, "", &a) < 0 || a.attr.uid != h->uid ||
        (a.attr.mode & KIND) != (new->mode &KIND))
        return false;
    bool closed = tree_is_link(new->mode) || (a.attr.mode & 0777) == 0;
    return closed && (tree_is_dir(new->mode) || a.attr.links == 1);
}

static int set_owner_at(const struct hostfs *h, int at, const struct hostfs_new *new)
{
    if (!needs_owner(h, new))
        return 0;
    SCOPED_TREE place = tree_open_path(at, new->name);
    if (place < 0)
        return place;
    return is_just_made(h, place, new) ? hostfs_set_owner(h, place, new) : -ESTALE;
}

static int make_at(const struct hostfs *h, int at, const struct hostfs_new *new)
{
    uint32_t mode = hostfs_first_mode(h, new);
    if (tree_is_dir(new->mode))
        return tree_make_dir(at, new->name, mode & 07777);
    if (tree_is_link(new->mode))
        return tree_make_link(at, new->name, new->target);
    return tree_make_node(at, new->name, mode, new->rdev);
}

int hostfs_make(struct hostfs *h, const struct hostfs_cred *cred, uint64_t directory,
                const struct hostfs_new *new, struct hostfs_entry *out)
{
    SCOPED_PLACE dir;
    int r = hostfs_dir(h, directory, &dir);
    if (r < 0)
        return r;
    hostfs_set_cred(h, cred);
    r = make_at(h, dir.at, new);
    if (r == 0)
        r = set_owner_at(h, dir.at, new);
    return r == 0 ? look_and_enter(h, dir.at, directory, new->name, out) : r;
}

int hostfs_link(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node, uint64_t directory,
                const char *name, struct hostfs_entry *out)
{
    SCOPED_PLACE old;
    int r = hostfs_place(h, node, &old);
    SCOPED_TREE place = r < 0 ? r : tree_open_path(old.at, old.name);
    if (place < 0)
        return place;
    SCOPED_PLACE dir;
    if ((r = hostfs_dir(h, directory, &dir)) < 0)
        return r;
    hostfs_set_cred(h, cred);
    r = tree_link(place, dir.at, name);
    return r == 0 && out ? look_and_enter(h, dir.at, directory, name, out) : r;
}

/* --- what loses its name --- */

/* What loses the name while it is known is found by a descriptor from then on: its node, or 0. */
static uint32_t hold_last(struct hostfs *h, int at, uint64_t parent, const char *name)
{
    lock_acquire(h->tables);
    uint32_t i = fuse_nodes_find(&h->nodes, (uint32_t)parent, name);
    bool want = i && h->nodes.node[i].fd < 0;
    lock_release(h->tables);
    int fd = want ? tree_open_path(at, name) : -1;
    if (fd < 0)
        return i;
    lock_acquire(h->tables);
    bool kept = fuse_nodes_find(&h->nodes, (uint32_t)parent, name) == i && h->nodes.node[i].fd < 0;
    if (kept)
        fuse_nodes_set_fd(&h->nodes, i, fd);
    lock_release(h->tables);
    if (!kept)
        tree_close(fd);
    return i;
}

static void unname_node(struct hostfs *h, uint32_t i, uint64_t parent, const char *name)
{
    SCOPED_LOCK held = lock_acquire(h->tables);
    if (i && fuse_nodes_find(&h->nodes, (uint32_t)parent, name) == i)
        fuse_nodes_unlink(&h->nodes, i);
}

int hostfs_unlink(struct hostfs *h, const struct hostfs_cred *cred, uint64_t directory,
                  const char *name, bool is_directory)
{
    SCOPED_PLACE dir;
    int r = hostfs_dir(h, directory, &dir);
    if (r < 0)
        return r;
    uint32_t i = hold_last(h, dir.at, directory, name);
    hostfs_set_cred(h, cred);
    r = tree_unlink(dir.at, name, is_directory);
    if (r == 0)
        unname_node(h, i, directory, name);
    return r;
}

static void rename_nodes(struct hostfs *h, const struct hostfs_rename *n)
{
    enum { EXCHANGE = 2 };
    struct fuse_nodes *t = &h->nodes;
    SCOPED_LOCK held = lock_acquire(h->tables);
    uint32_t i = fuse_nodes_find(t, (uint32_t)n->from, n->name);
    uint32_t other = fuse_nodes_find(t, (uint32_t)n->to, n->newname);
    if (i && other && n->flags & EXCHANGE)
        fuse_nodes_exchange(t, i, other);
    else if (i)
        fuse_nodes_rename(t, i, (uint32_t)n->to, n->newname);
    else if (other)
        fuse_nodes_unlink(t, other);
}

int hostfs_rename(struct hostfs *h, const struct hostfs_cred *cred, const struct hostfs_rename *n)
{
    SCOPED_PLACE from;
    int r = hostfs_dir(h, n->from, &from);
    if (r < 0)
        return r;
    SCOPED_PLACE to;
    if ((r = hostfs_dir(h, n->to, &to)) < 0)
        return r;
    hold_last(h, to.at, n->to, n->newname);
    hostfs_set_cred(h, cred);
    r = tree_rename(from.at, n->name, to.at, n->newname, n->flags);
    if (r == 0)
        rename_nodes(h, n);
    return r;
}

int64_t hostfs_readlink(struct hostfs *h, uint64_t node, void *to, size_t len)
{
    SCOPED_PLACE p;
    int r = hostfs_place(h, node, &p);
    return r < 0 ? r : tree_read_link(p.at, p.name, to, len);
}
