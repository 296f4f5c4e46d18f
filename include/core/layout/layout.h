/*
 * layout: a drawing of a directed graph in layers, which the caller gives. The nodes of each layer
 * are put in an order with few crossings of edges (sweeps of medians with exchanges of neighbours,
 * after Gansner, Koutsofios, North and Vo), then each gets a coordinate across the layers so that
 * edges are short and long ones straight (Brandes and Koepf: Fast and Simple Horizontal Coordinate
 * Assignment). All numbers are integers: the result is the same on every machine.
 *
 * An edge between layers that are not neighbours is bent once in each layer that it passes, where
 * nothing else is. If very many layers are passed, the last edges are drawn without bends. Edges
 * inside a layer have no influence.
 *
 * Time grows with the edges and bends times the logarithm of the nodes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct layout_node {
    uint32_t layer;  /* 0 ... LAYOUT_MAX_LAYER */
    int32_t size;    /* across, over 0 */
    int64_t at;      /* set: the centre */
    uint32_t number; /* set: in its layer, from 0 */
};

enum { LAYOUT_MAX_LAYER = 1 << 20, LAYOUT_MAX_SIZE = 1 << 20 };

struct layout_edge {
    uint32_t from, to;        /* nodes; either may be in the lower layer */
    size_t first_bend, bends; /* set: in layout.bend, from the lower to the higher layer */
};

struct layout {
    struct layout_node *node; /* the caller's */
    size_t nodes;
    struct layout_edge *edge; /* the caller's */
    size_t edges;
    int32_t gap;       /* between neighbours in a layer */
    int32_t bend_size; /* what an edge takes of a layer that it passes */

    int64_t *bend; /* set: centres */
    size_t bends;
    int64_t extent;     /* set: everything is between 0 and this */
    uint64_t crossings; /* set: of edges between layers */
};

/* 0, -EINVAL for a layer, size or node out of bounds, or -ENOMEM; release either way. */
int layout_make(struct layout *l);
void layout_release(struct layout *l); /* what was set; not the caller's arrays */
