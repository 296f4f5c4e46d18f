/* Trees of callees and of callers, expanded where they are looked at. */
#include "private.h"

#include "core/base/grow.h"
#include "core/base/sort.h"

#include <errno.h>
#include <string.h>

/* --- members --- */

static void add_member(struct browse_branches *b, uint32_t at, uint64_t amount)
{
    struct browse_member m = {b->graph->tree.node[at].row, at, amount};
    if (!amount)
        return;
    if (!GROW_ADD(b->member, b->member_cap, b->members, m))
        b->err = -ENOMEM;
}

static void add_callees(struct browse_branches *b, uint32_t first)
{
    const struct call_node *node = b->graph->tree.node;
    for (uint32_t n = first; n != STACKS_NONE; n = node[n].next)
        add_member(b, n, node[n].total);
}

/* Those of all children of a branch, which are behind those of all others. */
static void add_children_members(struct browse_branches *b, const struct browse_branch *branch)
{
    const struct call_tree *t = &b->graph->tree;
    for (size_t i = branch->member; i < branch->member + branch->members; i++) {
        struct browse_member m = b->member[i];
        if (b->view != BROWSE_CALLERS)
            add_callees(b, t->node[m.at].first);
        else if (t->node[m.at].parent != STACKS_NONE)
            add_member(b, t->node[m.at].parent, m.amount);
    }
}

static int by_row(const void *a, const void *b)
{
    const struct browse_member *x = a, *y = b;
    return ORDER(x->row, y->row) ?: ORDER(x->at, y->at);
}

/* --- branches --- */

static bool has_callees(const struct call_tree *t, uint32_t node)
{
    for (uint32_t n = t->node[node].first; n != STACKS_NONE; n = t->node[n].next)
        if (t->node[n].total)
            return true;
    return false;
}

/* The sums of its members, and whether there is something below it. */
static void sum_members(const struct browse_branches *b, struct browse_branch *branch)
{
    const struct call_tree *t = &b->graph->tree;
    bool up = b->view == BROWSE_CALLERS;
    branch->leaf = true;
    for (size_t i = branch->member; i < branch->member + branch->members; i++) {
        const struct browse_member *m = &b->member[i];
        const struct call_node *n = &t->node[m->at];
        branch->sums.total += m->amount;
        branch->sums.self += up ? 0 : n->self;
        branch->depth = n->depth > branch->depth ? n->depth : branch->depth;
        if (branch->leaf)
            branch->leaf = up ? n->parent == STACKS_NONE : !has_callees(t, m->at);
    }
}

static int by_total(const void *pa, const void *pb, void *arg)
{
    const struct browse_branches *b = arg;
    const struct browse_branch *x = pa, *y = pb;
    const struct call_row *row = b->graph->tree.rows.row;
    return ORDER(y->sums.total, x->sums.total) ?:
           strcmp(row[x->row].name, row[y->row].name) ?:
           ORDER(x->row, y->row);
}

static bool add_branch(struct browse_branches *b, const struct browse_branch *branch)
{
    if (b->count >= STACKS_NONE || !grow(&b->at, &b->cap, b->count, sizeof *branch)) {
        b->err = -ENOMEM;
        return false;
    }
    b->at[b->count] = *branch;
    sum_members(b, &b->at[b->count++]);
    return true;
}

/* Members from `from' on, a branch for each row. */
static void add_groups(struct browse_branches *b, uint32_t parent, size_t from)
{
    sort_array(b->member + from, b->members - from, sizeof *b->member, by_row);
    for (size_t i = from, end; i < b->members; i = end) {
        for (end = i; end < b->members && b->member[end].row == b->member[i].row; end++)
            ;
        struct browse_branch child = {
            .parent = parent, .row = b->member[i].row, .member = i, .members = end - i};
        if (!add_branch(b, &child))
            return;
    }
}

static void set_children(struct browse_branches *b, uint32_t branch, uint32_t first)
{
    struct browse_branch *of = &b->at[branch];
    bool shown = b->view != BROWSE_TREE || of->parent != STACKS_NONE;
    of->first = first;
    of->children = (uint32_t)b->count - first;
    of->made = true;
    if (of->children > 1)
        qsort_r(b->at + first, of->children, sizeof *b->at, by_total, b);
    for (uint32_t i = 0; i < of->children; i++)
        b->at[first + i].level = shown ? of->level + (of->children > 1) : 0;
}

void browse_children(struct browse_branches *b, uint32_t branch)
{
    size_t from = b->members;
    uint32_t first = (uint32_t)b->count;
    if (b->at[branch].made)
        return;
    if (b->view == BROWSE_TREE && branch == 0)
        add_callees(b, b->graph->tree.root);
    else
        add_children_members(b, &b->at[branch]);
    if (b->members > BROWSE_MAX_MEMBERS) {
        b->members = from;
        b->err = -EFBIG;
        return;
    }
    add_groups(b, branch, from);
    set_children(b, branch, first);
}

void browse_unfold(struct browse_branches *b, uint32_t branch)
{
    for (;;) {
        browse_children(b, branch);
        b->at[branch].unfolded = b->at[branch].made && !b->at[branch].leaf;
        if (b->at[branch].children != 1)
            return;
        branch = b->at[branch].first;
    }
}

uint32_t browse_child(const struct browse_branches *b, uint32_t branch, uint32_t row)
{
    const struct browse_branch *of = &b->at[branch];
    for (uint32_t i = of->first; i < of->first + of->children; i++)
        if (b->at[i].row == row)
            return i;
    return STACKS_NONE;
}

/* --- a tree --- */

void browse_branches_make(struct browse_branches *b, const struct browse_graph *g,
                          enum browse_view view, uint32_t row)
{
    struct browse_branch first = {.parent = STACKS_NONE, .row = row};
    browse_branches_release(b);
    *b = (struct browse_branches){.graph = g, .view = view};
    if (view != BROWSE_TREE)
        for (uint32_t i = g->row_first[row]; i < g->row_first[row + 1]; i++)
            if (g->outer[g->by_row[i]] & BROWSE_OUTER_FUNCTION)
                add_member(b, g->by_row[i], g->tree.node[g->by_row[i]].total);
    first.members = b->members;
    if (!add_branch(b, &first))
        return;
    if (view == BROWSE_TREE)
        b->at[0].leaf = !g->tree.total;
    browse_unfold(b, 0);
}

void browse_branches_release(struct browse_branches *b)
{
    free(b->at);
    free(b->member);
    *b = (struct browse_branches){0};
}

/* Parents are before their children. to: what each branch became, STACKS_NONE: it is gone. */
static void unfold_as(struct browse_branches *b, const struct browse_branches *old, uint32_t *to)
{
    to[0] = 0;
    for (uint32_t i = 1; i < old->count; i++) {
        uint32_t parent = to[old->at[i].parent];
        to[i] = STACKS_NONE;
        if (parent == STACKS_NONE)
            continue;
        if (old->at[old->at[i].parent].unfolded)
            browse_children(b, parent);
        to[i] = browse_child(b, parent, old->at[i].row);
    }
    for (uint32_t i = 0; i < old->count; i++)
        if (to[i] != STACKS_NONE && b->at[to[i]].made)
            b->at[to[i]].unfolded = old->at[i].unfolded;
}

static uint32_t nearest(const struct browse_branches *old, const uint32_t *to, uint32_t branch)
{
    while (branch && to[branch] == STACKS_NONE)
        branch = old->at[branch].parent;
    return to[branch];
}

void browse_branches_again(struct browse_branches *b, uint32_t *marked)
{
    struct browse_branches old = *b;
    SCOPED_FREE uint32_t *to = malloc((old.count + 1) * sizeof *to);
    *b = (struct browse_branches){0};
    if (old.count)
        browse_branches_make(b, old.graph, old.view, old.at[0].row);
    if (to && b->count) {
        unfold_as(b, &old, to);
        *marked = *marked < old.count ? nearest(&old, to, *marked) : 0;
    }
    browse_branches_release(&old);
}

/* --- what is shown --- */

uint32_t browse_next_outside(const struct browse_branches *b, uint32_t i)
{
    for (; b->at[i].parent != STACKS_NONE; i = b->at[i].parent) {
        const struct browse_branch *parent = &b->at[b->at[i].parent];
        if (i + 1 < parent->first + parent->children)
            return i + 1;
    }
    return STACKS_NONE;
}

/* The branch below i in the order of lines; STACKS_NONE: i is the last. */
static uint32_t next_line(const struct browse_branches *b, uint32_t i)
{
    bool open = b->at[i].unfolded && b->at[i].children;
    return open ? b->at[i].first : browse_next_outside(b, i);
}

static bool is_below(const struct browse_branches *b, uint32_t i, uint32_t branch)
{
    while (i != STACKS_NONE && i != branch)
        i = b->at[i].parent;
    return i == branch;
}

void browse_unfold_all(struct browse_branches *b, uint32_t branch, uint64_t min)
{
    size_t lines = 0;
    uint32_t i = branch;
    while (i != STACKS_NONE && is_below(b, i, branch) && lines++ < BROWSE_UNFOLD_MAX) {
        if (i == branch || b->at[i].sums.total >= min)
            browse_unfold(b, i);
        i = next_line(b, i);
    }
}

void browse_lines(const struct browse_branches *b, struct browse_rows *rows)
{
    uint32_t i = b->count ? 0 : STACKS_NONE;
    rows->count = 0;
    if (i == 0 && b->view == BROWSE_TREE)
        i = next_line(b, 0);
    for (; i != STACKS_NONE; i = next_line(b, i)) {
        const struct call_row *r = &b->graph->tree.rows.row[b->at[i].row];
        browse_rows_add(rows, &(struct browse_row){r->name, r->module, i, b->at[i].sums});
    }
}
