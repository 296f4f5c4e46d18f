/* Requests about names. */
#include "engine/hostfs/fuse_loop.h"

#include "plat/clock.h"

#include <errno.h>
#include <string.h>

static void as_asker(const struct job *j)
{
    if (!j->s->alone)
        tree_as(j->ask.uid, j->ask.gid, j->ask.pid);
}

/* Whether nobody outside is likely to make a name in it: only its owner may, and has not lately. */
static bool is_still(const struct tree_attr *dir)
{
    enum { LATELY_S = 60, OTHERS = 022 };
    int64_t now_s = (int64_t)(clock_real_ns() / 1000000000);
    return !(dir->attr.mode & OTHERS) && dir->attr.mtime.s < now_s - LATELY_S;
}

/* How long the kernel may keep a name: a directory's or link's always, others' where nobody is
 * likely to change them; never where it would keep a user from being refused. */
static uint64_t keep_s(const struct job *j, bool searchable, bool named, int at)
{
    struct tree_attr dir;
    if (!searchable)
        return 0;
    if (named)
        return HOSTFS_KEEP_S;
    bool still = j->ask.op == FUSE_OP_LOOKUP && tree_look(at, "", &dir) == 0 && is_still(&dir);
    return still ? HOSTFS_KEEP_S : 0;
}

static bool is_searchable(struct job *j)
{
    lock_take(j->s->tables);
    bool searchable = j->s->nodes.node[j->ask.node].searchable;
    lock_give(j->s->tables);
    return searchable;
}

/* The reply that tells of a name: appended to the small body. */
static int answer_entry(struct job *j, int at, const char *name, struct tree_attr *a)
{
    struct hostfs *s = j->s;
    bool known, named = tree_is_dir(a->attr.mode) || tree_is_link(a->attr.mode);
    uint64_t keep = keep_s(j, is_searchable(j), named, at);
    lock_take(s->tables);
    uint32_t i =
        fuse_nodes_look(&s->nodes, (uint32_t)j->ask.node, name, a->dev, a->attr.ino, &known);
    if (i)
        s->nodes.node[i].searchable = (a->attr.mode & 0111) == 0111;
    lock_give(s->tables);
    if (!i)
        return -ENOMEM;
    hostfs_attr(s, a);
    j->entry = i;
    j->uncounted = j->ask.op == FUSE_OP_LOOKUP && known && (named || keep);
    j->body = j->small;
    j->len = fuse_body_entry(j->small, i, keep, &a->attr);
    return 0;
}

/* The kernel may keep for a while that there is no such name: searches along paths ask for it again
 * and again. */
static int answer_absent(struct job *j, int at)
{
    struct tree_attr dir;
    if (!is_searchable(j) || tree_look(at, "", &dir) < 0 || !is_still(&dir))
        return -ENOENT;
    j->body = j->small;
    j->len = fuse_body_absent(j->small, HOSTFS_KEEP_S);
    j->absent = true;
    return 0;
}

static int look_and_answer(struct job *j, int at, const char *name)
{
    struct tree_attr a;
    int r = tree_look(at, name, &a);
    return r < 0 ? r : answer_entry(j, at, name, &a);
}

int hostfs_lookup(struct job *j)
{
    struct hostfs_place dir;
    int r = hostfs_dir(j->s, j->ask.node, &dir);
    if (r < 0)
        return r;
    as_asker(j);
    r = look_and_answer(j, dir.at, j->ask.name);
    if (r == -ENOENT)
        r = answer_absent(j, dir.at);
    hostfs_place_done(j->s, &dir);
    return r;
}

static int make(const struct fuse_ask *a, int at)
{
    switch (a->op) {
    case FUSE_OP_MKDIR:
        return tree_make_dir(at, a->name, a->mode);
    case FUSE_OP_MKNOD:
        return tree_make_node(at, a->name, a->mode, a->rdev);
    default:
        return tree_make_link(at, a->name, a->name2);
    }
}

int hostfs_make(struct job *j)
{
    struct hostfs_place dir;
    int r = hostfs_dir(j->s, j->ask.node, &dir);
    if (r < 0)
        return r;
    as_asker(j);
    r = make(&j->ask, dir.at);
    if (r == 0)
        r = look_and_answer(j, dir.at, j->ask.name);
    hostfs_place_done(j->s, &dir);
    return r;
}

static int open_created(struct job *j, int fd)
{
    struct hostfs *s = j->s;
    struct tree_attr a;
    char unnamed[32];
    int r = tree_look(fd, "", &a);
    const char *name = j->ask.name;
    if (j->ask.op == FUSE_OP_TMPFILE) { /* no name can have a '/' */
        uint64_t ino = r == 0 ? a.attr.ino : 0;
        size_t at = sizeof unnamed - 1;
        unnamed[at] = '\0';
        for (int i = 0; i < 16; i++, ino >>= 4)
            unnamed[--at] = "0123456789abcdef"[ino & 15];
        unnamed[--at] = '/';
        name = unnamed + at;
    }
    if (r == 0)
        r = answer_entry(j, -1, name, &a);
    if (r < 0) {
        tree_close(fd);
        return r;
    }
    int64_t fh = hostfs_handle_new(s, fd, j->entry);
    if (fh < 0) {
        hostfs_forget(s, j->entry, 1);
        j->entry = 0;
        return (int)fh;
    }
    int32_t backing;
    uint32_t flags = hostfs_mapping(s, hostfs_handle(s, (uint64_t)fh), &j->ask, &backing);
    j->opened = (uint64_t)fh + 1;
    j->len += fuse_body_open(j->small + j->len, (uint64_t)fh, flags, backing);
    return 0;
}

int hostfs_create(struct job *j)
{
    struct hostfs_place dir;
    int r = hostfs_dir(j->s, j->ask.node, &dir);
    if (r < 0)
        return r;
    as_asker(j);
    int fd = tree_create(dir.at, j->ask.name, j->ask.flags, j->ask.mode);
    r = fd < 0 ? fd : open_created(j, fd);
    hostfs_place_done(j->s, &dir);
    return r;
}

int hostfs_link(struct job *j)
{
    struct hostfs_place dir, old;
    int r = hostfs_place(j->s, j->ask.node2, &old);
    if (r < 0)
        return r;
    int place = tree_place(old.at, old.name);
    hostfs_place_done(j->s, &old);
    if (place < 0)
        return place;
    r = hostfs_dir(j->s, j->ask.node, &dir);
    if (r == 0) {
        as_asker(j);
        r = tree_link(place, dir.at, j->ask.name);
        if (r == 0)
            r = look_and_answer(j, dir.at, j->ask.name);
        hostfs_place_done(j->s, &dir);
    }
    tree_close_place(place);
    return r;
}

uint32_t hostfs_hold_last(struct hostfs *s, int at, uint64_t parent, const char *name)
{
    lock_take(s->tables);
    uint32_t i = fuse_nodes_find(&s->nodes, (uint32_t)parent, name);
    bool want = i && s->nodes.node[i].fd < 0;
    lock_give(s->tables);
    int fd = want ? tree_place(at, name) : -1;
    if (fd < 0)
        return i;
    lock_take(s->tables);
    bool kept = fuse_nodes_find(&s->nodes, (uint32_t)parent, name) == i && s->nodes.node[i].fd < 0;
    if (kept)
        fuse_nodes_keep(&s->nodes, i, fd);
    lock_give(s->tables);
    if (!kept)
        tree_close_place(fd);
    return i;
}

void hostfs_unnamed(struct hostfs *s, uint32_t i, uint64_t parent, const char *name)
{
    lock_take(s->tables);
    if (i && fuse_nodes_find(&s->nodes, (uint32_t)parent, name) == i)
        fuse_nodes_unname(&s->nodes, i);
    lock_give(s->tables);
}

int hostfs_unlink(struct job *j)
{
    struct hostfs_place dir;
    int r = hostfs_dir(j->s, j->ask.node, &dir);
    if (r < 0)
        return r;
    uint32_t i = hostfs_hold_last(j->s, dir.at, j->ask.node, j->ask.name);
    as_asker(j);
    r = tree_unlink(dir.at, j->ask.name, j->ask.op == FUSE_OP_RMDIR);
    if (r == 0)
        hostfs_unnamed(j->s, i, j->ask.node, j->ask.name);
    hostfs_place_done(j->s, &dir);
    return r;
}

void hostfs_renamed(struct hostfs *s, uint64_t from, const char *name, uint64_t to,
                    const char *newname, bool exchange)
{
    struct fuse_nodes *t = &s->nodes;
    lock_take(s->tables);
    uint32_t i = fuse_nodes_find(t, (uint32_t)from, name);
    uint32_t other = fuse_nodes_find(t, (uint32_t)to, newname);
    if (i && other && exchange)
        fuse_nodes_exchange(t, i, other);
    else if (i)
        fuse_nodes_rename(t, i, (uint32_t)to, newname);
    else if (other)
        fuse_nodes_unname(t, other);
    lock_give(s->tables);
}

int hostfs_rename(struct job *j)
{
    enum { EXCHANGE = 2 };
    struct hostfs_place from, to;
    int r = hostfs_dir(j->s, j->ask.node, &from);
    if (r < 0)
        return r;
    r = hostfs_dir(j->s, j->ask.node2, &to);
    if (r == 0) {
        hostfs_hold_last(j->s, to.at, j->ask.node2, j->ask.name2);
        as_asker(j);
        r = tree_rename(from.at, j->ask.name, to.at, j->ask.name2, j->ask.flags);
        if (r == 0)
            hostfs_renamed(j->s, j->ask.node, j->ask.name, j->ask.node2, j->ask.name2,
                           j->ask.flags & EXCHANGE);
        hostfs_place_done(j->s, &to);
    }
    hostfs_place_done(j->s, &from);
    return r;
}

int hostfs_readlink(struct job *j)
{
    struct hostfs_place p;
    int r = hostfs_place(j->s, j->ask.node, &p);
    if (r < 0)
        return r;
    int64_t n = tree_read_link(p.at, p.name, j->room, 4096);
    hostfs_place_done(j->s, &p);
    if (n < 0)
        return (int)n;
    j->body = j->room;
    j->len = (size_t)n;
    return 0;
}
