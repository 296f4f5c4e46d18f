/*
 * flame_layout: which frames of a flame graph are drawn, and where.
 *
 * One row per level, the outermost frames in row 1 (row 0 is the total). A frame is as wide as its
 * share; callees are drawn from left to right in the order of their names, then modules, so that
 * two graphs of one program look alike; what a frame spent itself is at its right, below nothing.
 *
 * Frames too small to see are left out and counted: those narrower than FLAME_MIN_WIDTH, and,
 * so that the file opens at once, the narrowest past FLAME_MAX_BYTES and
 * those above FLAME_MAX_ROWS. A frame is only left out with all that it calls.
 */
#pragma once

#include "flame_tree.h"

/* In pixels, but for bytes and rows. */
#define FLAME_MIN_WIDTH 0.3
enum {
    FLAME_WIDTH = 1180, /* of the total */
    FLAME_ROW = 16,
    FLAME_MAX_ROWS = 2000,
    FLAME_MAX_BYTES = 400 * 1024, /* of all boxes as text, about */
    FLAME_BOX_BYTES = 125         /* of one, but for its names */
};

struct flame_box {
    uint32_t node, row;
    double x, width; /* from the left edge */
};

struct flame_layout {
    struct flame_box *box; /* by row, then from left to right */
    size_t boxes, rows;    /* rows: with row 0, 1 at least */
    size_t left_out;       /* frames that have a share and are not drawn */
    uint64_t widest;       /* the most that one of these weighs */
};

/* 0 or -ENOMEM; release l either way. */
int flame_layout_init(struct flame_layout *l, const struct flame_tree *t);
void flame_layout_release(struct flame_layout *l);
