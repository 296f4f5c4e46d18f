#include "tree_text.h"

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/stacks/format.h"
#include "core/stacks/tree.h"
#include "core/text/report_fit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool call_is_small(const struct call_outline *o, uint64_t amount)
{
    return share_pct(amount, o->whole) < o->options->hide_pct;
}

static void hide_branch(struct call_hidden *h, const struct call_node *n)
{
    h->branches++;
    h->amount += n->total;
    h->outer += n->parent == STACKS_NONE ? n->total : 0;
}

/* --- what is shown --- */

/* Roots of threads are no level of their own. */
static uint32_t level_of(const struct call_tree *t, const uint32_t *level, uint32_t node)
{
    uint32_t parent = t->node[node].parent;
    if (parent == STACKS_NONE)
        return t->node[node].row > t->rows.unknown ? 0 : 1;
    return level[parent] + 1;
}

static bool is_deep(const struct call_outline *o, uint32_t level)
{
    return o->options->max_depth && level > o->options->max_depth;
}

static bool is_parent_kept(const struct call_node *n, const bool *keep)
{
    return n->parent == STACKS_NONE || keep[n->parent];
}

static bool is_kept(const struct call_outline *o, const bool *keep, const uint32_t *level,
                    uint32_t node)
{
    const struct call_node *n = &o->tree->node[node];
    return is_parent_kept(n, keep) && !call_is_small(o, n->total) && !is_deep(o, level[node]);
}

/* Each branch once, by its outermost node. */
static void count_hidden(struct call_outline *o, const bool *keep, const uint32_t *level)
{
    for (uint32_t i = 0; i < o->tree->nodes; i++) {
        const struct call_node *n = &o->tree->node[i];
        if (!keep[i] && is_parent_kept(n, keep))
            hide_branch(call_is_small(o, n->total) ? &o->small
                        : is_deep(o, level[i])     ? &o->deep
                                                   : &o->more,
                        n);
    }
}

struct ranked {
    uint64_t total;
    uint32_t node;
};

/* Most first; of equal ones a caller comes before what it calls, as its index is lower. */
static int by_total(const void *pa, const void *pb)
{
    const struct ranked *a = pa, *b = pb;
    return ORDER(b->total, a->total) ?: ORDER(a->node, b->node);
}

static size_t rank_kept(const struct call_tree *t, const bool *keep, struct ranked *out)
{
    size_t n = 0;
    for (uint32_t i = 0; i < t->nodes; i++)
        if (keep[i])
            out[n++] = (struct ranked){t->node[i].total, i};
    sort_array(out, n, sizeof *out, by_total);
    return n;
}

/* A caller has no less than what it calls, so that those with the most hold together. */
static bool keep_rows(struct call_outline *o, bool *keep)
{
    const struct call_tree *t = o->tree;
    SCOPED_FREE struct ranked *ranked = malloc((t->nodes + 1) * sizeof *ranked);
    if (!ranked)
        return false;
    size_t n = rank_kept(t, keep, ranked);
    size_t shown = report_shown(n, o->options->max_rows, o->options->fitted);
    for (size_t i = shown; i < n; i++)
        keep[ranked[i].node] = false;
    o->more_rows = n - shown;
    return true;
}

static int choose_nodes(struct call_outline *o)
{
    size_t nodes = o->tree->nodes;
    SCOPED_FREE bool *keep = malloc(nodes + 1);
    SCOPED_FREE uint32_t *level = malloc((nodes + 1) * sizeof *level);
    if (!keep || !level)
        return -ENOMEM;
    for (uint32_t i = 0; i < nodes; i++) {
        level[i] = level_of(o->tree, level, i);
        keep[i] = is_kept(o, keep, level, i);
    }
    if (o->options->max_rows && !keep_rows(o, keep))
        return -ENOMEM;
    count_hidden(o, keep, level);
    return call_tree_link(o->tree, keep, true);
}

/* --- lines --- */

struct drawing {
    struct call_outline *outline;
    struct call_scale scale;
    struct buf *out;
    bool last[STACKS_TREE_MAX_NESTING]; /* of the branches around a line: nothing follows in it */
    size_t branches, max_drawn;
    int self_width;
};

struct art {
    const char *branch, *end, *bar, *gap;
};

static const struct art ascii = {"|- ", "`- ", "|  ", "   "};
static const struct art boxes = {"├─ ", "└─ ", "│  ", "   "};

static bool is_branch(const struct call_tree *t, const struct call_node *n)
{
    uint32_t first = n->parent == STACKS_NONE ? t->root : t->node[n->parent].first;
    return t->node[first].next != STACKS_NONE;
}

static void print_amounts(const struct drawing *d, uint64_t total, uint64_t self)
{
    buf_printf(d->out, "%5.1f  ", share_pct(total, d->outline->whole));
    call_amount(&d->scale, d->scale.width, (double)total, d->out);
    if (d->outline->self) {
        buf_adds(d->out, "  ");
        call_amount(&d->scale, d->self_width, (double)self, d->out);
    }
    buf_adds(d->out, "  ");
}

static void print_indent(const struct drawing *d, bool branch)
{
    const struct art *a = d->outline->options->unicode ? &boxes : &ascii;
    size_t bars = d->branches - branch;
    size_t skipped = d->branches > d->max_drawn ? d->branches - d->max_drawn + 1 : 0;
    if (skipped)
        buf_adds(d->out, ".. ");
    for (size_t i = skipped; i < bars; i++)
        buf_adds(d->out, d->last[i] ? a->gap : a->bar);
    if (branch)
        buf_adds(d->out, d->last[bars] ? a->end : a->branch);
}

static bool can_nest(struct drawing *d, const struct call_node *n)
{
    const struct call_node *all = d->outline->tree->node;
    bool branches = n->first != STACKS_NONE && all[n->first].next != STACKS_NONE;
    if (!branches || d->branches < STACKS_TREE_MAX_NESTING)
        return true;
    for (uint32_t c = n->first; c != STACKS_NONE; c = all[c].next)
        hide_branch(&d->outline->deep, &all[c]);
    return false;
}

/* An only callee, which is right below its caller, or caller. */
static void print_chain_mark(const struct drawing *d, const struct call_node *n)
{
    const struct call_tree *t = d->outline->tree;
    if (!d->outline->options->fold || n->parent == STACKS_NONE || is_branch(t, n) ||
        t->node[n->parent].row > t->rows.unknown)
        return;
    buf_adds(d->out, d->outline->self ? "> " : "< ");
}

/* With how deep the function called itself. */
static void print_function(const struct drawing *d, const struct call_node *n)
{
    const struct call_row *row = &d->outline->tree->rows.row[n->row];
    size_t width = d->outline->options->width;
    char depth[16] = "";
    if (n->depth > 1)
        snprintf(depth, sizeof depth, " x%" PRIu32, n->depth);
    call_name(d->out, row->name, row->module, width > strlen(depth) ? width - strlen(depth) : 0);
    buf_printf(d->out, "%s\n", depth);
}

static bool enter_node(void *arg, uint32_t node)
{
    struct drawing *d = arg;
    const struct call_tree *t = d->outline->tree;
    const struct call_node *n = &t->node[node];
    bool branch = is_branch(t, n);
    if (branch)
        d->last[d->branches++] = n->next == STACKS_NONE;
    print_amounts(d, n->total, n->self);
    print_indent(d, branch);
    print_chain_mark(d, n);
    print_function(d, n);
    return can_nest(d, n);
}

static void leave_node(void *arg, uint32_t node)
{
    struct drawing *d = arg;
    d->branches -= is_branch(d->outline->tree, &d->outline->tree->node[node]);
}

static void print_header(const struct drawing *d)
{
    buf_printf(d->out, "    %%  %*s", d->scale.width, d->scale.unit);
    if (d->outline->self)
        buf_printf(d->out, "  %*s %s", d->self_width - (int)strlen(d->scale.unit) - 1, "self",
                   d->scale.unit);
    buf_adds(d->out, "  function\n");
}

static void print_all_root(const struct drawing *d)
{
    const struct call_tree *t = d->outline->tree;
    if (t->root == STACKS_NONE || t->node[t->root].next == STACKS_NONE)
        return;
    print_amounts(d, d->outline->whole, 0);
    buf_adds(d->out, "(all)\n");
}

static void print_hidden(const struct call_hidden *h, const char *which, uint64_t whole,
                         struct buf *out)
{
    if (h->branches)
        buf_printf(out, "(%zu branch%s %s hidden: %.1f%%)\n", h->branches,
                   h->branches == 1 ? "" : "es", which, share_pct(h->amount, whole));
}

/* As a row, so that self amounts still add up to the whole, or without them those of the outermost
 * functions. */
static void print_left_out(const struct drawing *d, size_t count, const struct call_hidden *h,
                           const char *one, const char *more, const char *why)
{
    uint64_t amount = d->outline->self ? h->amount : h->outer;
    if (!count)
        return;
    if (amount)
        print_amounts(d, amount, amount);
    else
        buf_printf(d->out, "%*s", 9 + d->scale.width, "");
    buf_printf(d->out, "(%zu %s%s: --rows all)\n", count, count == 1 ? one : more, why);
}

static void print_all_hidden(const struct drawing *d)
{
    const struct call_outline *o = d->outline;
    char small[64];
    if (o->options->fold) {
        snprintf(small, sizeof small, " under %g%% not shown", o->options->hide_pct);
        print_left_out(d, o->small.branches, &o->small, "entry", "entries", small);
    } else {
        snprintf(small, sizeof small, "under %g%%", o->options->hide_pct);
        print_hidden(&o->small, small, o->whole, d->out);
    }
    if (o->options->fitted)
        print_left_out(d, o->more_rows, &o->more, "more row", "more rows", "");
    else
        print_hidden(&o->more, "beyond --rows", o->whole, d->out);
    print_hidden(&o->deep, "further down", o->whole, d->out);
}

/* So many branches leave half of the line to names. */
static void size_columns(struct drawing *d)
{
    const struct call_outline *o = d->outline;
    d->scale = call_scale_of(&o->stacks->value[o->value], o->whole);
    d->self_width = (int)(sizeof "self" + strlen(d->scale.unit));
    if (d->self_width < d->scale.width)
        d->self_width = d->scale.width;
    d->max_drawn = o->options->width ? o->options->width / 12 + 1 : STACKS_TREE_MAX_NESTING;
}

int call_outline_text(struct call_outline *o, struct buf *out)
{
    struct drawing d = {.outline = o, .out = out};
    if (choose_nodes(o) < 0)
        return -ENOMEM;
    size_columns(&d);
    call_summary(o->stacks, o->value, o->whole, out);
    print_header(&d);
    print_all_root(&d);
    call_tree_walk(o->tree, enter_node, leave_node, &d);
    print_all_hidden(&d);
    return buf_error(out);
}

/* --- downwards --- */

const struct stacks_tree_options stacks_tree_defaults = {.hide_pct = 0.5, .threads = true};

int stacks_tree_text(const struct stacks *s, const struct stacks_tree_options *options,
                     struct buf *out)
{
    SCOPED(call_tree_release) struct call_tree tree;
    size_t value = s->values - 1;
    unsigned kind = options->threads && s->threads ? CALL_BY_THREAD : 0;
    int r = call_tree_make(s, value, kind | (options->fold ? CALL_FOLDED : 0), &tree);
    struct call_outline o = {.stacks = s,
                             .tree = &tree,
                             .options = options,
                             .value = value,
                             .whole = tree.total,
                             .self = true};
    return r ? r : call_outline_text(&o, out);
}
