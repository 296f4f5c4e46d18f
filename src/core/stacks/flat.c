#include "core/stacks/flat.h"

#include "core/base/scope.h"
#include "core/base/sort.h"

#include "core/stacks/call_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The functions on the walk's current path, and how often each is on it. */
struct path {
    const struct call_tree *tree;
    uint32_t *on;
    struct stacks_flat_row *row;
};

static bool enter_node(void *arg, uint32_t node)
{
    struct path *p = arg;
    const struct call_node *n = &p->tree->node[node];
    p->row[n->row].self += n->self;
    if (p->on[n->row]++ == 0)
        p->row[n->row].cumulative += n->total;
    return true;
}

static void leave_node(void *arg, uint32_t node)
{
    struct path *p = arg;
    p->on[p->tree->node[node].row]--;
}

static void add_calls(const struct stacks *s, const struct call_rows *rows, struct stacks_flat *out)
{
    size_t v = 0;
    while (v < s->values && strcmp(s->value[v].name, "calls") != 0)
        v++;
    out->calls = v < s->values;
    for (size_t i = 0; out->calls && i < s->samples; i++)
        out->row[call_row_of(rows, s, s->sample[i].node)].calls += s->amount[i * s->values + v];
}

/* Up from a frame that waits, to each row once; by marks a row. */
static void add_wait(const struct call_tree *tree, uint32_t node, uint32_t *mark,
                     struct stacks_flat_row *row)
{
    for (uint32_t at = node; at != STACKS_NONE; at = tree->node[at].parent) {
        uint32_t r = tree->node[at].row;
        if (mark[r] != node + 1)
            row[r].wait += tree->node[node].self;
        mark[r] = node + 1;
    }
}

/* mark: zeros. */
static void add_waits(const struct stacks *s, const struct call_tree *tree, uint32_t *mark,
                      struct stacks_flat *out)
{
    for (uint32_t i = 0; i < tree->nodes; i++) {
        uint32_t function = tree->rows.row[tree->node[i].row].function;
        if (function == STACKS_NONE || s->function[function].kind != STACKS_WAIT)
            continue;
        out->waits = true;
        add_wait(tree, i, mark, out->row);
    }
}

static int order_of(const struct stacks_flat_row *x, const struct stacks_flat_row *y)
{
    return strcmp(x->name, y->name) ?: strcmp(x->module, y->module);
}

static int by_self(const void *a, const void *b)
{
    const struct stacks_flat_row *x = a, *y = b;
    return ORDER(y->self, x->self) ?: ORDER(y->cumulative, x->cumulative) ?: order_of(x, y);
}

static int by_cumulative(const void *a, const void *b)
{
    const struct stacks_flat_row *x = a, *y = b;
    return ORDER(y->cumulative, x->cumulative) ?: by_self(a, b);
}

static void drop_empty(struct stacks_flat *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->rows; i++)
        if (f->row[i].self || f->row[i].cumulative || f->row[i].calls)
            f->row[kept++] = f->row[i];
    f->rows = kept;
}

static int fill_rows(const struct stacks *s, struct call_tree *tree, struct stacks_flat *out)
{
    struct path p = {tree, NULL, calloc(tree->rows.rows, sizeof *p.row)};
    SCOPED_FREE void *on = p.on = calloc(tree->rows.rows, sizeof *p.on);
    out->row = p.row;
    if (!on || !p.row)
        return -ENOMEM;
    out->rows = tree->rows.rows;
    for (size_t i = 0; i < out->rows; i++) {
        const struct call_row *r = &tree->rows.row[i];
        p.row[i] = (struct stacks_flat_row){r->name, r->module, r->function, 0, 0, 0, 0};
    }
    call_tree_link(tree, NULL, false);
    call_tree_walk(tree, enter_node, leave_node, &p);
    add_calls(s, &tree->rows, out);
    add_waits(s, tree, p.on, out);
    return 0;
}

int stacks_flat_make(const struct stacks *s, bool cumulative, struct stacks_flat *out)
{
    return stacks_flat_of(s, s->values - 1, cumulative, out);
}

int stacks_flat_of(const struct stacks *s, size_t value, bool cumulative, struct stacks_flat *out)
{
    SCOPED(call_tree_release) struct call_tree tree;
    *out = (struct stacks_flat){.value = value};
    int r = call_tree_make(s, out->value, 0, &tree);
    if (r == 0)
        r = fill_rows(s, &tree, out);
    out->total = tree.total;
    if (r < 0)
        return r;
    drop_empty(out);
    sort_array(out->row, out->rows, sizeof *out->row, cumulative ? by_cumulative : by_self);
    return 0;
}

void stacks_flat_release(struct stacks_flat *f)
{
    free(f->row);
    *f = (struct stacks_flat){0};
}
