/* What the kernel has open. */
#include "fuse.h"

#include "core/base/grow.h"
#include "plat/mount.h"

#include <errno.h>
#include <stdlib.h>

struct fuse_handle *fuse_handle(struct hostfs_fuse *s, uint64_t fh)
{
    SCOPED_LOCK held = lock_acquire(s->fs.tables);
    return fh < s->handles && s->handle[fh]->used ? s->handle[fh] : NULL;
}

static int64_t number_of_new(struct hostfs_fuse *s)
{
    if (s->free_handle) {
        uint32_t i = s->free_handle - 1;
        s->free_handle = s->handle[i]->next_free;
        return i;
    }
    if (!grow(&s->handle, &s->handle_cap, s->handles, sizeof(struct fuse_handle *)))
        return -ENOMEM;
    s->handle[s->handles] = calloc(1, sizeof **s->handle);
    return s->handle[s->handles] ? (int64_t)s->handles++ : -ENOMEM;
}

static int64_t handle_new(struct hostfs_fuse *s, struct hostfs_file *opened)
{
    lock_acquire(s->fs.tables);
    int64_t i = number_of_new(s);
    if (i >= 0) {
        *s->handle[i] = (struct fuse_handle){.open = *opened, .file = -1, .used = true};
        s->fs.nodes.node[opened->node].opens++;
    }
    lock_release(s->fs.tables);
    if (i < 0)
        hostfs_close(&s->fs, opened);
    return i;
}

void fuse_handle_free(struct hostfs_fuse *s, uint64_t fh)
{
    int backing = 0;
    struct fuse_handle *h = fuse_handle(s, fh);
    if (!h)
        return;
    hostfs_close(&s->fs, &h->open);
    lock_acquire(s->fs.tables);
    struct fuse_node *n = &s->fs.nodes.node[h->open.node];
    if (--n->opens == 0) {
        backing = n->backing;
        n->backing = 0;
    }
    h->used = false;
    h->next_free = s->free_handle;
    s->free_handle = (uint32_t)fh + 1;
    fuse_nodes_forget(&s->fs.nodes, h->open.node, 0, tree_close);
    lock_release(s->fs.tables);
    if (backing > 0)
        mount_backing_close(s->connection, backing);
}

/* Closes are reported at once, so that locks end with them, of what was opened to write: programs
 * that lock mostly do, and the others' need one message fewer. */
static uint32_t choose_open_flags(struct hostfs_fuse *s, const struct fuse_handle *h,
                                  const struct fuse_request *ask, int32_t *backing)
{
    uint32_t flags = FUSE_OPEN_DIRECT_IO | FUSE_OPEN_PARALLEL_WRITES;
    if (ask->op == FUSE_OP_OPENDIR)
        return 0;
    if (!tree_opens_to_write(ask->flags))
        flags |= FUSE_OPEN_NOFLUSH;
    if (!s->passthrough)
        return flags;
    SCOPED_LOCK held = lock_acquire(s->fs.tables);
    struct fuse_node *n = &s->fs.nodes.node[h->open.node];
    if (n->opens == 1)
        n->backing = mount_backing(s->connection, h->open.fd);
    if (n->backing > 0) {
        *backing = n->backing;
        flags |= FUSE_OPEN_PASSTHROUGH;
    }
    return flags;
}

int fuse_answer_open(struct job *j, struct hostfs_file *opened)
{
    int32_t backing = 0;
    int64_t fh = handle_new(j->s, opened);
    if (fh < 0)
        return (int)fh;
    uint32_t flags = choose_open_flags(j->s, fuse_handle(j->s, (uint64_t)fh), &j->ask, &backing);
    j->opened = (uint64_t)fh + 1;
    j->len += fuse_body_open(j->small + j->len, (uint64_t)fh, flags, backing);
    return 0;
}
