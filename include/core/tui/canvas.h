/*
 * canvas: the cells of a live view, and the bytes that update a terminal from the last frame to
 * this one.
 *
 *     canvas_resize(&c, 80, 24);
 *     canvas_clear(&c);
 *     canvas_put(&c, 0, 0, bold, "tprof");      draw the whole frame, as often as you like;
 *     canvas_draw(&c, &caps, &out);             only what changed becomes bytes
 *
 * Cells are counted from the upper left one, (0, 0). What falls outside the clip rectangle, or the
 * canvas, is cut off: any coordinates will do. A cell holds one Unicode scalar. A wide character
 * takes two cells; where half of one is overwritten or cut off, the other half is blank.
 *
 * The sequences are those of the VT100 (ECMA-48): CUP, CUU, CUF, CUB, EL, ED, SGR; colours beyond
 * eight as xterm has them. Nothing of a terminal's reaction is read, and nothing makes it scroll.
 */
#pragma once

#include "core/base/buf.h"
#include "core/tui/caps.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The terminal's own colour, its sixteen, and of 256 any. */
enum colour {
    COLOUR_DEFAULT,
    COLOUR_BLACK,
    COLOUR_RED,
    COLOUR_GREEN,
    COLOUR_YELLOW,
    COLOUR_BLUE,
    COLOUR_MAGENTA,
    COLOUR_CYAN,
    COLOUR_WHITE,
    COLOUR_GREY, /* from here the bright ones: bright black ... */
    COLOUR_BRIGHT_RED,
    COLOUR_BRIGHT_GREEN,
    COLOUR_BRIGHT_YELLOW,
    COLOUR_BRIGHT_BLUE,
    COLOUR_BRIGHT_MAGENTA,
    COLOUR_BRIGHT_CYAN,
    COLOUR_BRIGHT_WHITE,
};
#define COLOUR_INDEX(n) ((uint16_t)((n) + 1)) /* n: 0..255, xterm's palette */

enum { STYLE_BOLD = 1, STYLE_REVERSE = 2, STYLE_UNDERLINE = 4 };

/*
 * All zero is plain text. Where the terminal has fewer colours, the nearest is taken; bright ones
 * become plain ones among eight, bright black there the default. Without colours a background that
 * is not the default shows as reverse.
 */
struct style {
    uint16_t fg, bg; /* enum colour or COLOUR_INDEX */
    uint8_t attr;    /* STYLE_... */
};

/* A cell as it is on the canvas or on the terminal. A blank one is ' '. */
struct cell {
    uint32_t rune; /* 0: the right half of the wide character before it */
    struct style style;
};

struct canvas_rect {
    int x, y, width, height;
};

struct canvas {
    int width, height;
    struct cell *cell;  /* row by row: the frame */
    struct cell *shown; /* what the terminal shows of it, known while `known' */
    bool known;
    struct canvas_rect clip;
    struct {
        int x, y; /* x < 0: unknown */
        struct style style;
    } pen; /* the terminal's cursor */
};

enum { CANVAS_MAX_WIDTH = 1000, CANVAS_MAX_HEIGHT = 500 }; /* larger ones are cut to it */

void canvas_release(struct canvas *c);
/* Another size, or the first one of a canvas of zeroes: all is blank, the clip the whole canvas,
 * the terminal forgotten. -ENOMEM: nothing changed. All calls are allowed on zeroes, and do
 * nothing. */
int canvas_resize(struct canvas *c, int width, int height);

/* Drawing is limited to this part of the canvas; all of it after resize and unclip. */
void canvas_clip(struct canvas *c, int x, int y, int width, int height);
void canvas_unclip(struct canvas *c);

/* Blanks what the clip rectangle leaves open. */
void canvas_clear(struct canvas *c);
/* Every cell of the rectangle; a wide rune is replaced by a blank. */
void canvas_fill(struct canvas *c, int x, int y, int width, int height, struct style style,
                 uint32_t rune);
/* A horizontal line of box drawing. */
void canvas_hline(struct canvas *c, int x, int y, int width, struct style style);
/* Another style for what is there: a bar over a row. */
void canvas_restyle(struct canvas *c, int x, int y, int width, int height, struct style style);

/*
 * One line of UTF-8 text. Returns the column after it, whether it was cut or not. Combining and
 * direction marks are dropped; a tab is a blank, other control characters are `?', bytes that are
 * no UTF-8 U+FFFD: text that others wrote cannot reach the terminal's controls.
 */
int canvas_put(struct canvas *c, int x, int y, struct style style, const char *text);
/* At most CANVAS_MAX_WIDTH bytes. */
int canvas_printf(struct canvas *c, int x, int y, struct style style, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/*
 * Appends the bytes that make the terminal show the canvas, and takes it that they get there: a
 * frame is written whole or not drawn. The terminal has the canvas's size or more, and is in the
 * state that canvas_enter or the last draw left it in. When out of memory (buf_error of out) the
 * terminal is forgotten.
 */
void canvas_draw(struct canvas *c, const struct caps *caps, struct buf *out);
/* The terminal's content is unknown: the next draw clears it and draws all. */
void canvas_forget(struct canvas *c);

/*
 * The strings around a live view. Enter: alternate screen, cursor hidden, no line wrap, no
 * bracketed paste, mouse reports (buttons and wheel, SGR form) if wanted. Leave undoes it; a
 * terminal without an alternate screen keeps the last frame, with the cursor below it. Both are
 * constant.
 */
const char *canvas_enter(bool mouse);
const char *canvas_leave(void);

/* What is shown of a cell on such a terminal: its colours, and ASCII for what it lacks. A wide
 * character without Unicode is `?' and the half after it a blank. */
struct cell canvas_shown(const struct cell *cell, const struct caps *caps);

struct canvas_name {
    const char *name;
    const char *module; /* NULL or empty: none is shown */
    const char *match; /* is kept when the name is shortened (core/text/name_fit.h); may be empty */
    struct style style; /* of the name */
};

/* Puts `name [module]' at x; the name is shortened so that its module fits. Returns the column
 * after it. */
int canvas_put_name(struct canvas *c, int x, int y, const struct canvas_name *name);
