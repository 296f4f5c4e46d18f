#include "core/base/buf.h"
#include "core/text/counted.h"
#include "core/topo/view.h"
#include "core/topo/write.h"
#include "core/tui/styles.h"
#include "drawing.h"

#include <inttypes.h>

enum { NUMBERS = 30 }; /* columns before the name */

static const struct style bar = {.fg = COLOUR_WHITE, .bg = COLOUR_BLUE, .attr = STYLE_BOLD};

/* Green, yellow or red, by its share of the longest time. */
static struct style style_of(const struct topo_view *v, const struct topo_function *f)
{
    double red = topo_look(f, topo_longest(v->topo)).red;
    return (struct style){.fg = red > 0.5 ? COLOUR_RED : red > 0.1 ? COLOUR_YELLOW : COLOUR_GREEN};
}

/* A time that is not known is that of all calls of the function, in grey. */
static void draw_row(const struct topo_view *v, size_t row, struct canvas *c, int y)
{
    const struct topo_view_row *r = &v->row[row];
    const struct topo_function *f = &v->topo->function[r->function];
    SCOPED_BUF amount = BUF_INIT;
    drawing_amount(v->topo, r->total, &amount);
    canvas_printf(c, 0, y, r->known ? plain : grey, "%12s %10" PRIu64, buf_str(&amount), r->calls);
    canvas_put_name(c, NUMBERS, y, &(struct canvas_name){f->name, "", "", style_of(v, f)});
    if (row == v->list.cursor)
        canvas_restyle(c, 0, y, c->width, 1, marked);
}

/* Rows from..to, of which `room' fit: those around the cursor. The first is at y. */
static void draw_rows(const struct topo_view *v, size_t from, size_t to, struct canvas *c, int y,
                      int room)
{
    size_t count = to - from, fit = room > 0 ? (size_t)room : 0, first = from;
    if (count > fit && v->list.cursor >= from && v->list.cursor < to &&
        v->list.cursor - from >= fit)
        first = v->list.cursor - fit + 1;
    for (size_t i = first; i < to && i - first < fit; i++)
        draw_row(v, i, c, y + (int)(i - first));
}

static void draw_function(const struct topo_view *v, struct canvas *c, int y)
{
    const struct topo_function *f = &v->topo->function[v->function];
    SCOPED_BUF text = BUF_INIT;
    drawing_amount(v->topo, f->total, &text);
    buf_adds(&text, ", local ");
    drawing_amount(v->topo, f->local, &text);
    if (f->calls)
        buf_printf(&text, ", %s", counted(f->calls, "call").text);
    if (f->longest) {
        buf_adds(&text, " of ");
        drawing_amount(v->topo, f->shortest, &text);
        buf_adds(&text, " to ");
        drawing_amount(v->topo, f->longest, &text);
    }
    canvas_fill(c, 0, y, c->width, 1, bar, ' ');
    canvas_put_name(c, 1, y, &(struct canvas_name){f->name, "", "", bar});
    canvas_printf(c, 1, y + 1, plain, "%s", buf_str(&text));
}

static void draw_status(const struct topo_view *v, struct canvas *c)
{
    int y = c->height - 1;
    if (v->typing)
        canvas_printf(c, 1, y, plain, "/%s", v->search);
    else if (v->said[0])
        canvas_put(c, 1, y, plain, v->said);
    else
        canvas_put(c, 1, y, grey,
                   "Enter: go there  Backspace: back  s: start  / n: search  q: quit");
}

void topo_view_draw(const struct topo_view *v, struct canvas *c)
{
    int room = c->height - 5, callers = (int)(v->callers < 1000 ? v->callers : 1000);
    int callees = v->list.count - v->callers < 1000 ? (int)(v->list.count - v->callers) : 1000;
    int above = callers + callees <= room ? callers
                : callees < room / 2      ? room - callees
                                          : room / 2;
    above = above < 0 ? 0 : above > callers ? callers : above;
    canvas_clear(c);
    canvas_printf(c, 0, 0, grey, "%s above, %s below: total, calls, function",
                  counted(v->callers, "caller").text,
                  counted(v->list.count - v->callers, "callee").text);
    draw_rows(v, 0, v->callers, c, 1, above);
    draw_function(v, c, 1 + above);
    draw_rows(v, v->callers, v->list.count, c, 3 + above, c->height - 4 - above);
    draw_status(v, c);
}
