/*
 * canvastext: a canvas as lines of text without styles, for tests. Trailing blanks are dropped,
 * empty lines are not. Without unicode in the substitutes that canvas_draw takes.
 */
#pragma once

#include "core/base/buf.h"
#include "core/text/rune.h"
#include "core/tui/canvas.h"

static inline void canvastext_row(const struct cell *row, int width, const struct caps *caps,
                                  struct buf *out)
{
    char bytes[RUNE_BYTES];
    size_t end = out->len;
    for (int x = 0; x < width; x++) {
        struct cell shown = canvas_shown(&row[x], caps);
        if (shown.rune)
            buf_add(out, bytes, rune_encode(shown.rune, bytes));
        if (shown.rune != ' ')
            end = out->len;
    }
    out->len = end;
    buf_addc(out, '\n');
}

static inline void canvastext(const struct canvas *c, bool unicode, struct buf *out)
{
    const struct caps caps = {.unicode = unicode};
    for (int y = 0; y < c->height; y++)
        canvastext_row(c->cell + (size_t)y * (size_t)c->width, c->width, &caps, out);
}
