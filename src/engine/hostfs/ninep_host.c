#include "ninep_host_private.h"

#include <errno.h>
#include <stdlib.h>

int host_result(int r, const char *name, struct fail *f)
{
    return r < 0 ? fail_set(f, -r, "%.128s", name) : r;
}

void host_found(struct ninep_host_files *h, const struct hostfs_entry *e, uint64_t *path)
{
    *path = e->node - FUSE_NODE_ROOT;
    host_seen(h, *path, &e->attr);
}

void host_seen(struct ninep_host_files *h, uint64_t path, const struct tree_attr *a)
{
    h->fresh = true;
    h->seen_path = path;
    h->seen = *a;
}

/* A device's number as the kernel packs it. */
static uint32_t rdev_of(const struct ninep_new_file *file)
{
    return (file->minor & 0xff) | file->major << 8 | (file->minor & ~0xffu) << 12;
}

struct hostfs_new host_new(const struct ninep_host_files *h, const char *name,
                           const struct ninep_new_file *file)
{
    return (struct hostfs_new){.name = name,
                               .mode = file->mode,
                               .rdev = rdev_of(file),
                               .target = file->target,
                               .uid = h->asker,
                               .gid = file->gid,
                               .plain = true,
                               .exclusive = file->exclusive};
}

static void set_asker(void *state, uint32_t uid)
{
    struct ninep_host_files *h = state;
    h->asker = uid;
    h->fresh = false;
}

static void forget_node(void *state, uint64_t path)
{
    struct ninep_host_files *h = state;
    hostfs_forget(&h->fs, host_node(path), 1);
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
        .forget = forget_node,
    };
    static const struct ninep_host more = {
        .set_user = set_asker,
        .getattr = host_attr,
        .setattr = host_change,
        .create = host_create,
        .make = host_make,
        .link = host_link,
        .readlink = host_target,
        .rename = host_rename,
        .move = host_move,
        .unlink = host_unlink,
        .remove = host_remove,
        .readdir = host_next,
        .statfs = host_space,
        .fsync = host_sync,
        .getxattr = host_value,
        .setxattr = host_set_value,
        .lock = host_lock,
    };
    return (struct ninep_tree){.files = {.files = {&calls, host},
                                         .writable = writable,
                                         .opens_directories = true,
                                         .uid = host->fs.uid,
                                         .gid = host->fs.gid},
                               .host = &more};
}

int ninep_host_open(struct ninep_host_files **out, const char *directory, struct fail *f)
{
    struct ninep_host_files *h = calloc(1, sizeof *h);
    int r = h ? hostfs_init(&h->fs, directory) : -ENOMEM;
    if (r < 0) {
        free(h);
        return host_result(r, directory, f);
    }
    h->asker = HOSTFS_NOBODY;
    tree_clear_umask();
    *out = h;
    return 0;
}

void ninep_host_close(struct ninep_host_files *h)
{
    if (!h)
        return;
    hostfs_release(&h->fs);
    free(h);
}
