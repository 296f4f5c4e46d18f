/* Operations on attributes. */
#include "hostfs.h"

int hostfs_getattr(struct hostfs *h, uint64_t node, struct tree_attr *out)
{
    struct hostfs_place p;
    int r = hostfs_place(h, node, &p);
    if (r < 0)
        return r;
    r = tree_read_attr(p.at, p.name, out);
    hostfs_place_release(h, &p);
    return r;
}

/* A descriptor of the file itself, to be closed; asked for as the asker from then on. */
static int file_itself(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node)
{
    struct hostfs_place p;
    int r = hostfs_place(h, node, &p);
    if (r < 0)
        return r;
    int place = tree_open_path(p.at, p.name);
    hostfs_place_release(h, &p);
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
    int place = file_itself(h, cred, node);
    if (place < 0)
        return place;
    int r = set_attributes(place, fd, *change);
    if (r == 0 && out)
        r = tree_read_attr(place, "", out);
    tree_close_path(place);
    return r;
}

int hostfs_access(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node, uint32_t mask)
{
    int place = file_itself(h, cred, node);
    if (place < 0)
        return place;
    int r = tree_access(place, mask);
    tree_close_path(place);
    return r;
}

int hostfs_statfs(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                  struct ns_statfs *out)
{
    int place = file_itself(h, cred, node);
    if (place < 0)
        return place;
    int r = tree_statfs(place, out);
    tree_close_path(place);
    return r;
}

int64_t hostfs_getxattr(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                        const char *name, void *to, size_t len)
{
    int place = file_itself(h, cred, node);
    if (place < 0)
        return place;
    int64_t n = name ? tree_get_xattr(place, name, to, len) : tree_list_xattr(place, to, len);
    tree_close_path(place);
    return n;
}

int hostfs_setxattr(struct hostfs *h, const struct hostfs_cred *cred, uint64_t node,
                    const struct hostfs_xattr *x)
{
    int place = file_itself(h, cred, node);
    if (place < 0)
        return place;
    int r = x->value ? tree_set_xattr(place, x->name, x->value, x->len, x->flags)
                     : tree_remove_xattr(place, x->name);
    tree_close_path(place);
    return r;
}
