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

static void link_free(struct fuse_server *s, uint64_t number)
{
    s->node[number - 1] = (struct fs_node){.path = s->free_node};
    if (s->free_node)
        s->node[s->free_node - 1].lookups = number;
    s->free_node = number;
}

static void unlink_free(struct fuse_server *s, uint64_t number)
{
    uint64_t next = s->node[number - 1].path, previous = s->node[number - 1].lookups;
    *(previous ? &s->node[previous - 1].path : &s->free_node) = next;
    if (next)
        s->node[next - 1].lookups = previous;
}

/* 0: no memory. */
static uint64_t new_number(struct fuse_server *s)
{
    uint64_t number = s->free_node;
    if (number) {
        unlink_free(s, number);
        return number;
    }
    return grow(&s->node, &s->node_cap, s->nodes, sizeof *s->node) ? ++s->nodes : 0;
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
    uint64_t number = slot ? new_number(s) : 0;
    if (!number) {
        ns_served_forget(&s->tree, path);
        return 0;
    }
    s->node[number - 1] = (struct fs_node){.path = path, .lookups = 1, .used = true};
    s->known++;
    *slot = number;
    return number;
}

/* --- the table shrinks with the names that the kernel has --- */

enum { MIN_NODES = 64 };

/* Free numbers at the end are taken away, and memory that is four times what is needed. */
static void shrink_nodes(struct fuse_server *s)
{
    while (!s->node[s->nodes - 1].used)
        unlink_free(s, s->nodes--);
    if (s->node_cap <= MIN_NODES || s->nodes > s->node_cap / 4)
        return;
    size_t cap = s->nodes < MIN_NODES / 2 ? MIN_NODES : 2 * s->nodes;
    struct fs_node *less = realloc(s->node, cap * sizeof *less);
    if (less) {
        s->node = less;
        s->node_cap = cap;
    }
}

static bool map_nodes(const struct fuse_server *s, struct imap *map)
{
    for (size_t i = 1; i < s->nodes; i++) {
        uint64_t *slot = s->node[i].used ? imap_at(map, s->node[i].path) : NULL;
        if (slot)
            *slot = i + 1;
        else if (s->node[i].used)
            return false;
    }
    return true;
}

/* The map keeps the keys of what is gone: it is made anew when these are most of it. Where memory
 * ends the old one stays. */
static void shrink_map(struct fuse_server *s)
{
    struct imap map = {.slot = NULL}, old = s->by_path;
    if (old.used <= 4 * s->known + MIN_NODES)
        return;
    bool whole = map_nodes(s, &map);
    if (whole)
        s->by_path = map;
    imap_release(whole ? &old : &map);
}

static void drop_unknown(struct fuse_server *s, struct fs_node *n)
{
    if (n->lookups || n->opens || n == s->node)
        return;
    uint64_t path = n->path, *slot = imap_at(&s->by_path, path);
    if (slot)
        *slot = 0;
    link_free(s, (uint64_t)(n - s->node) + 1);
    s->known--;
    ns_served_forget(&s->tree, path);
    shrink_nodes(s);
    shrink_map(s);
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

uint64_t fs_open_new(struct fuse_server *s, uint64_t number, const struct ns_file *file,
                     bool directory)
{
    struct fs_node *n = fs_node_at(s, number);
    if (!n || s->open_now == FUSE_SERVER_FILES ||
        (!s->free_open && !grow(&s->open, &s->open_cap, s->opens, sizeof *s->open)))
        return 0;
    size_t i = s->free_open ? s->free_open - 1 : s->opens++;
    if (s->free_open)
        s->free_open = s->open[i].node;
    s->open[i] = (struct fs_open){*file, (size_t)number - 1, true, directory};
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
    *o = (struct fs_open){.node = s->free_open};
    s->free_open = (size_t)(o - s->open) + 1;
    s->open_now--;
    n->opens--;
    drop_unknown(s, n);
}
