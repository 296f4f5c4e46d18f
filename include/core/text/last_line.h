/*
 * last_line: keeps the last non-empty line of a text that comes in pieces: what a command printed
 * on standard error before it failed. Blanks around it are cut, and it is safe on a terminal
 * (core/text/shown.h). A line's first LAST_LINE_MAX bytes are kept.
 */
#pragma once

#include <stddef.h>

enum { LAST_LINE_MAX = 120 };

/* All zero is one that heard nothing. */
struct last_line {
    char line[LAST_LINE_MAX + 1], pending[LAST_LINE_MAX + 1];
    size_t len;
};

void last_line_add(struct last_line *l, const char *bytes, size_t len);
/* The line, also one without its newline yet; "" when nothing was said. */
const char *last_line_text(struct last_line *l);
