/* Opening and closing. */
#include "hostfs.h"

#include <errno.h>
#include <stdlib.h>

/* fd: as it was opened, or why it was not. */
static int init_file(struct hostfs *h, int fd, uint64_t node, struct hostfs_file *out)
{
    if (fd < 0)
        return fd;
    SCOPED_LOCK held = lock_acquire(h->tables);
    const struct fuse_node *n = &h->nodes.node[node];
    *out = (struct hostfs_file){.fd = fd, .node = (uint32_t)node, .dev = n->dev, .ino = n->ino};
    return 0;
}

int hostfs_open(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node, uint32_t flags,
                struct hostfs_file *out)
{
    SCOPED_PLACE p;
    int r = hostfs_place(h, node, &p);
    if (r < 0)
        return r;
    hostfs_set_cred(h, cred);
    return init_file(h, tree_open(p.at, p.name, flags), node, out);
}

int hostfs_open_dir(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                    struct hostfs_file *out)
{
    SCOPED_PLACE p;
    int r = hostfs_dir(h, node, &p);
    if (r < 0)
        return r;
    hostfs_set_cred(h, cred);
    return init_file(h, tree_open_dir(p.at, ""), node, out);
}

void hostfs_close(struct hostfs *h, struct hostfs_file *o)
{
    hostfs_unlock_open(h, o);
    free(o->listing);
    tree_close(o->fd);
}

/* --- made and opened --- */

/* Devices and FIFOs are the client's own affair. */
static int open_plain(int at, const char *name, uint32_t flags)
{
    struct tree_attr a;
    int r = tree_read_attr(at, name, &a);
    if (r < 0)
        return r;
    if (tree_is_dir(a.attr.mode))
        return tree_open_dir(at, name);
    return tree_is_file(a.attr.mode) ? tree_open(at, name, flags) : -ENXIO;
}

static int create_plain(const struct hostfs *h, int at, const struct hostfs_new *new,
                        uint32_t flags)
{
    int fd = tree_create(at, new->name, flags | tree_flags(TREE_EXCLUSIVE),
                         hostfs_first_mode(h, new) & 07777);
    if (fd == -EEXIST && !new->exclusive)
        return open_plain(at, new->name, flags);
    int r = fd < 0 ? fd : hostfs_set_owner(h, fd, new);
    if (r < 0)
        tree_close(fd);
    return r < 0 ? r : fd;
}

/* A name for what has none: no file's can have a '/'. */
static const char *name_unnamed(uint64_t ino, char to[32])
{
    size_t at = 31;
    to[at] = '\0';
    for (int i = 0; i < 16; i++, ino >>= 4)
        to[--at] = "0123456789abcdef"[ino & 15];
    to[--at] = '/';
    return to + at;
}

static int enter_open(struct hostfs *h, uint64_t directory, const char *name, int fd,
                      struct hostfs_entry *out)
{
    char unnamed[32];
    int r = tree_read_attr(fd, "", &out->attr);
    if (r < 0)
        return r;
    return hostfs_add_node(h, directory, name ? name : name_unnamed(out->attr.attr.ino, unnamed),
                           out);
}

int hostfs_create(struct hostfs *h, const struct hostfs_cred *cred, uint64_t directory,
                  const struct hostfs_new *new, uint32_t flags, struct hostfs_entry *out,
                  struct hostfs_file *o)
{
    SCOPED_PLACE dir;
    int r = hostfs_dir(h, directory, &dir);
    if (r < 0)
        return r;
    hostfs_set_cred(h, cred);
    int fd = new->plain ? create_plain(h, dir.at, new, flags)
                        : tree_create(dir.at, new->name, flags, new->mode);
    r = fd < 0 ? fd : enter_open(h, directory, new->name, fd, out);
    if (r < 0)
        tree_close(fd);
    return r < 0 ? r : init_file(h, fd, out->node, o);
}
