#include "canvas_parts.h"

#include <stdio.h>

enum { BYTES = 48, FOREGROUND = 30, BACKGROUND = 40, USUAL = 9, BRIGHT = 60 };

/* An SGR in the making; params is also what separates them. */
struct sgr {
    char text[BYTES];
    size_t len;
    bool any;
};

static void add_param(struct sgr *s, int n)
{
    s->len += (size_t)snprintf(s->text + s->len, BYTES - s->len, s->any ? ";%d" : "%d", n);
    s->any = true;
}

static void add_colour(struct sgr *s, uint16_t colour, int base)
{
    int index = colour - 1;
    if (index < 0)
        add_param(s, base + USUAL);
    else if (index < 8)
        add_param(s, base + index);
    else if (index < 16)
        add_param(s, base + BRIGHT + index - 8);
    else {
        add_param(s, base + 8);
        add_param(s, 5);
        add_param(s, index);
    }
}

static void add_attributes(struct sgr *s, uint8_t attr)
{
    static const struct {
        uint8_t bit;
        int n;
    } codes[] = {{STYLE_BOLD, 1}, {STYLE_UNDERLINE, 4}, {STYLE_REVERSE, 7}};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (attr & codes[i].bit)
            add_param(s, codes[i].n);
}

static void add_difference(struct sgr *s, struct style from, struct style to)
{
    add_attributes(s, to.attr & ~from.attr);
    if (from.fg != to.fg)
        add_colour(s, to.fg, FOREGROUND);
    if (from.bg != to.bg)
        add_colour(s, to.bg, BACKGROUND);
}

bool canvas_same_style(struct style a, struct style b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

void canvas_pen(struct style from, struct style to, struct buf *out)
{
    if (canvas_same_style(from, to))
        return;
    struct sgr change = {.text = ""};
    struct sgr anew = {.text = "", .any = true}; /* an empty first parameter resets */
    add_difference(&anew, (struct style){0}, to);
    add_difference(&change, from, to);
    bool adds = (from.attr & ~to.attr) == 0; /* a VT100 cannot take one attribute away */
    buf_printf(out, "\033[%sm", adds && change.len <= anew.len ? change.text : anew.text);
}
