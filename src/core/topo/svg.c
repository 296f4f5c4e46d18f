/* The image: columns of circles with their names, and lines between the columns. */
#include "core/base/buf.h"
#include "core/text/counted.h"
#include "core/text/name_fit.h"
#include "core/text/xml.h"
#include "core/topo/write.h"
#include "drawing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { MARGIN = 16, TITLE = 44, GUTTER = 56, SPACE = 6, LETTER = 7, NAME_COLUMNS = 40 };

struct column {
    int64_t start, end; /* with the names */
    unsigned diameter;  /* the largest */
};

struct image {
    const struct drawing *d;
    const struct topo_options *o;
    struct column *column;
    int64_t width;
    struct buf *out;
};

/* --- names and where they end --- */

static void add_label(const struct image *m, size_t node, struct buf *out)
{
    const struct drawing *d = m->d;
    name_fit(out, d->topo->function[d->function[node]].name, NAME_COLUMNS);
    if (d->folded[node])
        buf_printf(out, " +%" PRIu32, d->folded[node]);
}

static int64_t label_width(const struct image *m, size_t node)
{
    SCOPED_BUF label = BUF_INIT;
    add_label(m, node, &label);
    return (int64_t)text_columns(buf_str(&label), label.len) * LETTER;
}

static unsigned diameter_of(const struct drawing *d, size_t node)
{
    return topo_look(&d->topo->function[d->function[node]], d->longest).diameter;
}

static int set_image_columns(struct image *m)
{
    const struct drawing *d = m->d;
    m->column = calloc((size_t)d->columns + 1, sizeof *m->column);
    if (!m->column)
        return -ENOMEM;
    for (size_t i = 0; i < d->nodes; i++) {
        struct column *c = &m->column[d->place[i].layer];
        unsigned diameter = diameter_of(d, i);
        int64_t width = label_width(m, i);
        c->diameter = diameter > c->diameter ? diameter : c->diameter;
        c->end = width > c->end ? width : c->end;
    }
    m->width = MARGIN;
    for (size_t k = 0; k < d->columns; k++) {
        struct column *c = &m->column[k];
        c->start = m->width;
        c->end += c->start + c->diameter + SPACE;
        m->width = c->end + GUTTER;
    }
    m->width += MARGIN - GUTTER;
    return 0;
}

static int64_t node_y(const struct image *m, size_t node)
{
    return TITLE + m->d->place[node].at;
}

static const struct column *column_of(const struct image *m, size_t node)
{
    return &m->column[m->d->place[node].layer];
}

static int64_t label_start(const struct image *m, size_t node)
{
    const struct column *c = column_of(m, node);
    return c->start + c->diameter / 2 + diameter_of(m->d, node) / 2 + SPACE;
}

/* --- lines --- */

static void curve_to(struct image *m, int64_t from, int64_t from_y, int64_t to, int64_t to_y)
{
    int64_t middle = (from + to) / 2;
    buf_printf(m->out, "C%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
               middle, from_y, middle, to_y, to, to_y);
}

/* Between two columns: on a level from the name's end, then by the bends. */
static void add_way(struct image *m, const struct layout_edge *e, uint32_t left, uint32_t right)
{
    uint32_t k = m->d->place[left].layer;
    int64_t y = node_y(m, left), x = m->column[k].end;
    buf_printf(m->out, "M%" PRId64 " %" PRId64 "H%" PRId64,
               label_start(m, left) + label_width(m, left) + SPACE / 2, y, x);
    for (size_t i = 0; i < e->bends; i++) {
        int64_t bend = TITLE + m->d->layout.bend[e->first_bend + i];
        curve_to(m, x, y, m->column[++k].start, bend);
        x = m->column[k].end;
        y = bend;
        buf_printf(m->out, "H%" PRId64, x);
    }
    const struct column *last = column_of(m, right);
    curve_to(m, x, y, last->start, node_y(m, right));
    buf_printf(m->out, "H%" PRId64,
               last->start + last->diameter / 2 - diameter_of(m->d, right) / 2);
}

/* In one column: around the ends of the names. */
static void add_bow(struct image *m, uint32_t from, uint32_t to)
{
    int64_t end = column_of(m, from)->end, out = end + GUTTER / 2;
    buf_printf(m->out,
               "M%" PRId64 " %" PRId64 "H%" PRId64 "C%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
               " %" PRId64 " %" PRId64 "H%" PRId64,
               label_start(m, from) + label_width(m, from) + SPACE / 2, node_y(m, from), end, out,
               node_y(m, from), out, node_y(m, to), end, node_y(m, to),
               label_start(m, to) + label_width(m, to) + SPACE / 2);
}

static void add_edge(struct image *m, size_t i)
{
    const struct layout_edge *e = &m->d->edge[i];
    uint32_t from = m->d->place[e->from].layer, to = m->d->place[e->to].layer;
    buf_printf(m->out, "<path class=\"%s\" d=\"",
               m->d->first[i] ? "first"
               : from < to    ? "other"
               : from > to    ? "other back"
                              : "other");
    if (from == to)
        add_bow(m, e->from, e->to);
    else
        add_way(m, e, from < to ? e->from : e->to, from < to ? e->to : e->from);
    buf_adds(m->out, "\"/>\n");
}

/* --- functions --- */

static void add_tooltip(struct image *m, const struct topo_function *f)
{
    buf_adds(m->out, "<title>");
    xml_adds(m->out, f->name);
    buf_adds(m->out, ": total ");
    drawing_amount(m->d->topo, f->total, m->out);
    buf_adds(m->out, ", local ");
    drawing_amount(m->d->topo, f->local, m->out);
    if (f->calls)
        buf_printf(m->out, ", %s", counted(f->calls, "call").text);
    buf_adds(m->out, "</title>");
}

static void add_circle(struct image *m, size_t node, const struct topo_look *look)
{
    const struct column *c = column_of(m, node);
    buf_printf(m->out, "<circle cx=\"%" PRId64 "\" cy=\"%" PRId64 "\" r=\"%u.%u\" fill=\"",
               c->start + c->diameter / 2, node_y(m, node), look->diameter / 2,
               look->diameter % 2 * 5);
    drawing_colour(look->red, m->out);
    buf_adds(m->out, "\" stroke=\"");
    drawing_colour(look->red, m->out);
    buf_printf(m->out, "\" fill-opacity=\"%.6f\"/>", look->alpha);
}

static void add_node(struct image *m, size_t node)
{
    const struct topo_function *f = &m->d->topo->function[m->d->function[node]];
    struct topo_look look = topo_look(f, m->d->longest);
    SCOPED_BUF name = BUF_INIT;
    name_fit(&name, f->name, NAME_COLUMNS);
    buf_adds(m->out, "<g>");
    add_tooltip(m, f);
    add_circle(m, node, &look);
    buf_printf(m->out, "<text x=\"%" PRId64 "\" y=\"%" PRId64 "\" textLength=\"%" PRId64 "\">",
               label_start(m, node), node_y(m, node) + 4, label_width(m, node));
    xml_adds(m->out, buf_str(&name));
    if (m->d->folded[node])
        buf_printf(m->out, "<tspan class=\"folded\"> +%" PRIu32 "</tspan>", m->d->folded[node]);
    buf_adds(m->out, "</text></g>\n");
}

/* --- the whole --- */

static const char style[] =
    "<style>\n:root { color-scheme: light dark; --paper: #fff; --ink: #1f2328; --quiet: #59636e; "
    "--line: #a5adb8; }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #14161b; --ink: #e6e8ee; --quiet: "
    "#98a1b0; --line: #5b6470; } }\n"
    "text { font: 12px ui-monospace, monospace; fill: var(--ink); }\n"
    ".title { font: 600 15px system-ui, sans-serif; }\n.folded, .quiet { fill: var(--quiet); }\n"
    ".quiet { font: 12px system-ui, sans-serif; }\n"
    "path { fill: none; stroke: var(--line); }\n"
    ".other { stroke-dasharray: 3 3; marker-end: url(#head); }\n"
    ".back { marker-start: url(#head); marker-end: none; }\n"
    "#head path { fill: var(--line); stroke: none; }\n</style>\n"
    "<defs><marker id=\"head\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"6\" "
    "markerHeight=\"6\" orient=\"auto-start-reverse\"><path d=\"M0 0L6 3L0 6Z\"/></marker></defs>\n"
    "<rect width=\"100%\" height=\"100%\" fill=\"var(--paper)\"/>\n";

static void add_title(struct image *m)
{
    const struct topo *t = m->d->topo;
    buf_printf(m->out, "<text class=\"title\" x=\"%d\" y=\"20\">", MARGIN);
    xml_adds(m->out, m->o->title);
    buf_printf(m->out, "</text><text class=\"quiet\" x=\"%d\" y=\"37\">%s", MARGIN,
               counted(t->functions, "function").text);
    if (t->runs)
        buf_printf(m->out, ", %s", counted(t->runs, "run").text);
    if (m->d->left_out)
        buf_printf(m->out, ", %" PRIu32 " not shown", m->d->left_out);
    buf_adds(m->out, "</text>\n");
}

static void add_image(struct image *m)
{
    int64_t width = m->width < 240 ? 240 : m->width;
    int64_t height = TITLE + m->d->layout.extent + MARGIN;
    buf_printf(m->out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRId64 "\" height=\"%" PRId64
               "\" viewBox=\"0 0 %" PRId64 " %" PRId64 "\">\n",
               width, height, width, height);
    buf_adds(m->out, style);
    add_title(m);
    for (size_t i = 0; i < m->d->edges; i++)
        add_edge(m, i);
    for (size_t i = 0; i < m->d->nodes; i++)
        add_node(m, i);
    buf_adds(m->out, "</svg>\n");
}

int topo_write_svg(const struct topo *t, const struct topo_options *o, struct buf *out)
{
    SCOPED(drawing_release) struct drawing d;
    struct image m = {.d = &d, .o = o, .out = out};
    int r = drawing_make(&d, t, o);
    if (r == 0)
        r = set_image_columns(&m);
    if (r == 0)
        add_image(&m);
    free(m.column);
    return r ? r : buf_error(out);
}
