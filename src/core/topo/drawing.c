#include "drawing.h"

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/base/time_unit.h"
#include "core/topo/write.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { GAP = 4, LEAST_SIZE = 18, BEND_SIZE = 6 };

/* --- which functions --- */

struct ranked {
    uint64_t total;
    uint32_t function;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return ORDER(y->total, x->total) ?: ORDER(x->function, y->function);
}

/* Shows a function and those above it, if that many may still be drawn. */
static void show_function(struct drawing *d, uint32_t function, size_t limit)
{
    size_t hidden = 0;
    for (uint32_t f = function; f != TOPO_NONE && d->node[f] == TOPO_NONE; f = d->parent[f])
        hidden++;
    if (hidden > limit - d->nodes)
        return;
    d->nodes += hidden;
    for (uint32_t f = function; f != TOPO_NONE && d->node[f] == TOPO_NONE; f = d->parent[f])
        d->node[f] = 0;
}

static int choose_functions(struct drawing *d, size_t limit)
{
    const struct topo *t = d->topo;
    SCOPED_FREE struct ranked *ranked = malloc((t->functions + 1) * sizeof *ranked);
    if (!ranked)
        return -ENOMEM;
    for (size_t i = 0; i < t->functions; i++) {
        ranked[i] = (struct ranked){t->function[i].total, (uint32_t)i};
        d->parent[i] = topo_parent(t, (uint32_t)i);
        d->node[i] = TOPO_NONE;
    }
    sort_array(ranked, t->functions, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < t->functions; i++)
        show_function(d, ranked[i].function, limit ? limit : t->functions);
    return 0;
}

static void number_nodes(struct drawing *d)
{
    d->nodes = 0;
    for (uint32_t i = 0; i < d->topo->functions; i++)
        if (d->node[i] != TOPO_NONE) {
            d->node[i] = (uint32_t)d->nodes;
            d->function[d->nodes++] = i;
        }
}

static void fold_others(struct drawing *d)
{
    for (uint32_t i = 0; i < d->topo->functions; i++) {
        uint32_t f = i;
        if (d->node[i] != TOPO_NONE)
            continue;
        while (f != TOPO_NONE && d->node[f] == TOPO_NONE)
            f = d->parent[f];
        ++*(f == TOPO_NONE ? &d->left_out : &d->folded[d->node[f]]);
    }
}

/* --- where --- */

/* Depths without a function have no column. */
static int set_columns(struct drawing *d)
{
    uint32_t deepest = 0;
    for (size_t i = 0; i < d->nodes; i++) {
        uint32_t depth = d->topo->function[d->function[i]].depth;
        deepest = depth > deepest ? depth : deepest;
    }
    SCOPED_FREE uint32_t *column = calloc((size_t)deepest + 1, sizeof *column);
    if (!column)
        return -ENOMEM;
    for (size_t i = 0; i < d->nodes; i++)
        column[d->topo->function[d->function[i]].depth] = 1;
    for (size_t depth = 0; depth <= deepest; depth++)
        column[depth] = column[depth] ? d->columns++ : 0;
    for (size_t i = 0; i < d->nodes; i++) {
        const struct topo_function *f = &d->topo->function[d->function[i]];
        unsigned diameter = topo_look(f, d->longest).diameter;
        d->place[i].layer = column[f->depth];
        d->place[i].size = diameter > LEAST_SIZE ? (int32_t)diameter : LEAST_SIZE;
    }
    return 0;
}

static void add_edges(struct drawing *d, bool all)
{
    for (size_t i = 0; i < d->topo->relations; i++) {
        const struct topo_relation *r = &d->topo->relation[i];
        bool first = d->parent[r->callee] == r->caller;
        if ((!first && !all) || r->caller == r->callee || d->node[r->caller] == TOPO_NONE ||
            d->node[r->callee] == TOPO_NONE)
            continue;
        d->edge[d->edges] =
            (struct layout_edge){.from = d->node[r->caller], .to = d->node[r->callee]};
        d->first[d->edges++] = first;
    }
}

static int lay_out(struct drawing *d)
{
    d->layout = (struct layout){.node = d->place,
                                .nodes = d->nodes,
                                .edge = d->edge,
                                .edges = d->edges,
                                .gap = GAP,
                                .bend_size = BEND_SIZE};
    return layout_make(&d->layout);
}

static bool alloc_drawing(struct drawing *d)
{
    size_t functions = d->topo->functions + 1, edges = d->topo->relations + 1;
    d->parent = malloc(functions * sizeof *d->parent);
    d->node = malloc(functions * sizeof *d->node);
    d->function = malloc(functions * sizeof *d->function);
    d->folded = calloc(functions, sizeof *d->folded);
    d->place = calloc(functions, sizeof *d->place);
    d->edge = calloc(edges, sizeof *d->edge);
    d->first = calloc(edges, sizeof *d->first);
    return d->parent && d->node && d->function && d->folded && d->place && d->edge && d->first;
}

int drawing_make(struct drawing *d, const struct topo *t, const struct topo_options *o)
{
    *d = (struct drawing){.topo = t, .longest = topo_longest(t)};
    int r = alloc_drawing(d) ? choose_functions(d, o->limit) : -ENOMEM;
    if (r == 0) {
        number_nodes(d);
        fold_others(d);
        r = set_columns(d);
    }
    if (r == 0) {
        add_edges(d, o->all);
        r = lay_out(d);
    }
    return r;
}

void drawing_release(struct drawing *d)
{
    layout_release(&d->layout);
    free(d->parent);
    free(d->node);
    free(d->function);
    free(d->folded);
    free(d->place);
    free(d->edge);
    free(d->first);
}

/* --- words and colours --- */

void drawing_amount(const struct topo *t, uint64_t amount, struct buf *out)
{
    if (strcmp(t->unit, "ns") == 0) {
        struct time_unit unit = time_unit_of(KIND_TIME, (double)amount);
        buf_printf(out, "%.*f %s", unit.decimals, (double)amount / unit.size, unit.name);
    } else
        buf_printf(out, "%" PRIu64 " %s", amount, t->unit);
}

struct colour {
    double part[3];
};

/* From green over yellow to red, all of the same brightness about. */
void drawing_colour(double red, struct buf *out)
{
    static const struct colour stops[] = {{{46, 160, 67}}, {{212, 167, 20}}, {{215, 58, 73}}};
    const struct colour *from = red < 0.5 ? &stops[0] : &stops[1];
    double share = red < 0.5 ? 2 * red : 2 * red - 1;
    buf_addc(out, '#');
    for (int i = 0; i < 3; i++)
        buf_printf(out, "%02x",
                   (unsigned)(from[0].part[i] + share * (from[1].part[i] - from[0].part[i]) + 0.5));
}
