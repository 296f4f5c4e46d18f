/* Operations on attributes. */
#include "hostfs.h"

int hostfs_getattr(struct hostfs *h, uint64_t node, struct tree_attr *out)
{
    SCOPED_PLACE p;
    int r = hostfs_place(h, node, &p);
    return r < 0 ? r : tree_read_attr(p.at, p.name, out);
}

/* A descriptor of the file itself, to be closed; asked for as the asker from then on. */
static int file_itself(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node)
{
    SCOPED_PLACE p;
    int r = hostfs_place(h, node, &p);
    int place = r < 0 ? r : tree_open_path(p.at, p.name);
    if (place >= 0)
        hostfs_set_cred(h, cred);
    return place;
}

/* An open file may be truncated by a process that could no longer open it. */
static int set_attributes(int place, int fd, struct ns_change change)
{
    if (fd >= 0 && change.set & NS_SET_SIZE) {
        int r = tree_set_size(fd, change.to.size);
        change.set &= ~(uint32_t)NS_SET_SIZE;
        if (r < 0)
            return r;
    }
    return tree_set(place, &change);
}

int hostfs_setattr(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node, int fd,
                   const struct ns_change *change, struct tree_attr *out)
{
    SCOPED_TREE place = file_itself(h, cred, node);
    int r = place < 0 ? place : set_attributes(place, fd, *change);
    return r == 0 && out ? tree_read_attr(place, "", out) : r;
}

int hostfs_access(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node, uint32_t mask)
{
    SCOPED_TREE place = file_itself(h, cred, node);
    return place < 0 ? place : tree_access(place, mask);
}

int hostfs_statfs(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                  struct ns_statfs *out)
{
    SCOPED_TREE place = file_itself(h, cred, node);
    return place < 0 ? place : tree_statfs(place, out);
}

int64_t hostfs_getxattr(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                        const char *name, void *to, size_t len)
{
    SCOPED_TREE place = file_itself(h, cred, node);
    if (place < 0)
        return place;
    return name ? tree_get_xattr(place, name, to, len) : tree_list_xattr(place, to, len);
}

int hostfs_setxattr(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                    const struct hostfs_xattr *x)
{
    SCOPED_TREE place = file_itself(h, cred, node);
    if (place < 0)
        return place;
    return x->value ? tree_set_xattr(place, x->name, x->value, x->len, x->flags)
                    : tree_remove_xattr(place, x->name);
}
