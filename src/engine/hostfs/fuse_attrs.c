/* Requests about attributes. */
#include "fuse.h"

#include <errno.h>

static int answer_attr(struct job *j, struct tree_attr *a)
{
    struct hostfs *h = &j->s->fs;
    lock_acquire(h->tables);
    h->nodes.node[j->ask.node].searchable = (a->attr.mode & 0111) == 0111;
    lock_release(h->tables);
    fuse_map_attrs(h, a);
    j->len = fuse_body_attr(j->small, 0, &a->attr);
    return 0;
}

int fuse_getattr(struct job *j)
{
    struct tree_attr a;
    int r = hostfs_getattr(&j->s->fs, j->ask.node, &a);
    return r < 0 ? r : answer_attr(j, &a);
}

int fuse_setattr(struct job *j)
{
    struct tree_attr a;
    const struct fuse_request *ask = &j->ask;
    const struct fuse_handle *o = ask->has_fh ? fuse_handle(j->s, ask->fh) : NULL;
    if (ask->has_fh && !o)
        return -EBADF;
    int r = hostfs_setattr(&j->s->fs, &j->cred, ask->node, o ? o->open.fd : -1, &ask->change, &a);
    return r < 0 ? r : answer_attr(j, &a);
}

int fuse_access(struct job *j)
{
    return hostfs_access(&j->s->fs, &j->cred, j->ask.node, j->ask.flags);
}

int fuse_statfs(struct job *j)
{
    struct ns_statfs s;
    int r = hostfs_statfs(&j->s->fs, &j->cred, j->ask.node, &s);
    if (r < 0)
        return r;
    j->len = fuse_body_statfs(j->small, &s);
    return 0;
}

/* Values: their size alone when none is wanted. */
static int answer_value(struct job *j, int64_t n)
{
    if (n < 0)
        return (int)n;
    if (j->ask.size)
        j->body = j->buffer;
    j->len = j->ask.size ? (size_t)n : fuse_body_count(j->small, (uint32_t)n);
    return 0;
}

static int get_xattr(struct job *j)
{
    const struct fuse_request *a = &j->ask;
    size_t len = a->size < HOSTFS_MAX_IO ? (size_t)a->size : HOSTFS_MAX_IO;
    const char *name = a->op == FUSE_OP_GETXATTR ? a->name : NULL;
    return answer_value(j, hostfs_getxattr(&j->s->fs, &j->cred, a->node, name, j->buffer, len));
}

static int set_xattr(struct job *j)
{
    const struct fuse_request *a = &j->ask;
    struct hostfs_xattr x = {.name = a->name, .len = a->data_len, .flags = a->flags};
    if (a->op == FUSE_OP_SETXATTR)
        x.value = a->data ? a->data : "";
    return hostfs_setxattr(&j->s->fs, &j->cred, a->node, &x);
}

int fuse_xattr(struct job *j)
{
    uint32_t op = j->ask.op;
    return op == FUSE_OP_GETXATTR || op == FUSE_OP_LISTXATTR ? get_xattr(j) : set_xattr(j);
}
