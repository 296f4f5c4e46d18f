#include "canvas_parts.h"

#include <stdio.h>
#include <string.h>

enum { MAX_STEPS = 4 }; /* of one byte each; more are longer than a sequence */

struct cursor_move {
    char bytes[CANVAS_MOVE_BYTES];
    size_t len;
};

static void add_bytes(struct cursor_move *w, const char *bytes)
{
    size_t n = strlen(bytes);
    memcpy(w->bytes + w->len, bytes, n + 1);
    w->len += n;
}

static void add_steps(struct cursor_move *w, int n, char final)
{
    char s[16];
    if (n == 1)
        snprintf(s, sizeof s, "\033[%c", final);
    else
        snprintf(s, sizeof s, "\033[%d%c", n, final);
    if (n > 0)
        add_bytes(w, s);
}

static void add_repeated(struct cursor_move *w, int n, char byte)
{
    while (n-- > 0)
        add_bytes(w, (char[]){byte, '\0'});
}

static struct cursor_move pick_shorter(struct cursor_move a, struct cursor_move b)
{
    return b.len < a.len ? b : a;
}

static struct cursor_move move_absolute(int x, int y)
{
    struct cursor_move w = {.len = 0};
    if (x == 0 && y == 0)
        w.len = (size_t)sprintf(w.bytes, "\033[H");
    else if (x == 0)
        w.len = (size_t)sprintf(w.bytes, "\033[%dH", y + 1);
    else if (y == 0)
        w.len = (size_t)sprintf(w.bytes, "\033[;%dH", x + 1);
    else
        w.len = (size_t)sprintf(w.bytes, "\033[%d;%dH", y + 1, x + 1);
    return w;
}

static void add_rows(struct cursor_move *w, int from, int to)
{
    add_steps(w, to - from, 'B');
    add_steps(w, from - to, 'A');
}

static void add_back(struct cursor_move *w, int n)
{
    if (n <= MAX_STEPS)
        add_repeated(w, n, '\b');
    else
        add_steps(w, n, 'D');
}

static struct cursor_move move_relative(int from_x, int from_y, int x, int y)
{
    struct cursor_move w = {.len = 0};
    add_rows(&w, from_y, y);
    add_steps(&w, x - from_x, 'C');
    add_back(&w, from_x - x);
    return w;
}

/* The carriage return comes with the line feeds: whether these keep the column is a mode. */
static struct cursor_move move_by_return(int from_y, int x, int y)
{
    struct cursor_move w = {.bytes = "\r", .len = 1};
    if (y > from_y && y - from_y <= MAX_STEPS)
        add_repeated(&w, y - from_y, '\n');
    else
        add_rows(&w, from_y, y);
    add_steps(&w, x, 'C');
    return w;
}

size_t canvas_move(int from_x, int from_y, int x, int y, char out[static CANVAS_MOVE_BYTES])
{
    struct cursor_move best = move_absolute(x, y);
    if (from_x == x && from_y == y)
        best = (struct cursor_move){.len = 0};
    else if (from_x >= 0) {
        best = pick_shorter(best, move_relative(from_x, from_y, x, y));
        best = pick_shorter(best, move_by_return(from_y, x, y));
    }
    memcpy(out, best.bytes, best.len);
    out[best.len] = '\0';
    return best.len;
}
