/* For Graphviz: the functions that an image has, in its colours; Graphviz places them. */
#include "core/base/buf.h"
#include "core/text/shown.h"
#include "core/topo/write.h"
#include "drawing.h"

#include <inttypes.h>

static void add_name(struct buf *out, const char *name)
{
    SCOPED_BUF shown = BUF_INIT;
    shown_adds(&shown, name);
    for (const char *at = buf_str(&shown); *at; at++) {
        if (*at == '"' || *at == '\\')
            buf_addc(out, '\\');
        buf_addc(out, *at);
    }
}

static void add_node(const struct drawing *d, size_t node, struct buf *out)
{
    const struct topo_function *f = &d->topo->function[d->function[node]];
    struct topo_look look = topo_look(f, d->longest);
    buf_printf(out, "n%zu [xlabel=\"", node);
    add_name(out, f->name);
    if (d->folded[node])
        buf_printf(out, " +%" PRIu32, d->folded[node]);
    buf_printf(out, "\", width=%.2f, color=\"", look.diameter / 100.0);
    drawing_colour(look.red, out);
    buf_adds(out, "\", fillcolor=\"");
    drawing_colour(look.red, out);
    buf_printf(out, "%02x\"];\n", (unsigned)(look.alpha * 255 + 0.5));
}

static void add_graph(const struct drawing *d, struct buf *out)
{
    buf_adds(out, "digraph topo {\nrankdir=LR; forcelabels=true;\n"
                  "node [shape=circle, fixedsize=true, style=filled, label=\"\"];\n");
    for (size_t i = 0; i < d->nodes; i++)
        add_node(d, i, out);
    for (size_t i = 0; i < d->edges; i++)
        buf_printf(out, "n%" PRIu32 " -> n%" PRIu32 "%s;\n", d->edge[i].from, d->edge[i].to,
                   d->first[i] ? "" : " [style=dashed, constraint=false]");
    buf_adds(out, "}\n");
}

int topo_write_dot(const struct topo *t, const struct topo_options *o, struct buf *out)
{
    SCOPED(drawing_release) struct drawing d;
    int r = drawing_make(&d, t, o);
    if (r == 0)
        add_graph(&d, out);
    return r ? r : buf_error(out);
}
