/* Requests about attributes. */
#include "engine/hostfs/fuse_loop.h"

#include <errno.h>

static int answer_attr(struct job *j, struct tree_attr *a)
{
    lock_take(j->s->tables);
    j->s->nodes.node[j->ask.node].searchable = (a->attr.mode & 0111) == 0111;
    lock_give(j->s->tables);
    hostfs_attr(j->s, a);
    j->body = j->small;
    j->len = fuse_body_attr(j->small, &a->attr);
    return 0;
}

int hostfs_getattr(struct job *j)
{
    struct hostfs_place p;
    struct tree_attr a;
    int r = hostfs_place(j->s, j->ask.node, &p);
    if (r < 0)
        return r;
    r = tree_look(p.at, p.name, &a);
    hostfs_place_done(j->s, &p);
    return r < 0 ? r : answer_attr(j, &a);
}

/* A descriptor of the file itself, to be closed; asked for as the asker from then on. */
static int file_itself(struct job *j)
{
    struct hostfs_place p;
    int r = hostfs_place(j->s, j->ask.node, &p);
    if (r < 0)
        return r;
    int place = tree_place(p.at, p.name);
    hostfs_place_done(j->s, &p);
    if (place >= 0 && !j->s->alone)
        tree_as(j->ask.uid, j->ask.gid, j->ask.pid);
    return place;
}

int hostfs_setattr(struct job *j)
{
    struct tree_attr a;
    int place = file_itself(j);
    if (place < 0)
        return place;
    int r = 0;
    /* An open file may be cut by who could not open it now. */
    if (j->ask.set.valid & FUSE_SET_FH) {
        struct hostfs_handle *h = hostfs_handle(j->s, j->ask.fh);
        r = h ? tree_set_open(h->fd, &j->ask) : -EBADF;
        j->ask.set.valid &= ~(uint32_t)FUSE_SET_SIZE;
    }
    if (r == 0)
        r = tree_set(place, &j->ask);
    if (r == 0)
        r = tree_look(place, "", &a);
    tree_close_place(place);
    return r < 0 ? r : answer_attr(j, &a);
}

int hostfs_access(struct job *j)
{
    int place = file_itself(j);
    if (place < 0)
        return place;
    int r = tree_access(place, j->ask.flags);
    tree_close_place(place);
    return r;
}

int hostfs_statfs(struct job *j)
{
    struct fuse_statfs s;
    int place = file_itself(j);
    if (place < 0)
        return place;
    int r = tree_statfs(place, &s);
    tree_close_place(place);
    if (r < 0)
        return r;
    j->body = j->small;
    j->len = fuse_body_statfs(j->small, &s);
    return 0;
}

/* Values: their size alone when none is wanted. */
static int answer_value(struct job *j, int64_t n)
{
    if (n < 0)
        return (int)n;
    j->body = j->ask.size ? j->room : j->small;
    j->len = j->ask.size ? (size_t)n : fuse_body_count(j->small, (uint32_t)n);
    return 0;
}

static int ask_xattr(struct job *j, int place)
{
    const struct fuse_ask *a = &j->ask;
    size_t len = a->size < HOSTFS_MOST ? (size_t)a->size : HOSTFS_MOST;
    switch (a->op) {
    case FUSE_OP_GETXATTR:
        return answer_value(j, tree_get_xattr(place, a->name, j->room, len));
    case FUSE_OP_LISTXATTR:
        return answer_value(j, tree_list_xattr(place, j->room, len));
    case FUSE_OP_SETXATTR:
        return tree_set_xattr(place, a->name, a->data, a->data_len, a->flags);
    default:
        return tree_remove_xattr(place, a->name);
    }
}

int hostfs_xattr(struct job *j)
{
    int place = file_itself(j);
    if (place < 0)
        return place;
    int r = ask_xattr(j, place);
    tree_close_place(place);
    return r;
}
