#include "canvas_parts.h"

#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 4 }; /* of one byte each; more are longer than a sequence */

struct way {
    char bytes[CANVAS_MOVE_BYTES];
    size_t len;
};

static void add(struct way *w, const char *bytes)
{
    size_t n = strlen(bytes);
    memcpy(w->bytes + w->len, bytes, n + 1);
    w->len += n;
}

static void steps(struct way *w, int n, char final)
{
    char s[16];
    if (n == 1)
        snprintf(s, sizeof s, "\033[%c", final);
    else
        snprintf(s, sizeof s, "\033[%d%c", n, final);
    if (n > 0)
        add(w, s);
}

static void repeat(struct way *w, int n, char byte)
{
    while (n-- > 0)
        add(w, (char[]){byte, '\0'});
}

static struct way shorter(struct way a, struct way b)
{
    return b.len < a.len ? b : a;
}

static struct way absolute(int x, int y)
{
    struct way w = {.len = 0};
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

static void to_row(struct way *w, int from, int to)
{
    steps(w, to - from, 'B');
    steps(w, from - to, 'A');
}

static void back(struct way *w, int n)
{
    if (n <= MOST_STEPS)
        repeat(w, n, '\b');
    else
        steps(w, n, 'D');
}

static struct way sideways(int from_x, int from_y, int x, int y)
{
    struct way w = {.len = 0};
    to_row(&w, from_y, y);
    steps(&w, x - from_x, 'C');
    back(&w, from_x - x);
    return w;
}

/* The carriage return comes with the line feeds: whether these keep the column is a mode. */
static struct way by_return(int from_y, int x, int y)
{
    struct way w = {.bytes = "\r", .len = 1};
    if (y > from_y && y - from_y <= MOST_STEPS)
        repeat(&w, y - from_y, '\n');
    else
        to_row(&w, from_y, y);
    steps(&w, x, 'C');
    return w;
}

size_t canvas_move(int from_x, int from_y, int x, int y, char out[static CANVAS_MOVE_BYTES])
{
    struct way best = absolute(x, y);
    if (from_x == x && from_y == y)
        best = (struct way){.len = 0};
    else if (from_x >= 0) {
        best = shorter(best, sideways(from_x, from_y, x, y));
        best = shorter(best, by_return(from_y, x, y));
    }
    memcpy(out, best.bytes, best.len);
    out[best.len] = '\0';
    return best.len;
}
