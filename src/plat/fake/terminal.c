#include "terminal.h"

#include "core/text/rune.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMS = 16 };

struct sequence {
    char private, final;
    int value[MAX_PARAMS];
    int params;
};

static struct terminal_cell *cell_at(struct terminal *t, int x, int y)
{
    return &t->cell[(size_t)y * (size_t)t->width + (size_t)x];
}

static void put_rune(struct terminal *t, int x, int y, uint32_t rune)
{
    *cell_at(t, x, y) = (struct terminal_cell){rune, t->pen};
}

/* --- its life --- */

void terminal_init(struct terminal *t, int width, int height)
{
    *t = (struct terminal){0};
    terminal_resize(t, width, height);
}

void terminal_release(struct terminal *t)
{
    free(t->cell);
    *t = (struct terminal){0};
}

void terminal_resize(struct terminal *t, int width, int height)
{
    size_t n = (size_t)width * (size_t)height;
    free(t->cell);
    t->cell = calloc(n + 1, sizeof *t->cell);
    if (!t->cell)
        abort();
    t->width = width;
    t->height = height;
    t->x = t->x < width ? t->x : width - 1;
    t->y = t->y < height ? t->y : height - 1;
    t->wrap_pending = false;
    for (size_t i = 0; i < n; i++)
        t->cell[i].rune = '~';
}

/* --- characters --- */

static void scroll_up(struct terminal *t)
{
    size_t row = (size_t)t->width, n = row * (size_t)(t->height - 1);
    memmove(t->cell, t->cell + row, n * sizeof *t->cell);
    for (int x = 0; x < t->width; x++)
        put_rune(t, x, t->height - 1, ' ');
    t->scrolled++;
}

static void line_feed(struct terminal *t)
{
    t->wrap_pending = false;
    if (t->y + 1 < t->height)
        t->y++;
    else
        scroll_up(t);
}

/* The other half of a wide character that is overwritten goes blank. */
static void split_wide_rune(struct terminal *t, int x)
{
    if (x < t->width && cell_at(t, x, t->y)->rune == 0 && x > 0) {
        cell_at(t, x - 1, t->y)->rune = ' ';
        cell_at(t, x, t->y)->rune = ' ';
    }
}

static void wrap_line(struct terminal *t)
{
    t->x = 0;
    line_feed(t);
}

static void print_rune(struct terminal *t, uint32_t rune)
{
    int width = rune_width(rune);
    bool wraps = !t->no_wrap || t->ignores_wrap_mode;
    if (t->wrap_pending && wraps)
        wrap_line(t);
    if (t->x + width > t->width) {
        t->unknown++;
        return;
    }
    split_wide_rune(t, t->x);
    split_wide_rune(t, t->x + width);
    put_rune(t, t->x, t->y, rune);
    if (width == 2)
        put_rune(t, t->x + 1, t->y, 0);
    t->wrap_pending = t->x + width == t->width;
    t->x += t->wrap_pending ? t->width - 1 - t->x : width;
}

static void handle_control(struct terminal *t, char byte)
{
    bool at_end = t->wrap_pending;
    t->wrap_pending = false;
    if (byte == '\r')
        t->x = 0;
    else if (byte == '\b' && t->x > 0)
        t->x--;
    else if (byte == '\n')
        line_feed(t);
    else {
        t->unknown++;
        t->wrap_pending = at_end;
    }
}

/* --- sequences --- */

static int param_or(const struct sequence *s, int i, int absent)
{
    return i < s->params && s->value[i] ? s->value[i] : absent;
}

static int clamp_position(int n, int max)
{
    return n < 0 ? 0 : n > max ? max : n;
}

static void move_cursor(struct terminal *t, int x, int y)
{
    t->x = clamp_position(x, t->width - 1);
    t->y = clamp_position(y, t->height - 1);
    t->wrap_pending = false;
}

static void erase_cells(struct terminal *t, int x, int y, int rows)
{
    for (split_wide_rune(t, x); rows-- > 0; y++, x = 0)
        for (; x < t->width; x++)
            put_rune(t, x, y, ' ');
}

/* 38;5;N and 48;5;N: returns how many more parameters it took. */
static int set_indexed_colour(struct terminal *t, const struct sequence *s, int i, uint16_t *colour)
{
    if (param_or(s, i + 1, 0) != 5 || i + 2 >= s->params) {
        t->unknown++;
        return 0;
    }
    *colour = (uint16_t)(1 + s->value[i + 2]);
    return 2;
}

static int set_pen_attribute(struct terminal *t, const struct sequence *s, int i)
{
    int n = s->value[i];
    struct terminal_pen *p = &t->pen;
    if (n == 0)
        *p = (struct terminal_pen){0};
    else if (n == 1)
        p->bold = true;
    else if (n == 4)
        p->underline = true;
    else if (n == 7)
        p->reverse = true;
    else if (n == 38)
        return set_indexed_colour(t, s, i, &p->fg);
    else if (n == 48)
        return set_indexed_colour(t, s, i, &p->bg);
    else if (n / 10 == 3 && n != 38)
        p->fg = (uint16_t)(n == 39 ? 0 : n - 29);
    else if (n / 10 == 4 && n != 48)
        p->bg = (uint16_t)(n == 49 ? 0 : n - 39);
    else if (n >= 90 && n < 98)
        p->fg = (uint16_t)(n - 90 + 9);
    else if (n >= 100 && n < 108)
        p->bg = (uint16_t)(n - 100 + 9);
    else
        t->unknown++;
    return 0;
}

static void set_pen(struct terminal *t, const struct sequence *s)
{
    for (int i = 0; i < s->params; i++)
        i += set_pen_attribute(t, s, i);
}

static void set_mode(struct terminal *t, const struct sequence *s)
{
    bool on = s->final == 'h';
    switch (param_or(s, 0, 0)) {
    case 7:
        t->no_wrap = !on;
        break;
    case 25:
        t->hidden = !on;
        break;
    case 1000:
        t->mouse = on;
        break;
    case 1006:
        t->sgr_mouse = on;
        break;
    case 1049:
        t->alternate = on;
        break;
    case 2004:
        break;
    default:
        t->unknown++;
    }
}

static void run_sequence(struct terminal *t, const struct sequence *s)
{
    int n = param_or(s, 0, 1);
    if (s->private == '?' && (s->final == 'h' || s->final == 'l'))
        set_mode(t, s);
    else if (s->private)
        t->unknown++;
    else if (s->final == 'H')
        move_cursor(t, param_or(s, 1, 1) - 1, n - 1);
    else if (s->final == 'A')
        move_cursor(t, t->x, t->y - n);
    else if (s->final == 'B')
        move_cursor(t, t->x, t->y + n);
    else if (s->final == 'C')
        move_cursor(t, t->x + n, t->y);
    else if (s->final == 'D')
        move_cursor(t, t->x - n, t->y);
    else if (s->final == 'K' && s->value[0] == 0)
        erase_cells(t, t->x, t->y, 1);
    else if (s->final == 'J' && s->value[0] == 0)
        erase_cells(t, t->x, t->y, t->height - t->y);
    else if (s->final == 'm')
        set_pen(t, s);
    else
        t->unknown++;
}

/* --- bytes --- */

/* Adds a byte of ESC [ ... : whether the sequence is complete in s. */
static bool parse_sequence(const char *held, size_t n, struct sequence *s)
{
    *s = (struct sequence){.params = 1};
    for (size_t i = 2; i < n; i++) {
        char b = held[i];
        if (b == '?')
            s->private = b;
        else if (b >= '0' && b <= '9')
            s->value[s->params - 1] = s->value[s->params - 1] % 10000 * 10 + (b - '0');
        else if (b == ';')
            s->params += s->params < MAX_PARAMS;
        else
            s->final = b;
    }
    return s->final != 0;
}

static void add_pending_byte(struct terminal *t, char byte)
{
    struct sequence s;
    uint32_t rune;
    t->pending[t->pending_len++] = byte;
    if (t->pending[0] == '\033') {
        if (t->pending_len == 2 && byte != '[')
            t->unknown++, t->pending_len = 0;
        else if (t->pending_len > 2 && parse_sequence(t->pending, t->pending_len, &s))
            run_sequence(t, &s), t->pending_len = 0;
    } else if (rune_decode(t->pending, t->pending_len, &rune)) {
        t->unknown += rune == RUNE_BAD && t->pending_len == 1;
        print_rune(t, rune);
        t->pending_len = 0;
    }
    if (t->pending_len == sizeof t->pending)
        t->unknown++, t->pending_len = 0;
}

void terminal_write(struct terminal *t, const void *bytes, size_t len)
{
    const char *b = bytes;
    for (size_t i = 0; i < len; i++)
        if (t->pending_len == 0 && (unsigned char)b[i] < ' ' && b[i] != '\033')
            handle_control(t, b[i]);
        else
            add_pending_byte(t, b[i]);
}

void terminal_text(const struct terminal *t, struct buf *out)
{
    char bytes[RUNE_BYTES];
    size_t start = out->len, end = start;
    for (int y = 0; y < t->height; y++) {
        const struct terminal_cell *row = t->cell + (size_t)y * (size_t)t->width;
        int last = t->width;
        while (last > 0 && row[last - 1].rune == ' ')
            last--;
        for (int x = 0; x < last; x++)
            if (row[x].rune)
                buf_add(out, bytes, rune_encode(row[x].rune, bytes));
        buf_addc(out, '\n');
        if (last > 0)
            end = out->len;
    }
    if (out->data)
        out->data[out->len = end] = '\0';
}
