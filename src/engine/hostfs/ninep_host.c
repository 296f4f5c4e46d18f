#include "ninep_host_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int host_told(int r, const char *name, struct fail *f)
{
    return r < 0 ? fail_set(f, -r, "%.128s", name) : r;
}

int host_enter(struct ninep_host_files *h, uint64_t directory, int at, const char *name,
               uint64_t *path, struct tree_attr *a)
{
    bool known;
    int r = tree_look(at, name, a);
    if (r < 0)
        return r;
    lock_take(h->s.tables);
    uint32_t i = fuse_nodes_look(&h->s.nodes, (uint32_t)host_node(directory), name, a->dev,
                                 a->attr.ino, &known);
    lock_give(h->s.tables);
    *path = i - FUSE_NODE_ROOT;
    if (i)
        host_seen(h, *path, a);
    return i ? 0 : -ENOMEM;
}

void host_seen(struct ninep_host_files *h, uint64_t path, const struct tree_attr *a)
{
    h->fresh = true;
    h->seen_path = path;
    h->seen = *a;
}

/* Nobody but root can give files away, and what is root's own is as it should be. */
int host_give(const struct ninep_host_files *h, int place, const struct ninep_new *file)
{
    struct fuse_ask ask = {.set.uid = h->asker, .set.gid = file->gid, .mode = file->mode};
    if (h->s.alone || (h->asker == 0 && (file->gid == 0 || file->gid == UINT32_MAX)))
        return 0;
    ask.set.valid =
        (h->asker != UINT32_MAX ? FUSE_SET_UID : 0) | (file->gid != UINT32_MAX ? FUSE_SET_GID : 0);
    if (ask.set.valid && !tree_is_link(file->mode))
        ask.set.valid |= FUSE_SET_MODE;
    return tree_set(place, &ask);
}

static void asks(void *state, uint32_t uid)
{
    struct ninep_host_files *h = state;
    h->asker = uid;
    h->fresh = false;
}

static void forget(void *state, uint64_t path)
{
    struct ninep_host_files *h = state;
    hostfs_forget(&h->s, host_node(path), 1);
}

struct ninep_tree ninep_host_tree(struct ninep_host_files *host, bool writable)
{
    static const struct ns_calls calls = {
        .walk = host_walk,
        .stat = host_stat,
        .open = host_open,
        .read = host_read,
        .write = host_write,
        .close = host_close,
    };
    static const struct ninep_host more = {
        .asks = asks,
        .attr = host_attr,
        .change = host_change,
        .create = host_create,
        .make = host_make,
        .link = host_link,
        .target = host_target,
        .rename = host_rename,
        .move = host_move,
        .unlink = host_unlink,
        .remove = host_remove,
        .next = host_next,
        .space = host_space,
        .sync = host_sync,
        .value = host_value,
        .set_value = host_set_value,
        .lock = host_lock,
    };
    return (struct ninep_tree){
        .files = {&calls, host},
        .host = &more,
        .forget = forget,
        .writable = writable,
        .uid = host->s.uid,
        .gid = host->s.gid,
    };
}

int ninep_host_open(struct ninep_host_files **out, const char *directory, struct fail *f)
{
    struct ninep_host_files *h = calloc(1, sizeof *h);
    int r = h && (h->s.tables = lock_new()) ? hostfs_tree_init(&h->s, directory) : -ENOMEM;
    if (r < 0) {
        if (h)
            lock_free(h->s.tables);
        free(h);
        return host_told(r, directory, f);
    }
    h->asker = UINT32_MAX;
    tree_exact_modes();
    *out = h;
    return 0;
}

void ninep_host_close(struct ninep_host_files *h)
{
    if (!h)
        return;
    tree_close_place(h->s.nodes.node[FUSE_NODE_ROOT].fd);
    fuse_nodes_release(&h->s.nodes);
    lock_free(h->s.tables);
    free(h);
}
