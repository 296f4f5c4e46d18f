/* The order in layers: first that of a depth-first walk, in which a tree has no crossing, then
 * sweeps of medians, each followed by exchanges of neighbours. Every other pair of sweeps also
 * exchanges what crosses as often either way: so an order is left that no better one is next to.
 * The best order of all is kept. Sweeps end early in a graph so large that they took seconds. */
#include "graph.h"

#include "core/base/sort.h"

#include <errno.h>
#include <string.h>

enum { SWEEPS = 24, PATIENCE = 8, EXCHANGES = 8, MAX_WORK = 16 << 20 };

/* --- the first order --- */

struct walk {
    uint32_t *stack, *seen; /* seen: per vertex */
    size_t *filled;         /* of each layer */
};

static void visit(struct graph *g, struct walk *w, uint32_t v)
{
    size_t layer = g->layer[v];
    graph_list(&g->order, layer)[w->filled[layer]++] = v;
}

static void walk_from(struct graph *g, struct walk *w, uint32_t root)
{
    size_t deep = 0;
    w->stack[deep++] = root;
    w->seen[root] = 1;
    visit(g, w, root);
    while (deep) {
        uint32_t v = w->stack[deep - 1], *seen = &w->seen[v];
        if (*seen > graph_count(&g->next[DOWN], v)) {
            deep--;
            continue;
        }
        uint32_t next = graph_list(&g->next[DOWN], v)[(*seen)++ - 1];
        if (!w->seen[next]) {
            w->seen[next] = 1;
            visit(g, w, next);
            w->stack[deep++] = next;
        }
    }
}

static int walk_graph(struct graph *g)
{
    struct walk w = {calloc(g->vertices + 1, sizeof *w.stack),
                     calloc(g->vertices + 1, sizeof *w.seen),
                     calloc(g->layers + 1, sizeof *w.filled)};
    int r = w.stack && w.seen && w.filled ? 0 : -ENOMEM;
    for (size_t v = 0; r == 0 && v < g->nodes; v++)
        if (!graph_count(&g->next[UP], v))
            walk_from(g, &w, (uint32_t)v);
    for (size_t k = 0; r == 0 && k < g->layers; k++)
        graph_number(g, k);
    free(w.stack);
    free(w.seen);
    free(w.filled);
    return r;
}

/* --- medians --- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return ORDER(x, y);
}

struct moved {
    uint64_t median; /* twice */
    uint32_t place, vertex;
};

static int compare_moved(const void *a, const void *b)
{
    const struct moved *x = a, *y = b;
    return ORDER(x->median, y->median) ?: ORDER(x->place, y->place);
}

struct scratch {
    uint32_t *places; /* of neighbours */
    struct moved *moved;
    uint32_t *best; /* copy of the orders */
    uint64_t work;  /* neighbours sorted for exchanges so far */
    bool if_equal;  /* vertices are exchanged if that changes nothing, too */
};

static uint64_t median_of(const struct graph *g, uint32_t v, int way, uint32_t *places)
{
    size_t n = graph_count(&g->next[way], v);
    for (size_t i = 0; i < n; i++)
        places[i] = g->place[graph_list(&g->next[way], v)[i]];
    sort_array(places, n, sizeof *places, compare_numbers);
    return (uint64_t)places[(n - 1) / 2] + places[n / 2];
}

/* Vertices without neighbours in that layer stay where they are. */
static void sort_layer(struct graph *g, size_t layer, int way, struct scratch *s)
{
    uint32_t *order = graph_list(&g->order, layer);
    size_t n = graph_count(&g->order, layer), moved = 0;
    for (size_t i = 0; i < n; i++)
        if (graph_count(&g->next[way], order[i]))
            s->moved[moved++] =
                (struct moved){median_of(g, order[i], way, s->places), (uint32_t)i, order[i]};
    sort_array(s->moved, moved, sizeof *s->moved, compare_moved);
    for (size_t i = 0, k = 0; i < n; i++)
        if (graph_count(&g->next[way], order[i]))
            order[i] = s->moved[k++].vertex;
    graph_number(g, layer);
}

/* --- exchanges --- */

/* Puts the neighbours of a layer's vertices into the order of their places. */
static void sort_neighbours(struct graph *g, size_t layer, int way, struct scratch *s)
{
    for (size_t i = 0; i < graph_count(&g->order, layer); i++) {
        uint32_t v = graph_list(&g->order, layer)[i], *next = graph_list(&g->next[way], v);
        size_t n = graph_count(&g->next[way], v);
        s->work += n;
        for (size_t k = 0; k < n; k++)
            s->moved[k] = (struct moved){g->place[next[k]], (uint32_t)k, next[k]};
        sort_array(s->moved, n, sizeof *s->moved, compare_moved);
        for (size_t k = 0; k < n; k++)
            next[k] = s->moved[k].vertex;
    }
}

/* Crossings of the segments of a with those of b in one direction if a is before b. */
static uint64_t crossings_of(const struct graph *g, int way, uint32_t a, uint32_t b)
{
    const uint32_t *x = graph_list(&g->next[way], a), *y = graph_list(&g->next[way], b);
    size_t of_a = graph_count(&g->next[way], a), of_b = graph_count(&g->next[way], b), before = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < of_a; i++) {
        while (before < of_b && g->place[y[before]] < g->place[x[i]])
            before++;
        sum += before;
    }
    return sum;
}

static bool belongs_after(const struct graph *g, uint32_t a, uint32_t b, bool if_equal)
{
    uint64_t now = crossings_of(g, UP, a, b) + crossings_of(g, DOWN, a, b);
    return now && crossings_of(g, UP, b, a) + crossings_of(g, DOWN, b, a) < now + if_equal;
}

static bool exchange_in_layer(struct graph *g, size_t layer, bool if_equal)
{
    uint32_t *order = graph_list(&g->order, layer);
    bool changed = false;
    for (size_t i = 1; i < graph_count(&g->order, layer); i++)
        if (belongs_after(g, order[i - 1], order[i], if_equal)) {
            uint32_t before = order[i - 1];
            order[i - 1] = order[i];
            order[i] = before;
            g->place[order[i - 1]] = (uint32_t)i - 1;
            g->place[order[i]] = (uint32_t)i;
            changed = true;
        }
    return changed;
}

static void exchange(struct graph *g, struct scratch *s)
{
    bool changed = true;
    for (int round = 0; round < EXCHANGES && changed && s->work < MAX_WORK; round++) {
        changed = false;
        for (size_t k = 0; k < g->layers; k++) {
            sort_neighbours(g, k, UP, s);
            sort_neighbours(g, k, DOWN, s);
            changed |= exchange_in_layer(g, k, s->if_equal);
        }
    }
}

/* --- sweeps --- */

static void sweep(struct graph *g, int way, struct scratch *s)
{
    for (size_t i = 1; i < g->layers; i++)
        sort_layer(g, way == UP ? i : g->layers - 1 - i, way, s);
    exchange(g, s);
}

static int improve(struct graph *g, struct scratch *s)
{
    uint64_t best, now;
    int r = graph_crossings(g, &best), without = 0;
    memcpy(s->best, g->order.item, g->vertices * sizeof *s->best);
    for (int i = 0; r == 0 && best && i < SWEEPS && without < PATIENCE && s->work < MAX_WORK; i++) {
        s->if_equal = i % 4 < 2;
        sweep(g, i % 2 ? DOWN : UP, s);
        r = graph_crossings(g, &now);
        without = now < best ? 0 : without + 1;
        if (r == 0 && now < best) {
            best = now;
            memcpy(s->best, g->order.item, g->vertices * sizeof *s->best);
        }
    }
    memcpy(g->order.item, s->best, g->vertices * sizeof *s->best);
    for (size_t k = 0; k < g->layers; k++)
        graph_number(g, k);
    return r;
}

int order_make(struct graph *g)
{
    size_t most = (g->vertices > g->segments ? g->vertices : g->segments) + 1;
    struct scratch s = {.places = malloc(most * sizeof *s.places),
                        .moved = malloc(most * sizeof *s.moved),
                        .best = malloc(most * sizeof *s.best)};
    int r = s.places && s.moved && s.best ? walk_graph(g) : -ENOMEM;
    if (r == 0)
        r = improve(g, &s);
    free(s.places);
    free(s.moved);
    free(s.best);
    return r;
}
