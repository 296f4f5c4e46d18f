/* A flame graph as one self-contained SVG file. Each box is an element with its details as title,
 * so that the graph is complete in a viewer without scripts; in a browser
 * src/core/export/flame/flame.js adds zoom, search and keys. The script reads the boxes from the
 * SVG. */
#include "write.h"

#include "core/export/flame_parts.h"
#include "core/text/page_shared.h"
#include "core/text/xml.h"
#include "flame_colour.h"
#include "flame_layout.h"
#include "flame_legend.h"
#include "flame_text.h"

#include "core/base/buf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* In pixels. Boxes from EDGED on are set off from their neighbours. */
enum {
    MARGIN = 10,
    PAGE = FLAME_WIDTH + 2 * MARGIN,
    TOP = 76,
    BOTTOM = 10,
    PADDING = 3,
    EDGED = 3
};

struct page {
    const struct stacks *s, *before;
    struct flame_tree tree;
    struct flame_layout layout;
    uint8_t *hues;
    struct buf *out;
};

/* --- a box --- */

/* A coordinate, to a thousandth, as short as it can be. */
static void add_px(struct buf *out, const char *name, double px)
{
    char text[32];
    int len = snprintf(text, sizeof text, "%.3f", px);
    while (text[len - 1] == '0')
        len--;
    len -= text[len - 1] == '.';
    buf_printf(out, " %s=\"%.*s\"", name, len, text);
}

static void add_shares(struct page *p, uint32_t node, enum flame_value v)
{
    flame_pct(p->out, p->tree.sums[v].total[node], p->tree.total[v]);
    buf_adds(p->out, " of all; self ");
    flame_pct(p->out, p->tree.sums[v].self[node], p->tree.total[v]);
}

/* Where the code is: "MODULE FILE:LINE inlined", as far as known. */
static void add_place(struct page *p, uint32_t node)
{
    const struct stacks *s = &p->tree.stacks;
    const struct flame_place *place = &p->tree.place[node];
    xml_adds(p->out, stacks_module_name(s, stacks_function_of(s, node)));
    if (place->file[0]) {
        buf_addc(p->out, ' ');
        xml_adds(p->out, place->file);
    }
    if (place->file[0] && place->line)
        buf_printf(p->out, ":%" PRIu32, place->line);
    if (s->frame[s->node[node].frame].inlined)
        buf_adds(p->out, " inlined");
}

static void add_title(struct page *p, uint32_t node)
{
    buf_adds(p->out, "<title>");
    xml_adds(p->out, stacks_function_of(&p->tree.stacks, node)->name);
    buf_addc(p->out, '\n');
    add_place(p, node);
    buf_addc(p->out, '\n');
    flame_amounts(p->out, p->s, p->tree.sums[FLAME_COUNT].total[node],
                  p->tree.sums[FLAME_WEIGHT].total[node]);
    buf_adds(p->out, ", ");
    add_shares(p, node, FLAME_WEIGHT);
    if (p->before) {
        buf_adds(p->out, "\nbefore ");
        add_shares(p, node, FLAME_WEIGHT_BEFORE);
    }
    buf_adds(p->out, "</title>");
}

static void add_label(struct buf *out, const char *name, double x, double width)
{
    SCOPED_BUF label = BUF_INIT;
    if (flame_fit(&label, name, width - 2 * PADDING)) {
        buf_adds(out, "<text");
        add_px(out, "x", x + PADDING);
        buf_printf(out, " y=\"12\">%s</text>", buf_str(&label));
    }
}

static void open_box(struct buf *out, const char *colour, bool inlined, double x, double width)
{
    buf_printf(out, "<rect class=\"%s%s%s\"", colour, inlined ? " inlined" : "",
               width < EDGED ? "" : " edge");
    add_px(out, "x", x);
    add_px(out, "width", width);
    buf_printf(out, " height=\"%d\">", FLAME_ROW - 1);
}

static void add_box(struct page *p, const struct flame_box *box)
{
    const struct stacks *s = &p->tree.stacks;
    const struct stacks_function *f = stacks_function_of(s, box->node);
    const char *colour = p->before ? flame_change(&p->tree, box->node, p->s->origin.period > 0)
                                   : flame_colour(f, p->hues);
    bool inlined = !p->before && s->frame[s->node[box->node].frame].inlined;
    open_box(p->out, colour, inlined, box->x, box->width);
    add_title(p, box->node);
    buf_adds(p->out, "</rect>");
    add_label(p->out, f->name, box->x, box->width);
    buf_addc(p->out, '\n');
}

/* --- the rows --- */

static void add_whole(struct page *p)
{
    open_box(p->out, "all", false, 0, FLAME_WIDTH);
    buf_adds(p->out, "<title>all\n\n");
    flame_amounts(p->out, p->s, p->tree.total[FLAME_COUNT], p->tree.total[FLAME_WEIGHT]);
    buf_adds(p->out, "</title></rect>");
    add_label(p->out, "all", 0, FLAME_WIDTH);
    buf_addc(p->out, '\n');
}

static int height_of(const struct page *p)
{
    return TOP + (int)p->layout.rows * FLAME_ROW + BOTTOM;
}

static void open_row(struct page *p, size_t row)
{
    buf_printf(p->out, "<g transform=\"translate(%d,%d)\">\n", MARGIN,
               TOP + (int)(p->layout.rows - 1 - row) * FLAME_ROW);
}

static void add_rows(struct page *p)
{
    size_t row = 0;
    buf_adds(p->out, "<g class=\"rows\">\n");
    open_row(p, row);
    add_whole(p);
    for (size_t i = 0; i < p->layout.boxes; i++) {
        for (; row < p->layout.box[i].row; row++) {
            buf_adds(p->out, "</g>\n");
            open_row(p, row + 1);
        }
        add_box(p, &p->layout.box[i]);
    }
    buf_adds(p->out, "</g>\n</g>\n");
}

/* --- the head --- */

static void add_name(struct page *p)
{
    xml_adds(p->out, p->s->origin.applet);
    buf_adds(p->out, p->s->origin.applet[0] && p->s->origin.method[0] ? ": " : "");
    xml_adds(p->out, p->s->origin.method);
    if (p->before)
        buf_adds(p->out, ", compared");
}

static int add_before(struct page *p)
{
    struct flame_vanished gone;
    int r = flame_tree_vanished(&p->tree, &gone);
    buf_adds(p->out, "; before: ");
    flame_amounts(p->out, p->before, p->tree.total[FLAME_COUNT_BEFORE],
                  p->tree.total[FLAME_WEIGHT_BEFORE]);
    buf_adds(p->out, "; percentages are of each profile's own total");
    if (r == 0 && gone.functions) {
        buf_adds(p->out, "; ");
        flame_number(p->out, gone.functions);
        buf_printf(p->out, " function%s vanished, ", gone.functions == 1 ? "" : "s");
        flame_pct(p->out, gone.weight, p->tree.total[FLAME_WEIGHT_BEFORE]);
        buf_adds(p->out, " before");
    }
    return r;
}

static void add_left_out(struct page *p)
{
    buf_adds(p->out, "; ");
    flame_number(p->out, p->layout.left_out);
    buf_printf(p->out, " frame%s not drawn, ", p->layout.left_out == 1 ? "" : "s");
    buf_adds(p->out, p->layout.left_out == 1 ? "" : "the widest ");
    flame_pct(p->out, p->layout.widest, p->tree.total[FLAME_WEIGHT]);
}

/* How much was measured, and what is missing. */
static int add_facts(struct page *p)
{
    int r = 0;
    flame_amounts(p->out, p->s, p->tree.total[FLAME_COUNT], p->tree.total[FLAME_WEIGHT]);
    if (p->s->origin.lost) {
        buf_adds(p->out, "; ");
        flame_number(p->out, p->s->origin.lost);
        buf_adds(p->out, " lost");
    }
    if (p->before)
        r = add_before(p);
    if (p->layout.left_out)
        add_left_out(p);
    return r;
}

static int add_head(struct page *p)
{
    int r;
    buf_printf(p->out,
               "<g class=\"head\">\n<rect class=\"paper\" width=\"100%%\" height=\"%d\"/>\n",
               TOP - 6);
    buf_printf(p->out, "<text class=\"title\" x=\"%d\" y=\"24\">", MARGIN);
    add_name(p);
    buf_printf(p->out, "</text>\n<text class=\"small\" x=\"%d\" y=\"43\">", MARGIN);
    r = add_facts(p);
    buf_adds(p->out, "</text>\n");
    if (r == 0 && p->before)
        flame_scale(p->out, 61);
    else if (r == 0 && p->tree.total[FLAME_WEIGHT])
        r = flame_legend(p->out, &p->tree, p->hues, 61, PAGE);
    buf_adds(p->out, "</g>\n");
    return r;
}

/* --- the file --- */

static void add_element(struct buf *out, const char *name, const struct page_text *text)
{
    buf_printf(out, "<%s><![CDATA[\n", name);
    page_add(out, text);
    buf_printf(out, "]]></%s>\n", name);
}

static int add_page(struct page *p)
{
    buf_printf(p->out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"%d\" "
               "height=\"%d\" viewBox=\"0 0 %d %d\" data-top=\"%d\" data-row=\"%d\" "
               "data-width=\"%d\">\n<title>",
               PAGE, height_of(p), PAGE, height_of(p), TOP, FLAME_ROW, FLAME_WIDTH);
    add_name(p);
    buf_adds(p->out, "</title>\n");
    add_element(p->out, "style", &flame_css);
    buf_adds(p->out, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    if (p->tree.total[FLAME_WEIGHT])
        add_rows(p);
    else
        buf_printf(p->out, "<text class=\"none\" x=\"%d\" y=\"%d\">nothing was counted</text>\n",
                   MARGIN, TOP + 12);
    int r = add_head(p);
    add_element(p->out, "script", &page_shared_js);
    add_element(p->out, "script", &flame_js);
    buf_adds(p->out,
             "<script>psuite.flame(document.currentScript.closest(\"svg\"));</script>\n</svg>\n");
    return r;
}

int write_flame(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    struct page p = {.s = s, .before = before, .out = out};
    int r = flame_tree_init(&p.tree, s, before);
    if (r == 0)
        r = flame_layout_init(&p.layout, &p.tree);
    if (r == 0)
        r = (p.hues = flame_hues(&p.tree)) ? add_page(&p) : -ENOMEM;
    free(p.hues);
    flame_layout_release(&p.layout);
    flame_tree_release(&p.tree);
    return r ? r : buf_error(out);
}
