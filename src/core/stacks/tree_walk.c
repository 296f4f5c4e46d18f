/* How the nodes of a call tree follow each other, and walking over them. */
#include "core/base/scope.h"
#include "core/stacks/call_tree.h"

#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sorted {
    uint64_t total;
    const struct call_row *row;
    uint32_t node;
};

/* The one that is shown last comes first, as links are made from the front. */
static int last_first(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    return ORDER(x->total, y->total) ?:
           strcmp(y->row->name, x->row->name) ?:
           strcmp(y->row->module, x->row->module) ?:
           ORDER(y->node, x->node);
}

static void push_node(struct call_tree *t, uint32_t node)
{
    struct call_node *n = &t->node[node];
    uint32_t *first = n->parent == STACKS_NONE ? &t->root : &t->node[n->parent].first;
    n->next = *first;
    *first = node;
}

static void unlink_all(struct call_tree *t)
{
    t->root = STACKS_NONE;
    for (size_t i = 0; i < t->nodes; i++)
        t->node[i].first = t->node[i].next = STACKS_NONE;
}

static int link_sorted(struct call_tree *t, const bool *keep)
{
    size_t kept = 0;
    SCOPED_FREE struct sorted *all = malloc((t->nodes + 1) * sizeof *all);
    if (!all)
        return -ENOMEM;
    for (uint32_t i = 0; i < t->nodes; i++)
        if (!keep || keep[i])
            all[kept++] = (struct sorted){t->node[i].total, &t->rows.row[t->node[i].row], i};
    sort_array(all, kept, sizeof *all, last_first);
    for (size_t i = 0; i < kept; i++)
        push_node(t, all[i].node);
    return 0;
}

int call_tree_link(struct call_tree *t, const bool *keep, bool sorted)
{
    unlink_all(t);
    if (sorted)
        return link_sorted(t, keep);
    for (uint32_t i = (uint32_t)t->nodes; i--;)
        if (!keep || keep[i])
            push_node(t, i);
    return 0;
}

void call_tree_walk(const struct call_tree *t, bool (*enter)(void *arg, uint32_t node),
                    void (*leave)(void *arg, uint32_t node), void *arg)
{
    uint32_t n = t->root;
    while (n != STACKS_NONE) {
        if (enter(arg, n) && t->node[n].first != STACKS_NONE) {
            n = t->node[n].first;
            continue;
        }
        while (leave(arg, n), t->node[n].next == STACKS_NONE) {
            n = t->node[n].parent;
            if (n == STACKS_NONE)
                return;
        }
        n = t->node[n].next;
    }
}
