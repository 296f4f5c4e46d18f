/*
 * canvas_parts: what drawing a canvas is made of.
 */
#pragma once

#include "core/tui/canvas.h"

/* ASCII for a scalar beyond it: what looks like it, `?' when nothing does. */
char canvas_substitute(uint32_t rune);

/* The colour as a terminal of so many colours has it. */
uint16_t canvas_colour(uint16_t colour, int colours);

bool canvas_same_style(struct style a, struct style b);

/* The shortest SGR from one style to another, appended; nothing when they are the same. */
void canvas_pen(struct style from, struct style to, struct buf *out);

enum { CANVAS_MOVE_BYTES = 32 };

/* The shortest cursor movement into out, terminated. Returns its length. from_x < 0: it may be
 * anywhere. */
size_t canvas_move(int from_x, int from_y, int x, int y, char out[static CANVAS_MOVE_BYTES]);
