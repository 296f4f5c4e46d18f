/* Requests about names. */
#include "fuse.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"

#include <errno.h>

/* Whether a name is likely to be made in it from outside: only its owner may, and has not lately.
 */
static bool is_still(struct job *j)
{
    enum { LATELY_S = 60, OTHERS = 022 };
    struct tree_attr dir;
    if (hostfs_getattr(&j->s->fs, j->ask.node, &dir) < 0)
        return false;
    int64_t now_s = (int64_t)(clock_real_ns() / NS_PER_S);
    return !(dir.attr.mode & OTHERS) && (int64_t)dir.attr.modified.s < now_s - LATELY_S;
}

/* How long the kernel may keep a name: a directory's or link's always, others' where they are not
 * likely to change; never where it would keep a user from being refused. */
static uint64_t keep_s(struct job *j, const struct hostfs_entry *e, bool named)
{
    if (!e->searchable)
        return 0;
    return named || (j->ask.op == FUSE_OP_LOOKUP && is_still(j)) ? HOSTFS_KEEP_S : 0;
}

/* The reply that tells of a name: appended to the small body. */
static void answer_entry(struct job *j, struct hostfs_entry *e)
{
    uint32_t mode = e->attr.attr.mode;
    bool named = tree_is_dir(mode) || tree_is_link(mode);
    uint64_t keep = keep_s(j, e, named);
    fuse_map_attrs(&j->s->fs, &e->attr);
    j->entry = e->node;
    j->uncounted = j->ask.op == FUSE_OP_LOOKUP && e->known && (named || keep);
    j->len =
        fuse_body_entry(j->small, e->node, (struct fuse_valid){.entry_s = keep}, &e->attr.attr);
}

/* The kernel may keep for a while that there is no such name: searches along paths ask for it again
 * and again. */
static int answer_absent(struct job *j)
{
    struct hostfs *h = &j->s->fs;
    lock_acquire(h->tables);
    bool searchable = h->nodes.node[j->ask.node].searchable;
    lock_release(h->tables);
    if (!searchable || !is_still(j))
        return -ENOENT;
    j->len = fuse_body_absent(j->small, HOSTFS_KEEP_S);
    j->absent = true;
    return 0;
}

int fuse_lookup(struct job *j)
{
    struct hostfs_entry e;
    int r = hostfs_walk(&j->s->fs, &j->cred, j->ask.node, j->ask.name, &e);
    if (r == -ENOENT)
        return answer_absent(j);
    if (r == 0)
        answer_entry(j, &e);
    return r;
}

static struct hostfs_new new_of(const struct fuse_request *a)
{
    struct hostfs_new new = {.name = a->name,
                             .mode = a->mode,
                             .rdev = a->rdev,
                             .target = a->name2,
                             .uid = HOSTFS_NOBODY,
                             .gid = HOSTFS_NOBODY};
    if (a->op == FUSE_OP_MKDIR)
        new.mode = NS_S_DIR | (a->mode & ~(uint32_t)NS_S_KIND);
    if (a->op == FUSE_OP_SYMLINK)
        new.mode = NS_S_LINK | 0777;
    if (a->op == FUSE_OP_TMPFILE)
        new.name = NULL;
    return new;
}

int fuse_make(struct job *j)
{
    struct hostfs_entry e;
    const struct hostfs_new new = new_of(&j->ask);
    int r = hostfs_make(&j->s->fs, &j->cred, j->ask.node, &new, &e);
    if (r == 0)
        answer_entry(j, &e);
    return r;
}

int fuse_create(struct job *j)
{
    struct hostfs_entry e;
    struct hostfs_file opened;
    const struct hostfs_new new = new_of(&j->ask);
    int r = hostfs_create(&j->s->fs, &j->cred, j->ask.node, &new, j->ask.flags, &e, &opened);
    if (r < 0)
        return r;
    answer_entry(j, &e);
    r = fuse_answer_open(j, &opened);
    if (r < 0) {
        hostfs_forget(&j->s->fs, j->entry, 1);
        j->entry = 0;
    }
    return r;
}

int fuse_link(struct job *j)
{
    struct hostfs_entry e;
    int r = hostfs_link(&j->s->fs, &j->cred, j->ask.node2, j->ask.node, j->ask.name, &e);
    if (r == 0)
        answer_entry(j, &e);
    return r;
}

int fuse_unlink(struct job *j)
{
    bool is_directory = j->ask.op == FUSE_OP_RMDIR;
    return hostfs_unlink(&j->s->fs, &j->cred, j->ask.node, j->ask.name, is_directory);
}

int fuse_rename(struct job *j)
{
    const struct fuse_request *a = &j->ask;
    const struct hostfs_rename rename = {a->node, a->node2, a->name, a->name2, a->flags};
    return hostfs_rename(&j->s->fs, &j->cred, &rename);
}

int fuse_readlink(struct job *j)
{
    int64_t n = hostfs_readlink(&j->s->fs, j->ask.node, j->buffer, 4096);
    if (n < 0)
        return (int)n;
    j->body = j->buffer;
    j->len = (size_t)n;
    return 0;
}
