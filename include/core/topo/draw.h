/*
 * draw: a topo as an image, a page, or data for other programs.
 *
 * Time runs from left to right: a column for each call depth, in it the functions whose least depth
 * that is. A line leads to each function from the one that topo_parent names; all relations only if
 * that is asked for. Lines are between the columns, or beside the functions: none crosses a name.
 *
 * The functions with most total time are drawn, with those on their way from the start. Others are
 * counted at the nearest one above them that is drawn, as "+37".
 */
#pragma once

#include "core/topo/topo.h"

struct buf;

enum { TOPO_DRAWN = 150 };

struct topo_options {
    const char *title;         /* of images and pages */
    const struct topo *before; /* the page compares with it; NULL: nothing */
    size_t limit;              /* functions drawn, of images; 0: all */
    bool all;                  /* draw all relations, of images */
};

/* 0 or -ENOMEM. */
int topo_write_svg(const struct topo *t, const struct topo_options *o, struct buf *out);
int topo_write_dot(const struct topo *t, const struct topo_options *o, struct buf *out);
int topo_write_json(const struct topo *t, const struct topo_options *o, struct buf *out);
int topo_write_page(const struct topo *t, const struct topo_options *o, struct buf *out);
