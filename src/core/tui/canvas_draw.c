#include "canvas_parts.h"
#include "core/text/rune.h"

#include <string.h>

static const struct style plain;

/* --- what is shown of a cell --- */

static struct style shown_style(struct style s, int colours)
{
    struct style to = {.attr = s.attr};
    if (s.fg != COLOUR_DEFAULT)
        to.fg = canvas_colour(s.fg, colours);
    if (s.bg != COLOUR_DEFAULT)
        to.bg = canvas_colour(s.bg, colours);
    if (colours == 0 && s.bg != COLOUR_DEFAULT)
        to.attr |= STYLE_REVERSE;
    return to;
}

/* Blanks look the same whatever colour their letters would have. */
static bool has_visible_blank(struct style s)
{
    return s.attr & (STYLE_REVERSE | STYLE_UNDERLINE);
}

struct cell canvas_shown(const struct cell *cell, const struct caps *caps)
{
    struct cell to = {cell->rune, shown_style(cell->style, caps->colours)};
    if (!caps->unicode && to.rune >= 0x80)
        to.rune = (uint32_t)canvas_substitute(to.rune);
    if (!caps->unicode && to.rune == 0)
        to.rune = ' ';
    if (to.rune == ' ' && !has_visible_blank(to.style))
        to.style = (struct style){.bg = to.style.bg};
    return to;
}

static bool is_same_cell(struct cell a, struct cell b)
{
    return a.rune == b.rune && canvas_same_style(a.style, b.style);
}

static bool is_blank(struct cell c)
{
    return c.rune == ' ' && canvas_same_style(c.style, plain);
}

/* --- writing --- */

/* Terminals disagree on the width of many characters; of these they do not. */
static bool width_is_sure(uint32_t rune)
{
    return rune < 0x250 || (rune >= 0x2500 && rune < 0x25A0) || rune >> 8 == 0x28;
}

/* A row being sent to the terminal. */
struct row {
    struct canvas *c;
    struct buf *out;
    int y;
    struct cell *shown;
    struct cell want[CANVAS_MAX_WIDTH];
};

static void write_rune(struct row *r, uint32_t rune)
{
    char bytes[RUNE_BYTES];
    buf_add(r->out, bytes, rune_encode(rune, bytes));
}

/* The pen that a cell is written, or left blank by erasing, with: a blank needs its background
 * only.
 */
static struct style pen_for(struct style pen, const struct cell *want)
{
    if (want->rune != ' ' || has_visible_blank(want->style) || has_visible_blank(pen))
        return want->style;
    return (struct style){pen.fg, want->style.bg, pen.attr};
}

static bool can_write_with(struct style pen, const struct cell *want)
{
    return canvas_same_style(pen, pen_for(pen, want));
}

static void set_pen_for(struct row *r, const struct cell *want)
{
    struct style to = pen_for(r->c->pen.style, want);
    canvas_pen(r->c->pen.style, to, r->out);
    r->c->pen.style = to;
}

/* Bytes of the cells from the cursor to x written again, when that needs nothing else; most + 1
 * when it does or is longer. */
static size_t rewrite_cost(const struct row *r, int x, size_t max_cost)
{
    size_t cost = 0;
    char bytes[RUNE_BYTES];
    for (int i = r->c->pen.x; i < x && cost <= max_cost; i++) {
        const struct cell *w = &r->want[i];
        if (w->rune == 0 || rune_width(w->rune) != 1 || !width_is_sure(w->rune) ||
            !can_write_with(r->c->pen.style, w))
            return max_cost + 1;
        cost += rune_encode(w->rune, bytes);
    }
    return cost;
}

static bool rewrite_cells(struct row *r, int x, size_t max_cost)
{
    if (r->c->pen.x < 0 || r->c->pen.y != r->y || r->c->pen.x >= x ||
        rewrite_cost(r, x, max_cost) > max_cost)
        return false;
    for (int i = r->c->pen.x; i < x; i++)
        write_rune(r, r->want[i].rune);
    return true;
}

static void move_to(struct row *r, int x)
{
    char seq[CANVAS_MOVE_BYTES];
    size_t n = canvas_move(r->c->pen.x, r->c->pen.y, x, r->y, seq);
    if (!rewrite_cells(r, x, n))
        buf_add(r->out, seq, n);
    r->c->pen.x = x;
    r->c->pen.y = r->y;
}

/* Beyond the last column a cursor waits in various ways. */
static void advance_cursor(struct row *r, int x, uint32_t rune)
{
    r->c->pen.x = x < r->c->width && width_is_sure(rune) ? x : -1;
}

/* Returns the column after it. */
static int write_cell(struct row *r, int x)
{
    const struct cell *w = &r->want[x];
    int width = x + 1 < r->c->width && r->want[x + 1].rune == 0 ? 2 : 1;
    move_to(r, x);
    set_pen_for(r, w);
    write_rune(r, w->rune);
    memcpy(r->shown + x, w, (size_t)width * sizeof *w);
    advance_cursor(r, x + width, w->rune);
    return x + width;
}

static void erase_rest(struct row *r, int x)
{
    move_to(r, x);
    set_pen_for(r, &r->want[x]); /* the erased cells take its background on some terminals */
    buf_adds(r->out, "\033[K");
    memcpy(r->shown + x, r->want + x, (size_t)(r->c->width - x) * sizeof *r->shown);
}

/* --- a row --- */

static int blank_from(const struct row *r)
{
    int x = r->c->width;
    while (x > 0 && is_blank(r->want[x - 1]))
        x--;
    return x;
}

static int last_changed(const struct row *r)
{
    int x = r->c->width;
    while (x > 0 && is_same_cell(r->want[x - 1], r->shown[x - 1]))
        x--;
    return x - 1;
}

static void draw_row(struct row *r)
{
    enum { ERASE_BYTES = 3 };
    int last = last_changed(r), tail = last < 0 ? 0 : blank_from(r);
    for (int x = 0; x <= last;) {
        if (is_same_cell(r->want[x], r->shown[x]))
            x++;
        else if (x >= tail && last - x >= ERASE_BYTES) {
            erase_rest(r, x);
            return;
        } else
            x = write_cell(r, x);
    }
}

/* --- canvas --- */

static void clear_screen(struct canvas *c, struct buf *out)
{
    size_t n = (size_t)c->width * (size_t)c->height;
    buf_adds(out, "\033[m\033[H\033[J");
    for (size_t i = 0; i < n; i++)
        c->shown[i] = (struct cell){' ', plain};
    c->pen.x = c->pen.y = 0;
    c->pen.style = plain;
    c->known = true;
}

void canvas_draw(struct canvas *c, const struct caps *caps, struct buf *out)
{
    struct row r = {.c = c, .out = out};
    if (!c->known)
        clear_screen(c, out);
    for (r.y = 0; r.y < c->height; r.y++) {
        size_t at = (size_t)r.y * (size_t)c->width;
        r.shown = c->shown + at;
        for (int x = 0; x < c->width; x++)
            r.want[x] = canvas_shown(&c->cell[at + (size_t)x], caps);
        draw_row(&r);
    }
    if (buf_error(out))
        canvas_forget(c);
}

void canvas_forget(struct canvas *c)
{
    c->known = false;
}

const char *canvas_enter(bool mouse)
{
    return mouse ? "\033[?1049h\033[?25l\033[?7l\033[?2004l\033[?1000h\033[?1006h"
                 : "\033[?1049h\033[?25l\033[?7l\033[?2004l";
}

const char *canvas_leave(void)
{
    return "\033[?1006l\033[?1000l\033[m\033[?7h\033[?25h\033[999H\r\n\033[?1049l";
}
