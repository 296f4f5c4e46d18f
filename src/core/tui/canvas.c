#include "core/tui/styles.h"

#include "core/text/name_fit.h"
#include "core/text/rune.h"
#include "core/text/shown.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cell blank = {' ', {0}};

/* --- its life --- */

static int clamp_int(int n, int low, int high)
{
    return n < low ? low : n > high ? high : n;
}

void canvas_release(struct canvas *c)
{
    free(c->cell);
    free(c->shown);
    *c = (struct canvas){0};
}

int canvas_resize(struct canvas *c, int width, int height)
{
    width = clamp_int(width, 0, CANVAS_MAX_WIDTH);
    height = clamp_int(height, 0, CANVAS_MAX_HEIGHT);
    size_t n = (size_t)width * (size_t)height;
    struct cell *cell = calloc(n + 1, sizeof *cell), *shown = calloc(n + 1, sizeof *shown);
    if (!cell || !shown) {
        free(cell);
        free(shown);
        return -ENOMEM;
    }
    canvas_release(c);
    *c = (struct canvas){.width = width, .height = height, .cell = cell, .shown = shown};
    canvas_unclip(c);
    canvas_clear(c);
    return 0;
}

/* --- the clip --- */

static int end_of(int start, int length)
{
    int end;
    if (length <= 0)
        return start;
    return __builtin_add_overflow(start, length, &end) ? INT_MAX : end;
}

static struct canvas_rect intersect_rects(struct canvas_rect a, struct canvas_rect b)
{
    int right = clamp_int(end_of(a.x, a.width), INT_MIN, end_of(b.x, b.width));
    int low = clamp_int(end_of(a.y, a.height), INT_MIN, end_of(b.y, b.height));
    struct canvas_rect r = {.x = a.x > b.x ? a.x : b.x, .y = a.y > b.y ? a.y : b.y};
    r.width = right > r.x ? right - r.x : 0;
    r.height = low > r.y ? low - r.y : 0;
    return r;
}

void canvas_unclip(struct canvas *c)
{
    c->clip = (struct canvas_rect){0, 0, c->width, c->height};
}

void canvas_clip(struct canvas *c, int x, int y, int width, int height)
{
    canvas_unclip(c);
    c->clip = intersect_rects(c->clip, (struct canvas_rect){x, y, width, height});
}

/* --- cells --- */

static struct cell *row_at(struct canvas *c, int y)
{
    return c->cell + (size_t)y * (size_t)c->width;
}

/* A wide character that begins left of x and ends at or right of it becomes two blanks. */
static void split_wide(struct canvas *c, int x, int y)
{
    struct cell *row = row_at(c, y);
    if (x > 0 && x < c->width && row[x].rune == 0)
        row[x - 1].rune = row[x].rune = ' ';
}

static uint32_t sanitize_rune(uint32_t rune)
{
    if (rune == '\t')
        return ' ';
    if (!shown_is_safe(rune))
        return '?';
    return rune > RUNE_LAST || (rune >= 0xD800 && rune < 0xE000) ? RUNE_BAD : rune;
}

/* All cells of the rectangle become to, or only take its style when the rune is 0. */
static void fill_rect(struct canvas *c, struct canvas_rect r, struct cell to)
{
    r = intersect_rects(c->clip, r);
    for (int y = r.y; r.width && y < r.y + r.height; y++) {
        struct cell *row = row_at(c, y);
        split_wide(c, r.x, y);
        split_wide(c, r.x + r.width, y);
        for (int x = r.x; x < r.x + r.width; x++)
            row[x] = (struct cell){to.rune ? to.rune : row[x].rune, to.style};
    }
}

void canvas_clear(struct canvas *c)
{
    fill_rect(c, c->clip, blank);
}

void canvas_fill(struct canvas *c, int x, int y, int width, int height, struct style style,
                 uint32_t rune)
{
    rune = sanitize_rune(rune);
    if (rune_width(rune) != 1)
        rune = ' ';
    fill_rect(c, (struct canvas_rect){x, y, width, height}, (struct cell){rune, style});
}

void canvas_hline(struct canvas *c, int x, int y, int width, struct style style)
{
    canvas_fill(c, x, y, width, 1, style, 0x2500);
}

void canvas_restyle(struct canvas *c, int x, int y, int width, int height, struct style style)
{
    fill_rect(c, (struct canvas_rect){x, y, width, height}, (struct cell){0, style});
}

/* --- text --- */

/* Of a character that is cut, the part within the clip is blank. */
static void put_rune(struct canvas *c, int x, int y, struct style style, uint32_t rune, int width)
{
    struct canvas_rect r = intersect_rects(c->clip, (struct canvas_rect){x, y, width, 1});
    if (r.width == 0 || r.height == 0)
        return;
    fill_rect(c, r, (struct cell){r.width == width ? rune : ' ', style});
    if (width == 2 && r.width == 2)
        row_at(c, y)[x + 1].rune = 0;
}

int canvas_put(struct canvas *c, int x, int y, struct style style, const char *text)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len && x < INT_MAX - 2;) {
        uint32_t rune = RUNE_BAD;
        size_t n = rune_decode(text + i, len - i, &rune);
        rune = sanitize_rune(rune);
        int width = rune_width(rune);
        if (width)
            put_rune(c, x, y, style, rune, width);
        x += width;
        i += n ? n : len - i;
    }
    return x;
}

int canvas_printf(struct canvas *c, int x, int y, struct style style, const char *fmt, ...)
{
    char text[CANVAS_MAX_WIDTH + 1];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return n < 0 ? x : canvas_put(c, x, y, style, text);
}

int canvas_put_name(struct canvas *c, int x, int y, const struct canvas_name *n)
{
    static const char *const forms[] = {"", " %s", " [%s]"};
    const char *name = n->name ? n->name : "?", *module = n->module ? n->module : "";
    const char *form = forms[!*module ? 0 : *module == '[' ? 1 : 2];
    size_t brackets = strlen(form) - strlen(*module ? "%s" : "");
    size_t taken = (size_t)x + brackets + text_columns(module, strlen(module));
    size_t width = (size_t)c->width;
    SCOPED_BUF fitting = BUF_INIT;
    name_fit_match(&fitting, name, n->match, width > taken ? width - taken : 1);
    x = canvas_put(c, x, y, n->style, buf_str(&fitting));
    if (*module)
        x = canvas_printf(c, x, y, quiet, form, module);
    return x;
}
