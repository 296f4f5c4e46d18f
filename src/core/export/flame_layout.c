#include "flame_layout.h"

#include "core/base/scope.h"
#include "core/base/sort.h"
#include "core/containers/radix.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A node for which a box is being made. */
struct spot {
    uint32_t node, parent; /* parent: 1 more than the node's, 0 of an outermost one */
    uint32_t function;     /* its place among all by name */
    uint32_t row;
    uint64_t at, weight; /* where it begins, in weight */
    uint64_t next;       /* where its next callee begins */
};

struct named {
    const char *name, *module;
    uint32_t function;
};

static int by_name(const void *pa, const void *pb)
{
    const struct named *a = pa, *b = pb;
    return strcmp(a->name, b->name) ?:
           strcmp(a->module, b->module) ?:
           ORDER(a->function, b->function);
}

/* rank[f]: the place of function f among all, by name; the caller frees. */
static uint32_t *rank_functions(const struct stacks *s)
{
    SCOPED_FREE struct named *named = malloc((s->functions + 1) * sizeof *named);
    uint32_t *rank = named ? malloc((s->functions + 1) * sizeof *rank) : NULL;
    if (!rank)
        return NULL;
    for (size_t i = 0; i < s->functions; i++)
        named[i] = (struct named){s->function[i].name, stacks_module_name(s, &s->function[i]),
                                  (uint32_t)i};
    sort_array(named, s->functions, sizeof *named, by_name);
    for (size_t i = 0; i < s->functions; i++)
        rank[named[i].function] = (uint32_t)i;
    return rank;
}

/* Callees of one frame together, callers before callees: a parent's number is the lower one. */
static struct radix_key by_caller(const struct spot *s, size_t i)
{
    return (struct radix_key){.low = (uint64_t)s->parent << 32 | s->function, .index = (uint32_t)i};
}

/* The heaviest first; of equals callers before callees. */
static struct radix_key by_weight(const struct spot *s, size_t i)
{
    return (struct radix_key){.low = UINT64_MAX - s->weight, .index = (uint32_t)i};
}

static struct radix_key by_row(const struct spot *s, size_t i)
{
    return (struct radix_key){.high = s->row, .low = s->at, .index = (uint32_t)i};
}

/* In the order of their nodes. */
static size_t gather_spots(const struct flame_tree *t, const uint32_t *rank, struct spot *spot)
{
    const struct stacks *s = &t->stacks;
    size_t n = 0;
    if (!t->total[FLAME_WEIGHT])
        return 0;
    for (uint32_t i = 0; i < s->nodes; i++)
        if (t->sums[FLAME_WEIGHT].total[i])
            spot[n++] = (struct spot){.node = i,
                                      .parent = s->node[i].parent + 1,
                                      .function = rank[s->frame[s->node[i].frame].function],
                                      .weight = t->sums[FLAME_WEIGHT].total[i]};
    return n;
}

/* spot_of: the spot of each node, 1 further on; the first one is the total. A caller has none when
 * its sum has overflown. */
static void place_spots(struct spot *spot, size_t n, struct radix_key *order, struct spot **spot_of)
{
    for (size_t i = 0; i < n; i++)
        order[i] = by_caller(&spot[i], i);
    radix_sort(order, n);
    for (size_t i = 0; i < n; i++) {
        struct spot *s = &spot[order[i].index];
        struct spot *up = spot_of[s->parent] ? spot_of[s->parent] : spot_of[0];
        spot_of[s->node + 1] = s;
        s->row = up->row + 1;
        s->at = s->next = up->next;
        up->next += s->weight;
    }
}

static size_t bytes_of(const struct flame_tree *t, uint32_t node)
{
    const struct stacks_function *f = stacks_function_of(&t->stacks, node);
    return FLAME_BOX_BYTES + strlen(f->name) + strlen(stacks_module_name(&t->stacks, f)) +
           strlen(t->place[node].file);
}

/* The first of order become the spots that are drawn, by row; the others are counted. */
static size_t choose_spots(struct flame_layout *l, const struct flame_tree *t,
                           const struct spot *spot, size_t n, struct radix_key *order)
{
    double thinnest = FLAME_MIN_WIDTH * (double)t->total[FLAME_WEIGHT] / FLAME_WIDTH;
    size_t kept = 0, bytes = 0;
    for (size_t i = 0; i < n; i++)
        order[i] = by_weight(&spot[i], i);
    radix_sort(order, n);
    for (size_t i = 0; i < n; i++) {
        const struct spot *s = &spot[order[i].index];
        bool seen = s->row < FLAME_MAX_ROWS && (double)s->weight >= thinnest;
        bytes += seen ? bytes_of(t, s->node) : 0;
        if (seen && bytes <= FLAME_MAX_BYTES) {
            order[kept++] = by_row(s, order[i].index);
        } else {
            l->left_out++;
            l->widest = s->weight > l->widest ? s->weight : l->widest;
        }
    }
    radix_sort(order, kept);
    return kept;
}

/* Within the total, even where sums have overflowed. */
static struct flame_box box_of(const struct spot *spot, double scale)
{
    double x = fmin((double)spot->at * scale, FLAME_WIDTH);
    double width = fmin((double)spot->weight * scale, FLAME_WIDTH - x);
    return (struct flame_box){spot->node, spot->row, x, width};
}

static int fill_boxes(struct flame_layout *l, const struct flame_tree *t, const struct spot *spot,
                      const struct radix_key *order, size_t n)
{
    l->box = malloc((n + 1) * sizeof *l->box);
    if (!l->box)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        l->box[i] = box_of(&spot[order[i].index], FLAME_WIDTH / (double)t->total[FLAME_WEIGHT]);
    l->boxes = n;
    l->rows = n ? spot[order[n - 1].index].row + 1 : 1;
    return 0;
}

int flame_layout_init(struct flame_layout *l, const struct flame_tree *t)
{
    size_t nodes = t->stacks.nodes;
    struct spot whole = {0};
    SCOPED_FREE struct spot *spot = malloc((nodes + 1) * sizeof *spot);
    SCOPED_FREE struct spot **spot_of = calloc(nodes + 1, sizeof *spot_of);
    SCOPED_FREE struct radix_key *order = malloc((nodes + 1) * sizeof *order);
    SCOPED_FREE uint32_t *rank = rank_functions(&t->stacks);
    *l = (struct flame_layout){.rows = 1};
    if (!spot || !spot_of || !order || !rank)
        return -ENOMEM;
    size_t n = gather_spots(t, rank, spot);
    spot_of[0] = &whole;
    place_spots(spot, n, order, spot_of);
    return fill_boxes(l, t, spot, order, choose_spots(l, t, spot, n, order));
}

void flame_layout_release(struct flame_layout *l)
{
    free(l->box);
}
