/*
 * folding: cells that are numbered anew, as fold_ended.c, forget.c, kept_compact.c and rare.c do,
 * because their sets or nodes are: those that come to the same set and node become one, and all
 * that keeps numbers in struct sampled changes them. Until one of the replacing calls nothing
 * changes.
 */
#pragma once

#include "core/sample/sampled.h"

struct folding {
    struct sampled *from;
    struct intern nodes, cells;  /* the new ones */
    uint32_t *node_to, *cell_to; /* of each old one; node_to NULL: nodes stay */
    const uint32_t *set_to;      /* the caller's; NULL: sets stay */
    struct sampled_cell_of cell_of;
};

/* False, and in the other calls too: no memory; release it then as well. */
bool folding_begin(struct folding *f, struct sampled *from);
/* Nodes are numbered anew: node_to is to be filled. */
bool folding_begin_nodes(struct folding *f, struct sampled *from);

/* When node_to and set_to are whole. Cells without samples leave. */
bool folding_cells(struct folding *f);

/* The new cells, or cells and nodes, and the old ones change places. node_to and cell_to stay, for
 * who keeps numbers. */
void folding_replace_cells(struct folding *f);
void folding_replace(struct folding *f);

void folding_release(struct folding *f);
