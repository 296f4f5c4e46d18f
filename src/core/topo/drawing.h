/* drawing: which functions of a topo are drawn, and where. */
#pragma once

#include "core/layout/layout.h"
#include "core/topo/draw.h"

struct drawing {
    const struct topo *topo;
    uint64_t longest;
    uint32_t *parent;   /* of a function: topo_parent */
    uint32_t *node;     /* of a function; TOPO_NONE: not drawn */
    uint32_t *function; /* of a node */
    uint32_t *folded;   /* of a node: how many functions are not drawn because of it */
    size_t nodes;
    uint32_t left_out; /* functions not drawn, and below none that is */
    uint32_t columns;
    struct layout_node *place; /* layer: the column */
    struct layout_edge *edge;  /* from caller to callee */
    bool *first;               /* of an edge: from the callee's parent */
    size_t edges;
    struct layout layout;
};

/* 0 or -ENOMEM; release either way. */
int drawing_make(struct drawing *d, const struct topo *t, const struct topo_options *o);
void drawing_release(struct drawing *d);

/* Appends an amount of the topo with its unit: "6.978 ms". */
void drawing_amount(const struct topo *t, uint64_t amount, struct buf *out);

/* The colour of topo_look, as #rrggbb. */
void drawing_colour(double red, struct buf *out);
