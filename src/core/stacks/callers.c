/* The inverted call tree. It is expanded a level at a time, and only where enough is spent: a
 * complete one would have a node for every function of every chain. */
#include "tree_text.h"

#include "core/base/grow.h"
#include "core/base/scope.h"
#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>

/* What was spent in one function while the frame `at' was on its chain. */
struct member {
    uint32_t row, at;
    uint64_t amount;
};

/* Adjacent members that share a node of the new tree. */
struct span {
    size_t from, to;
    uint32_t node;
    size_t level;
};

struct growth {
    const struct call_tree *down;
    struct call_tree *up;
    struct call_outline *outline;
    struct member *member;
    struct span *todo;
    size_t spans, cap;
    size_t depth;
};

static int by_row(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return ORDER(x->row, y->row) ?: ORDER(x->at, y->at);
}

/* Often they are: a recursion's frames keep their order. */
static bool is_sorted(const struct member *m, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to; i++)
        if (by_row(&m[i - 1], &m[i]) > 0)
            return false;
    return true;
}

/* Sorts, and makes one of those that have met in a frame; where they end now. */
static size_t merge_members(struct member *m, size_t from, size_t to)
{
    size_t end = from;
    if (!is_sorted(m, from, to))
        sort_array(m + from, to - from, sizeof *m, by_row);
    for (size_t i = from; i < to; i++)
        if (end > from && m[end - 1].at == m[i].at)
            m[end - 1].amount += m[i].amount;
        else
            m[end++] = m[i];
    return end;
}

static bool push_span(struct growth *g, struct span span)
{
    return GROW_ADD(g->todo, g->cap, g->spans, span);
}

/* All members go to their callers; those without one have come to their end. */
static size_t climb_to_callers(struct growth *g, size_t from, size_t to, uint32_t node)
{
    size_t end = from;
    for (size_t i = from; i < to; i++) {
        struct member m = g->member[i];
        m.at = g->down->node[m.at].parent;
        if (m.at == STACKS_NONE) {
            g->up->node[node].self += m.amount;
            continue;
        }
        m.row = g->down->node[m.at].row;
        g->member[end++] = m;
    }
    return end;
}

static uint32_t greatest_depth(const struct growth *g, size_t from, size_t to)
{
    uint32_t depth = 1;
    for (size_t i = from; i < to; i++)
        if (g->down->node[g->member[i].at].depth > depth)
            depth = g->down->node[g->member[i].at].depth;
    return depth;
}

/* The members of one row: a node of the new tree, if they have enough. */
static bool add_group(struct growth *g, const struct span *s, size_t from, size_t to)
{
    uint64_t amount = 0;
    for (size_t i = from; i < to; i++)
        amount += g->member[i].amount;
    bool small = call_is_small(g->outline, amount);
    if (small || s->level == g->depth) {
        struct call_hidden *h = small ? &g->outline->small : &g->outline->deep;
        h->branches++;
        h->amount += amount;
        h->outer += s->level ? 0 : amount;
        return true;
    }
    uint32_t node = call_tree_add(g->up, s->node, g->member[from].row);
    if (node == STACKS_NONE)
        return false;
    g->up->node[node].total = amount;
    g->up->node[node].depth = greatest_depth(g, from, to);
    size_t end = climb_to_callers(g, from, to, node);
    return end == from || push_span(g, (struct span){from, end, node, s->level + 1});
}

static bool grow_span(struct growth *g, struct span s)
{
    s.to = merge_members(g->member, s.from, s.to);
    for (size_t from = s.from, to; from < s.to; from = to) {
        for (to = from + 1; to < s.to && g->member[to].row == g->member[from].row; to++)
            ;
        if (!add_group(g, &s, from, to))
            return false;
    }
    return true;
}

static size_t first_members(const struct call_tree *down, struct member *m)
{
    size_t n = 0;
    for (uint32_t i = 0; i < down->nodes; i++)
        if (down->node[i].self)
            m[n++] = (struct member){down->node[i].row, i, down->node[i].self};
    return n;
}

static int grow_up(struct growth *g)
{
    g->member = malloc((g->down->nodes + 1) * sizeof *g->member);
    bool ok = g->member;
    size_t members = ok ? first_members(g->down, g->member) : 0;
    ok = ok && push_span(g, (struct span){0, members, STACKS_NONE, 0});
    while (ok && g->spans)
        ok = grow_span(g, g->todo[--g->spans]);
    free(g->member);
    free(g->todo);
    return ok ? 0 : -ENOMEM;
}

int stacks_callers_text(const struct stacks *s, const struct stacks_tree_options *options,
                        struct buf *out)
{
    SCOPED(call_tree_release) struct call_tree down, up;
    size_t value = s->values - 1;
    call_tree_init(&up);
    int r = call_tree_make(s, value, options->fold ? CALL_FOLDED : 0, &down);
    struct call_outline o = {
        .stacks = s, .tree = &up, .options = options, .value = value, .whole = down.total};
    struct growth g = {.down = &down,
                       .up = &up,
                       .outline = &o,
                       .depth = options->max_depth ? options->max_depth : STACKS_CALLERS_MAX_DEPTH};
    if (r == 0)
        r = grow_up(&g);
    up.rows = down.rows;
    down.rows = (struct call_rows){0};
    return r ? r : call_outline_text(&o, out);
}
