/* viewdemo [TIMEOUT_MS [END_AFTER]]: a live view that shows what happens to it, for the tests of
 * engine/base/screen: on the fake platform and on a real terminal. q ends it, f shows a flood of
 * pictures; others end it roughly: a abort, s a null pointer, o its stack, e exit. */
#include "../lib/keyname.h"

#include "engine/base/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 100, LINE_BYTES = 64 };

struct demo {
    struct screen screen;
    char line[LINES][LINE_BYTES];
    int lines, ticks, shown;
};

static void note(struct demo *d, const char *text)
{
    if (d->lines == LINES) {
        memmove(d->line, d->line + 1, sizeof d->line - sizeof d->line[0]);
        d->lines--;
    }
    snprintf(d->line[d->lines++], LINE_BYTES, "%s", text);
}

static void draw(struct demo *d)
{
    struct canvas *c = &d->screen.canvas;
    const struct style bar = {.fg = COLOUR_WHITE, .bg = COLOUR_BLUE, .attr = STYLE_BOLD};
    const struct style red = {.fg = COLOUR_BRIGHT_RED}, plain = {0};
    int room = c->height - 2, first = d->lines > room ? d->lines - room : 0;
    canvas_clear(c);
    canvas_fill(c, 0, 0, c->width, 1, bar, ' ');
    canvas_printf(c, 1, 0, bar, "%dx%d ticks %d", c->width, c->height, d->ticks);
    for (int i = first; i < d->lines; i++)
        canvas_put(c, 1, 1 + i - first, i == d->lines - 1 ? red : plain, d->line[i]);
    canvas_hline(c, 0, c->height - 1, c->width, plain);
    screen_show(&d->screen);
    d->shown++;
}

static void flood(struct demo *d)
{
    struct canvas *c = &d->screen.canvas;
    for (int i = 0; i < 500; i++) {
        canvas_fill(c, 0, 0, c->width, c->height, (struct style){.fg = COLOUR_INDEX(i % 200)},
                    (uint32_t)('a' + i % 26));
        screen_show(&d->screen);
        d->shown++;
    }
    note(d, "flood");
}

static __attribute__((noinline)) int overflow(volatile int *depth)
{
    volatile int here[1000] = {*depth + 1};
    return *depth < 1 << 30 ? overflow(here) + here[0] : 0;
}

static void end_roughly(uint32_t rune)
{
    static volatile int *volatile nowhere;
    if (rune == 'a')
        abort();
    if (rune == 's')
        *nowhere = 0;
    if (rune == 'o')
        overflow(&(volatile int){0});
    if (rune == 'e')
        exit(7);
}

/* Whether the view goes on. */
static bool take_key(struct demo *d, const struct key *key)
{
    struct buf name = BUF_INIT;
    keyname(key, &name);
    note(d, buf_str(&name));
    buf_release(&name);
    if (key->code == KEY_RUNE && !key->mods) {
        end_roughly(key->rune);
        if (key->rune == 'f')
            flood(d);
    }
    return key->code != KEY_RUNE || key->rune != 'q' || key->mods;
}

static bool take(struct demo *d, enum screen_kind kind, const struct screen_event *e)
{
    char text[LINE_BYTES];
    static const char *const names[] = {
        [SCREEN_DRAW] = "draw", [SCREEN_END] = "end of input", [SCREEN_READY] = "ready"};
    if (kind == SCREEN_KEY)
        return take_key(d, &e->key);
    if (kind == SCREEN_TIMEOUT)
        d->ticks++;
    else if (kind == SCREEN_INTERRUPT) {
        snprintf(text, sizeof text, "signal %d %s", e->signal, e->typed ? "typed" : "sent");
        note(d, text);
    } else if (kind != SCREEN_GONE)
        note(d, names[kind]);
    return kind != SCREEN_INTERRUPT && kind != SCREEN_GONE;
}

int main(int argc, char **argv)
{
    static struct demo d;
    struct screen_event e;
    struct fail f = {0};
    enum screen_kind kind;
    int timeout = argc > 1 ? atoi(argv[1]) : -1, most = argc > 2 ? atoi(argv[2]) : 1 << 30;
    if (screen_open(&d.screen, true, &f) < 0) {
        fprintf(stderr, "viewdemo: %s%s%s\n", f.what, *f.hint ? ": " : "", f.hint);
        return 1;
    }
    do {
        draw(&d);
        kind = screen_event(&d.screen, NULL, 0, timeout, &e);
    } while (take(&d, kind, &e) && d.ticks < most);
    screen_close(&d.screen);
    fprintf(stderr, "shown %d dropped %zu last %s\n", d.shown, d.screen.dropped,
            d.lines ? d.line[d.lines - 1] : "");
    return kind == SCREEN_GONE ? 4 : 0;
}
