#include "graph.h"

#include "core/base/scope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- bends --- */

/* Each edge has as many as fit into a memory that grows with the graph. */
static size_t bend_edges(struct layout *l)
{
    size_t most = 4 * (l->nodes + l->edges) + 4096, bends = 0;
    for (size_t i = 0; i < l->edges; i++) {
        struct layout_edge *e = &l->edge[i];
        uint32_t a = l->node[e->from].layer, b = l->node[e->to].layer;
        size_t passed = a < b ? b - a : a - b;
        passed = passed ? passed - 1 : 0;
        e->first_bend = bends;
        e->bends = passed <= most - bends ? passed : 0;
        bends += e->bends;
    }
    return bends;
}

static bool is_within_bounds(const struct layout *l)
{
    for (size_t i = 0; i < l->nodes; i++)
        if (l->node[i].layer > LAYOUT_MAX_LAYER || l->node[i].size <= 0 ||
            l->node[i].size > LAYOUT_MAX_SIZE)
            return false;
    for (size_t i = 0; i < l->edges; i++)
        if (l->edge[i].from >= l->nodes || l->edge[i].to >= l->nodes)
            return false;
    return l->nodes < UINT32_MAX / 16 && l->edges < UINT32_MAX / 16 && l->gap >= 0 &&
           l->gap <= LAYOUT_MAX_SIZE && l->bend_size > 0 && l->bend_size <= LAYOUT_MAX_SIZE;
}

/* --- segments --- */

struct segment {
    uint32_t vertex[2]; /* UP, DOWN */
};

/* Those of an edge, from the lower layer to the higher; layers of bends are set. Returns how many.
 */
static size_t split_edge(const struct layout *l, const struct layout_edge *e, struct graph *g,
                         struct segment *out)
{
    bool down = l->node[e->from].layer < l->node[e->to].layer;
    uint32_t top = down ? e->from : e->to, bottom = down ? e->to : e->from, last = top;
    uint32_t span = l->node[bottom].layer - l->node[top].layer;
    if (!span || e->bends != span - 1)
        return 0;
    for (size_t i = 0; i < e->bends; i++) {
        uint32_t bend = (uint32_t)(l->nodes + e->first_bend + i);
        g->layer[bend] = l->node[top].layer + 1 + (uint32_t)i;
        g->size[bend] = l->bend_size;
        out[i] = (struct segment){{last, bend}};
        last = bend;
    }
    out[e->bends] = (struct segment){{last, bottom}};
    return e->bends + 1;
}

/* --- lists --- */

static int alloc_lists(struct graph_lists *lists, size_t count, size_t items)
{
    lists->start = calloc(count + 2, sizeof *lists->start);
    lists->item = malloc((items + 1) * sizeof *lists->item);
    return lists->start && lists->item ? 0 : -ENOMEM;
}

/* Of counts in start[i + 1] makes starts in start[i + 1], which advance as items are added. */
static void sum_counts(struct graph_lists *lists, size_t count)
{
    memmove(lists->start + 1, lists->start, (count + 1) * sizeof *lists->start);
    for (size_t i = 1; i <= count; i++)
        lists->start[i + 1] += lists->start[i];
}

static void add_item(struct graph_lists *lists, size_t i, uint32_t item)
{
    lists->item[lists->start[i + 1]++] = item;
}

static void list_neighbours(struct graph *g, const struct segment *segment, int way)
{
    struct graph_lists *lists = &g->next[way];
    for (size_t i = 0; i < g->segments; i++)
        lists->start[segment[i].vertex[!way] + 1]++;
    sum_counts(lists, g->vertices);
    for (size_t i = 0; i < g->segments; i++)
        add_item(lists, segment[i].vertex[!way], segment[i].vertex[way]);
}

static void list_layers(struct graph *g)
{
    for (size_t v = 0; v < g->vertices; v++)
        g->order.start[g->layer[v] + 1]++;
    sum_counts(&g->order, g->layers);
    for (size_t v = 0; v < g->vertices; v++)
        add_item(&g->order, g->layer[v], (uint32_t)v);
    for (size_t k = 0; k < g->layers; k++)
        graph_number(g, k);
}

void graph_number(struct graph *g, size_t layer)
{
    for (size_t i = 0, n = graph_count(&g->order, layer); i < n; i++)
        g->place[graph_list(&g->order, layer)[i]] = (uint32_t)i;
}

/* --- making --- */

static int alloc_graph(struct graph *g)
{
    g->layer = calloc(g->vertices + 1, sizeof *g->layer);
    g->place = calloc(g->vertices + 1, sizeof *g->place);
    g->size = calloc(g->vertices + 1, sizeof *g->size);
    return g->layer && g->place && g->size ? 0 : -ENOMEM;
}

static void copy_nodes(const struct layout *l, struct graph *g)
{
    for (size_t i = 0; i < l->nodes; i++) {
        g->layer[i] = l->node[i].layer;
        g->size[i] = l->node[i].size;
        g->layers = g->layer[i] >= g->layers ? g->layer[i] + 1 : g->layers;
    }
}

static int join_vertices(const struct layout *l, struct graph *g)
{
    SCOPED_FREE struct segment *segment = malloc((l->edges + l->bends + 1) * sizeof *segment);
    for (size_t i = 0; segment && i < l->edges; i++)
        g->segments += split_edge(l, &l->edge[i], g, segment + g->segments);
    int r = segment ? alloc_lists(&g->order, g->layers, g->vertices) : -ENOMEM;
    for (int way = UP; way <= DOWN && r == 0; way++)
        r = alloc_lists(&g->next[way], g->vertices, g->segments);
    if (r == 0) {
        list_neighbours(g, segment, UP);
        list_neighbours(g, segment, DOWN);
        list_layers(g);
    }
    return r;
}

int graph_make(struct layout *l, struct graph *g)
{
    *g = (struct graph){.nodes = l->nodes, .gap = l->gap};
    if (!is_within_bounds(l))
        return -EINVAL;
    l->bends = bend_edges(l);
    g->vertices = l->nodes + l->bends;
    int r = alloc_graph(g);
    if (r == 0)
        copy_nodes(l, g);
    return r ? r : join_vertices(l, g);
}

void graph_release(struct graph *g)
{
    free(g->layer);
    free(g->place);
    free(g->size);
    for (int way = UP; way <= DOWN; way++) {
        free(g->next[way].start);
        free(g->next[way].item);
    }
    free(g->order.start);
    free(g->order.item);
}
