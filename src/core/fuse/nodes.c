#include "core/fuse/nodes.h"

#include "core/base/buf.h"
#include "core/base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int fuse_nodes_init(struct fuse_nodes *t, int fd, uint64_t dev, uint64_t ino)
{
    *t = (struct fuse_nodes){.slots = 1024, .count = 2, .used = 1};
    t->slot = calloc(t->slots, sizeof *t->slot);
    t->node = calloc(16, sizeof *t->node);
    t->cap = 16;
    if (!t->slot || !t->node) {
        fuse_nodes_release(t);
        return -ENOMEM;
    }
    t->node[FUSE_NODE_ROOT] = (struct fuse_node){.dev = dev, .ino = ino, .lookups = 1, .fd = fd};
    return 0;
}

void fuse_nodes_release(struct fuse_nodes *t)
{
    for (uint32_t i = 0; t->node && i < t->count; i++)
        free(t->node[i].name);
    free(t->node);
    free(t->slot);
    *t = (struct fuse_nodes){0};
}

struct fuse_node *fuse_nodes_at(struct fuse_nodes *t, uint64_t number)
{
    if (number == 0 || number >= t->count || !t->node[number].lookups)
        return NULL;
    return &t->node[number];
}

static uint32_t *slot_of(const struct fuse_nodes *t, uint32_t parent, const char *name)
{
    uint64_t h = parent;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return &t->slot[(h * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->slots - 1)];
}

uint32_t fuse_nodes_find(const struct fuse_nodes *t, uint32_t parent, const char *name)
{
    uint32_t i = *slot_of(t, parent, name);
    while (i && (t->node[i].parent != parent || strcmp(t->node[i].name, name) != 0))
        i = t->node[i].chain;
    return i;
}

static void add_to_chain(struct fuse_nodes *t, uint32_t i)
{
    uint32_t *slot = slot_of(t, t->node[i].parent, t->node[i].name);
    t->node[i].chain = *slot;
    *slot = i;
}

static void remove_from_chain(struct fuse_nodes *t, uint32_t i)
{
    uint32_t *at = slot_of(t, t->node[i].parent, t->node[i].name);
    while (*at != i)
        at = &t->node[*at].chain;
    *at = t->node[i].chain;
    t->node[i].chain = 0;
}

/* Longer chains are the price when there is no memory for it. */
static void grow_slots(struct fuse_nodes *t)
{
    uint32_t *wider = calloc((size_t)t->slots * 2, sizeof *wider);
    if (!wider)
        return;
    free(t->slot);
    t->slot = wider;
    t->slots *= 2;
    for (uint32_t i = FUSE_NODE_ROOT + 1; i < t->count; i++)
        if (t->node[i].name && !t->node[i].unlinked)
            add_to_chain(t, i);
}

static uint32_t alloc_number(struct fuse_nodes *t)
{
    uint32_t i = t->free;
    if (i) {
        t->free = t->node[i].chain;
        return i;
    }
    if (t->count == UINT32_MAX || !grow(&t->node, &t->cap, t->count, sizeof *t->node))
        return FUSE_NODE_NONE;
    return t->count++;
}

static uint32_t make_node(struct fuse_nodes *t, uint32_t parent, const char *name)
{
    char *copy = strdup(name);
    if (t->used >= t->slots)
        grow_slots(t);
    uint32_t i = copy ? alloc_number(t) : FUSE_NODE_NONE;
    if (!i) {
        free(copy);
        return FUSE_NODE_NONE;
    }
    t->node[i] = (struct fuse_node){.parent = parent, .name = copy, .fd = -1};
    t->node[parent].children++;
    t->used++;
    add_to_chain(t, i);
    return i;
}

uint32_t fuse_nodes_lookup(struct fuse_nodes *t, uint32_t parent, const char *name, uint64_t dev,
                           uint64_t ino, bool *known)
{
    uint32_t i = fuse_nodes_find(t, parent, name);
    if (i && (t->node[i].dev != dev || t->node[i].ino != ino)) {
        fuse_nodes_unlink(t, i);
        i = FUSE_NODE_NONE;
    }
    *known = i != FUSE_NODE_NONE;
    if (!i && (i = make_node(t, parent, name)) != FUSE_NODE_NONE) {
        t->node[i].dev = dev;
        t->node[i].ino = ino;
    }
    if (i)
        t->node[i].lookups++;
    return i;
}

static void leave_list(struct fuse_nodes *t, uint32_t i)
{
    struct fuse_node *n = &t->node[i];
    if (n->older)
        t->node[n->older].newer = n->newer;
    else
        t->oldest = n->newer;
    if (n->newer)
        t->node[n->newer].older = n->older;
    else
        t->newest = n->older;
    n->older = n->newer = 0;
    t->with_fd--;
}

static void enter_list(struct fuse_nodes *t, uint32_t i)
{
    t->node[i].older = t->newest;
    t->node[i].newer = 0;
    if (t->newest)
        t->node[t->newest].newer = i;
    else
        t->oldest = i;
    t->newest = i;
    t->with_fd++;
}

/* Gone ones and the root are not in the list: they could not be opened again. */
static bool is_listed(const struct fuse_nodes *t, uint32_t i)
{
    return t->node[i].fd >= 0 && !t->node[i].unlinked && i != FUSE_NODE_ROOT;
}

void fuse_nodes_set_fd(struct fuse_nodes *t, uint32_t i, int fd)
{
    t->node[i].fd = fd;
    if (is_listed(t, i))
        enter_list(t, i);
}

void fuse_nodes_touch(struct fuse_nodes *t, uint32_t i)
{
    if (!is_listed(t, i) || t->newest == i)
        return;
    leave_list(t, i);
    enter_list(t, i);
}

int fuse_nodes_drop_fd(struct fuse_nodes *t, uint32_t i)
{
    int fd = t->node[i].fd;
    if (is_listed(t, i))
        leave_list(t, i);
    t->node[i].fd = -1;
    return fd;
}

uint32_t fuse_nodes_oldest_idle(const struct fuse_nodes *t)
{
    uint32_t i = t->oldest;
    while (i && t->node[i].pins)
        i = t->node[i].newer;
    return i;
}

void fuse_nodes_unlink(struct fuse_nodes *t, uint32_t i)
{
    if (t->node[i].unlinked || i == FUSE_NODE_ROOT)
        return;
    if (is_listed(t, i))
        leave_list(t, i);
    remove_from_chain(t, i);
    t->node[i].unlinked = true;
}

/* Frees it, and those above it that only lived on for it. */
static void free_unused(struct fuse_nodes *t, uint32_t i, void (*close)(int fd))
{
    while (i != FUSE_NODE_ROOT && i && !t->node[i].lookups && !t->node[i].children &&
           !t->node[i].pins && !t->node[i].opens) {
        struct fuse_node *n = &t->node[i];
        uint32_t parent = n->parent;
        int fd = fuse_nodes_drop_fd(t, i);
        if (fd >= 0)
            close(fd);
        if (!n->unlinked)
            remove_from_chain(t, i);
        free(n->name);
        *n = (struct fuse_node){.fd = -1, .chain = t->free};
        t->free = i;
        t->used--;
        t->node[parent].children--;
        i = parent;
    }
}

void fuse_nodes_forget(struct fuse_nodes *t, uint64_t i, uint64_t lookups, void (*close)(int fd))
{
    if (i >= t->count || i <= FUSE_NODE_ROOT || !t->node[i].name)
        return;
    t->node[i].lookups -= lookups < t->node[i].lookups ? lookups : t->node[i].lookups;
    free_unused(t, (uint32_t)i, close);
}

int fuse_nodes_rename(struct fuse_nodes *t, uint32_t i, uint32_t parent, const char *name)
{
    uint32_t replaced = fuse_nodes_find(t, parent, name);
    char *copy = strdup(name);
    if (replaced == i || t->node[i].unlinked || !copy) {
        free(copy);
        if (!copy)
            fuse_nodes_unlink(t, i);
        return copy ? 0 : -ENOMEM;
    }
    if (replaced)
        fuse_nodes_unlink(t, replaced);
    remove_from_chain(t, i);
    t->node[t->node[i].parent].children--;
    free(t->node[i].name);
    t->node[i].name = copy;
    t->node[i].parent = parent;
    t->node[parent].children++;
    add_to_chain(t, i);
    return 0;
}

void fuse_nodes_exchange(struct fuse_nodes *t, uint32_t a, uint32_t b)
{
    struct fuse_node *x = &t->node[a], *y = &t->node[b];
    if (x->unlinked || y->unlinked)
        return;
    remove_from_chain(t, a);
    remove_from_chain(t, b);
    char *name = x->name;
    uint32_t parent = x->parent;
    x->name = y->name;
    x->parent = y->parent;
    y->name = name;
    y->parent = parent;
    add_to_chain(t, a);
    add_to_chain(t, b);
}

void fuse_nodes_path(const struct fuse_nodes *t, uint32_t i, struct buf *out)
{
    enum { DEEPEST = 2048 };
    uint32_t up[DEEPEST];
    size_t n = 0;
    for (; i > FUSE_NODE_ROOT && n < DEEPEST; i = t->node[i].parent)
        up[n++] = i;
    if (!n)
        buf_addc(out, '/');
    while (n) {
        buf_addc(out, '/');
        buf_adds(out, t->node[up[--n]].name);
    }
}
