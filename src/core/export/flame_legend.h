/* flame_legend: the legend of colours, as a line of SVG. */
#pragma once

#include "flame_tree.h"

/* The modules and kinds of code with the most of their own, each with its share, as far as px
 * reaches; y: the line; hues: flame_hues. 0 or -ENOMEM. */
int flame_legend(struct buf *out, const struct flame_tree *t, const uint8_t *hues, int y,
                 double px);

/* The steps from less to more. */
void flame_scale(struct buf *out, int y);
