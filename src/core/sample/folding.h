/*
 * folding: nodes and cells that are numbered anew, as forget.c and rare.c do: the new nodes are
 * made one by one, cells that come to the same node become one, and all that keeps numbers in
 * struct sampled changes them. Until folding_replace nothing changes.
 */
#ifndef PSUITE_CORE_SAMPLE_FOLDING_H
#define PSUITE_CORE_SAMPLE_FOLDING_H

#include "core/sample/sampled.h"

struct folding {
    struct sampled *from;
    struct intern nodes, cells;  /* the new ones */
    uint32_t *node_to, *cell_to; /* of each old one */
    uint32_t *cell_of;           /* when all are one set: of each new node, index + 1 */
    size_t cell_of_count;
};

/* False, and in the other calls too: no memory; release it then as well. */
bool folding_begin(struct folding *f, struct sampled *from);

/* When node_to is whole. */
bool folding_cells(struct folding *f);

/* The new ones and the old ones change places. node_to and cell_to stay, for who keeps numbers. */
void folding_replace(struct folding *f);

void folding_release(struct folding *f);

#endif
