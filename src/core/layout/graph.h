/*
 * graph: the layout's nodes and bends as vertices, joined by segments between neighbouring layers.
 * Vertices below layout.nodes are its nodes, the others are bends.
 */
#pragma once

#include "core/layout/layout.h"

#include <stdbool.h>

/* Lists of numbers: those of i are item[start[i]] to item[start[i + 1] - 1]. */
struct graph_lists {
    size_t *start;
    uint32_t *item;
};

enum { UP, DOWN }; /* towards layer 0, away from it */

struct graph {
    size_t vertices, nodes, layers, segments;
    uint32_t *layer, *place; /* of a vertex; place: in its layer's order */
    int32_t *size;
    struct graph_lists next[2]; /* neighbours in the layer above, and below */
    struct graph_lists order;   /* vertices of a layer, in order */
    int32_t gap;
};

int graph_make(struct layout *l, struct graph *g); /* sets the edges' bends, too */
void graph_release(struct graph *g);

static inline size_t graph_count(const struct graph_lists *lists, size_t i)
{
    return lists->start[i + 1] - lists->start[i];
}

static inline uint32_t *graph_list(const struct graph_lists *lists, size_t i)
{
    return lists->item + lists->start[i];
}

/* Numbers the vertices of a layer by its order. */
void graph_number(struct graph *g, size_t layer);

/* Crossings of all segments; -ENOMEM. */
int graph_crossings(const struct graph *g, uint64_t *out);

int order_make(struct graph *g);                    /* 0 or -ENOMEM */
int place_make(const struct graph *g, int64_t *at); /* centre of each vertex, from 0 */
