/*
 * terminal: a small one, that shows what was written to it. It understands what psuite writes and
 * counts all else, so that a sequence a VT100 would not know is found out.
 */
#pragma once

#include "core/base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct terminal_pen {
    uint16_t fg, bg; /* 0 its own, else 1 + the index of 256 */
    bool bold, underline, reverse;
};

struct terminal_cell {
    uint32_t rune; /* 0: the right half of a wide character */
    struct terminal_pen pen;
};

struct terminal {
    int width, height;
    struct terminal_cell *cell;
    int x, y;
    bool wrap_pending; /* in the last column, written: the next character wraps */
    struct terminal_pen pen;
    bool alternate, hidden, no_wrap, mouse, sgr_mouse; /* modes */
    bool ignores_wrap_mode; /* set by the user: one that does not know mode 7 */
    size_t scrolled;        /* lines that were lost at the top */
    size_t unknown;         /* sequences and bytes it does not know */
    char pending[64];       /* the start of a sequence */
    size_t pending_len;
};

/* Aborts when memory ends, as all of the fake platform. */
void terminal_init(struct terminal *t, int width, int height);
void terminal_release(struct terminal *t);
/* All content is lost, as on a terminal that does as it likes with it: filled with `~'. */
void terminal_resize(struct terminal *t, int width, int height);

void terminal_write(struct terminal *t, const void *bytes, size_t len);

/* The lines without trailing blanks; empty ones at the end are dropped. */
void terminal_text(const struct terminal *t, struct buf *out);
