/*
 * Coordinates after Brandes and Koepf. Vertices of neighbouring layers are aligned in blocks, each
 * vertex with a median neighbour; blocks are pushed together as far as their neighbours in the
 * layers allow. This is done in four ways (by neighbours above or below, preferring the first or
 * the last), and each vertex gets the mean of its two middle results. Segments between two bends
 * have precedence, so that long edges are straight.
 */
#include "graph.h"

#include "core/base/scope.h"
#include "core/base/sort.h"

#include <errno.h>
#include <string.h>

enum { WAYS = 4 };

struct placing {
    const struct graph *g;
    int way;         /* whose neighbours align: UP or DOWN */
    bool from_end;   /* layers are seen in reverse order */
    uint32_t *root;  /* the first vertex of a vertex's block */
    uint32_t *align; /* the next one of the block; of its last, the first */
    uint32_t *waits; /* blocks: neighbours before that have no coordinate yet */
    uint32_t *queue;
    bool *crossed; /* per item of next[UP]: crosses a segment between bends */
    int64_t *at;   /* of blocks, then of vertices */
};

static bool is_bend(const struct graph *g, uint32_t v)
{
    return v >= g->nodes;
}

/* --- conflicts: a segment that crosses one between two bends --- */

/* The item of next[UP] that leads to another bend; NONE: there is none. */
static uint32_t bend_above(const struct graph *g, uint32_t v)
{
    if (!is_bend(g, v) || !graph_count(&g->next[UP], v))
        return UINT32_MAX;
    uint32_t above = graph_list(&g->next[UP], v)[0];
    return is_bend(g, above) ? above : UINT32_MAX;
}

static void mark_between(const struct graph *g, bool *crossed, const uint32_t *order, size_t from,
                         size_t to, int64_t low, int64_t high)
{
    for (size_t i = from; i < to; i++)
        for (size_t k = g->next[UP].start[order[i]]; k < g->next[UP].start[order[i] + 1]; k++) {
            int64_t place = g->place[g->next[UP].item[k]];
            bool own = bend_above(g, order[i]) != UINT32_MAX;
            crossed[k] = !own && (place < low || place > high);
        }
}

/* Between two segments of bends lie only those whose upper ends lie between, too. */
static void mark_layer(const struct graph *g, bool *crossed, size_t layer)
{
    const uint32_t *order = graph_list(&g->order, layer);
    size_t n = graph_count(&g->order, layer), done = 0;
    int64_t low = -1;
    for (size_t i = 0; i < n; i++) {
        uint32_t above = bend_above(g, order[i]);
        if (above == UINT32_MAX && i + 1 < n)
            continue;
        int64_t high = above == UINT32_MAX ? INT64_MAX : g->place[above];
        mark_between(g, crossed, order, done, i + 1, low, high);
        done = i + 1;
        low = high;
    }
}

/* --- alignment --- */

static int64_t seen_place(const struct placing *p, uint32_t v)
{
    return p->from_end ? -(int64_t)p->g->place[v] : (int64_t)p->g->place[v];
}

static bool is_crossed(const struct placing *p, uint32_t v, uint32_t next)
{
    uint32_t below = p->way == UP ? v : next, above = p->way == UP ? next : v;
    const struct graph_lists *up = &p->g->next[UP];
    for (size_t k = up->start[below]; k < up->start[below + 1]; k++)
        if (up->item[k] == above)
            return p->crossed[k];
    return false;
}

struct neighbour {
    uint32_t place, vertex;
};

static int compare_neighbours(const void *a, const void *b)
{
    const struct neighbour *x = a, *y = b;
    return ORDER(x->place, y->place);
}

/* Aligns v with next, if what was aligned before permits it. */
static bool align_with(struct placing *p, uint32_t v, uint32_t next, int64_t *last)
{
    if (seen_place(p, next) <= *last || is_crossed(p, v, next))
        return false;
    p->align[next] = v;
    p->root[v] = p->root[next];
    p->align[v] = p->root[v];
    *last = seen_place(p, next);
    return true;
}

static void align_vertex(struct placing *p, uint32_t v, int64_t *last, struct neighbour *sorted)
{
    const struct graph_lists *next = &p->g->next[p->way];
    size_t n = graph_count(next, v);
    if (!n)
        return;
    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct neighbour){p->g->place[graph_list(next, v)[i]], graph_list(next, v)[i]};
    sort_array(sorted, n, sizeof *sorted, compare_neighbours);
    size_t first = (n - 1) / 2, second = n / 2;
    if (!align_with(p, v, sorted[p->from_end ? second : first].vertex, last) && first != second)
        align_with(p, v, sorted[p->from_end ? first : second].vertex, last);
}

static void align_blocks(struct placing *p, struct neighbour *sorted)
{
    const struct graph *g = p->g;
    for (size_t v = 0; v < g->vertices; v++)
        p->root[v] = p->align[v] = (uint32_t)v;
    for (size_t i = 1; i < g->layers; i++) {
        size_t layer = p->way == UP ? i : g->layers - 1 - i, n = graph_count(&g->order, layer);
        int64_t last = INT64_MIN;
        for (size_t k = 0; k < n; k++)
            align_vertex(p, graph_list(&g->order, layer)[p->from_end ? n - 1 - k : k], &last,
                         sorted);
    }
}

/* --- compaction --- */

/* The neighbour in its layer, after or before v as the layer is seen; UINT32_MAX: none. */
static uint32_t beside(const struct placing *p, uint32_t v, bool after)
{
    size_t layer = p->g->layer[v], n = graph_count(&p->g->order, layer), place = p->g->place[v];
    bool up = after != p->from_end;
    if (up ? place + 1 >= n : place == 0)
        return UINT32_MAX;
    return graph_list(&p->g->order, layer)[up ? place + 1 : place - 1];
}

static int64_t distance(const struct placing *p, uint32_t v, uint32_t w)
{
    return ((int64_t)p->g->size[v] + p->g->size[w] + 1) / 2 + p->g->gap;
}

/* The next vertex of a block; UINT32_MAX behind the last. */
static uint32_t next_of_block(const struct placing *p, uint32_t block, uint32_t v)
{
    return p->align[v] == block ? UINT32_MAX : p->align[v];
}

static size_t queue_first(struct placing *p)
{
    size_t n = 0;
    memset(p->waits, 0, p->g->vertices * sizeof *p->waits);
    for (uint32_t v = 0; v < p->g->vertices; v++)
        p->waits[p->root[v]] += beside(p, v, false) != UINT32_MAX;
    for (uint32_t v = 0; v < p->g->vertices; v++) {
        p->at[v] = 0;
        if (p->root[v] == v && !p->waits[v])
            p->queue[n++] = v;
    }
    return n;
}

/* Each block as near to the start as the blocks before it allow. Returns the number of blocks. */
static size_t push_to_start(struct placing *p)
{
    size_t queued = queue_first(p);
    for (size_t i = 0; i < queued; i++)
        for (uint32_t b = p->queue[i], v = b; v != UINT32_MAX; v = next_of_block(p, b, v)) {
            uint32_t w = beside(p, v, true);
            if (w == UINT32_MAX)
                continue;
            uint32_t r = p->root[w];
            int64_t least = p->at[b] + distance(p, v, w);
            p->at[r] = least > p->at[r] ? least : p->at[r];
            if (--p->waits[r] == 0)
                p->queue[queued++] = r;
        }
    return queued;
}

/* A block with space behind it moves up to the nearest one there. */
static void pull_to_end(struct placing *p, size_t blocks)
{
    for (size_t i = blocks; i-- > 0;) {
        int64_t most = INT64_MAX;
        uint32_t b = p->queue[i];
        for (uint32_t v = b; v != UINT32_MAX; v = next_of_block(p, b, v)) {
            uint32_t w = beside(p, v, true);
            int64_t limit = w == UINT32_MAX ? INT64_MAX : p->at[p->root[w]] - distance(p, v, w);
            most = limit < most ? limit : most;
        }
        if (most != INT64_MAX && most > p->at[b])
            p->at[b] = most;
    }
}

static void place_once(struct placing *p, struct neighbour *sorted, int64_t *at)
{
    align_blocks(p, sorted);
    p->at = at;
    pull_to_end(p, push_to_start(p));
    for (size_t v = 0; v < p->g->vertices; v++)
        if (p->root[v] != v)
            at[v] = at[p->root[v]];
    for (size_t v = 0; p->from_end && v < p->g->vertices; v++)
        at[v] = -at[v];
}

/* --- the mean of the four --- */

struct bounds {
    int64_t low, high;
};

static struct bounds bounds_of(const struct graph *g, const int64_t *at)
{
    struct bounds b = {INT64_MAX, INT64_MIN};
    for (size_t v = 0; v < g->vertices; v++) {
        int64_t low = at[v] - g->size[v] / 2, high = at[v] + (g->size[v] + 1) / 2;
        b.low = low < b.low ? low : b.low;
        b.high = high > b.high ? high : b.high;
    }
    return b;
}

/* To the narrowest one: those that prefer the first by their start, the others by their end. */
static void align_ways(const struct graph *g, int64_t *at[WAYS])
{
    struct bounds b[WAYS];
    int narrow = 0;
    for (int i = 0; i < WAYS; i++) {
        b[i] = bounds_of(g, at[i]);
        narrow = b[i].high - b[i].low < b[narrow].high - b[narrow].low ? i : narrow;
    }
    for (int i = 0; i < WAYS; i++) {
        int64_t by = i % 2 ? b[narrow].high - b[i].high : b[narrow].low - b[i].low;
        for (size_t v = 0; v < g->vertices; v++)
            at[i][v] += by;
    }
}

static void exchange_if_greater(int64_t *a, int64_t *b)
{
    int64_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

static int64_t middle_of(int64_t a, int64_t b, int64_t c, int64_t d)
{
    exchange_if_greater(&a, &b);
    exchange_if_greater(&c, &d);
    int64_t low = a > c ? a : c, high = b < d ? b : d;
    return (low + high) >> 1;
}

static void set_mean(const struct graph *g, int64_t *way[WAYS], int64_t *at)
{
    for (size_t v = 0; v < g->vertices; v++)
        at[v] = middle_of(way[0][v], way[1][v], way[2][v], way[3][v]);
    int64_t low = bounds_of(g, at).low;
    for (size_t v = 0; v < g->vertices; v++)
        at[v] -= low;
}

static void place_all(struct placing *p, struct neighbour *sorted, int64_t *way[WAYS], int64_t *at)
{
    if (!p->g->vertices)
        return;
    for (size_t k = 1; k < p->g->layers; k++)
        mark_layer(p->g, p->crossed, k);
    for (int i = 0; i < WAYS; i++) {
        p->way = i / 2 ? DOWN : UP;
        p->from_end = i % 2;
        place_once(p, sorted, way[i]);
    }
    align_ways(p->g, way);
    set_mean(p->g, way, at);
}

int place_make(const struct graph *g, int64_t *at)
{
    size_t n = g->vertices + 1;
    struct placing p = {.g = g,
                        .root = malloc(n * sizeof *p.root),
                        .align = malloc(n * sizeof *p.align),
                        .waits = malloc(n * sizeof *p.waits),
                        .queue = malloc(n * sizeof *p.queue),
                        .crossed = calloc(g->segments + 1, sizeof *p.crossed)};
    SCOPED_FREE struct neighbour *sorted = malloc((g->segments + 1) * sizeof *sorted);
    int64_t *all = malloc(WAYS * n * sizeof *all), *way[WAYS];
    bool room = p.root && p.align && p.waits && p.queue && p.crossed && sorted && all;
    for (int i = 0; room && i < WAYS; i++)
        way[i] = all + (size_t)i * n;
    if (room)
        place_all(&p, sorted, way, at);
    free(p.root);
    free(p.align);
    free(p.waits);
    free(p.queue);
    free(p.crossed);
    free(all);
    return room ? 0 : -ENOMEM;
}
