/* What the kernel knows by number: files, and open files. */
#include "server_parts.h"

#include "core/base/grow.h"

bool fs_held_init(struct fuse_server *s)
{
    if (!grow(&s->node, &s->node_cap, 0, sizeof *s->node))
        return false;
    s->node[0] = (struct fs_node){.lookups = 1, .used = true};
    s->nodes = s->known = 1;
    return true;
}

void fs_held_release(struct fuse_server *s)
{
    for (size_t i = 0; i < s->opens; i++)
        if (s->open[i].used)
            fs_open_close(s, &s->open[i]);
    for (size_t i = 1; i < s->nodes; i++)
        if (s->node[i].used)
            ns_served_forget(&s->tree, s->node[i].path);
    imap_release(&s->by_path);
    free(s->node);
    free(s->open);
}

/* --- files --- */

struct fs_node *fs_node_at(const struct fuse_server *s, uint64_t number)
{
    if (number == 0 || number > s->nodes || !s->node[number - 1].used)
        return NULL;
    return &s->node[number - 1];
}

static size_t free_node(const struct fuse_server *s)
{
    if (s->known == s->nodes)
        return s->nodes;
    size_t i = 0;
    while (s->node[i].used)
        i++;
    return i;
}

uint64_t fs_node_lookup(struct fuse_server *s, uint64_t path)
{
    uint64_t known = path ? imap_get(&s->by_path, path) : 1;
    if (known) {
        s->node[known - 1].lookups++;
        ns_served_forget(&s->tree, path); /* it is held once */
        return known;
    }
    uint64_t *slot = imap_at(&s->by_path, path);
    if (!slot || !grow(&s->node, &s->node_cap, s->nodes, sizeof *s->node)) {
        ns_served_forget(&s->tree, path);
        return 0;
    }
    size_t i = free_node(s);
    s->node[i] = (struct fs_node){.path = path, .lookups = 1, .used = true};
    s->nodes += i == s->nodes;
    s->known++;
    *slot = i + 1;
    return *slot;
}

static void drop_unknown(struct fuse_server *s, struct fs_node *n)
{
    if (n->lookups || n->opens || n == s->node)
        return;
    uint64_t *slot = imap_at(&s->by_path, n->path);
    if (slot)
        *slot = 0;
    ns_served_forget(&s->tree, n->path);
    n->used = false;
    s->known--;
}

void fs_node_forget(struct fuse_server *s, uint64_t number, uint64_t lookups)
{
    struct fs_node *n = fs_node_at(s, number);
    if (!n || n == s->node)
        return;
    n->lookups -= lookups < n->lookups ? lookups : n->lookups;
    drop_unknown(s, n);
}

/* --- open files --- */

static size_t free_open(const struct fuse_server *s)
{
    if (s->open_now == s->opens)
        return s->opens;
    size_t i = 0;
    while (s->open[i].used)
        i++;
    return i;
}

uint64_t fs_open_new(struct fuse_server *s, uint64_t number, const struct ns_file *file,
                     bool directory)
{
    struct fs_node *n = fs_node_at(s, number);
    if (!n || s->open_now == FUSE_SERVER_FILES ||
        !grow(&s->open, &s->open_cap, s->opens, sizeof *s->open))
        return 0;
    size_t i = free_open(s);
    s->open[i] = (struct fs_open){*file, (size_t)number - 1, true, directory};
    s->opens += i == s->opens;
    s->open_now++;
    n->opens++;
    return i + 1;
}

struct fs_open *fs_open_at(const struct fuse_server *s, uint64_t handle)
{
    if (handle == 0 || handle > s->opens || !s->open[handle - 1].used)
        return NULL;
    return &s->open[handle - 1];
}

void fs_open_close(struct fuse_server *s, struct fs_open *o)
{
    struct fs_node *n = &s->node[o->node];
    ns_file_close(&o->file);
    o->used = false;
    s->open_now--;
    n->opens--;
    drop_unknown(s, n);
}
