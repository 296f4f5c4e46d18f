/* The canvas: its cells, and its bytes against a small terminal that obeys them. */
#include "unit.h"

#include "../lib/canvastext.h"
#include "terminal.h"

#include <limits.h>
#include <stdlib.h>

static const struct style plain, bold = {.attr = STYLE_BOLD}, bar = {.attr = STYLE_REVERSE},
                                 red = {.fg = COLOUR_RED}, on_blue = {.bg = COLOUR_BLUE};
static const struct caps full = {true, true, 256}, ascii = {true, false, 0};

static char *text_of(const struct canvas *c, bool unicode)
{
    static struct buf b = BUF_INIT;
    buf_clear(&b);
    canvastext(c, unicode, &b);
    return b.data;
}

static struct canvas canvas_of(int width, int height)
{
    struct canvas c = {.width = 0};
    CHECK_INT(canvas_resize(&c, width, height), 0);
    return c;
}

/* --- cells --- */

TEST(text_is_cut_at_the_edges)
{
    struct canvas c = canvas_of(6, 3);
    CHECK_INT(canvas_put(&c, -2, 0, plain, "abcdef"), 4);
    CHECK_INT(canvas_put(&c, 4, 1, plain, "abcdef"), 10);
    canvas_put(&c, 0, -1, plain, "no");
    canvas_put(&c, 0, 3, plain, "no");
    CHECK_STR(text_of(&c, true), "cdef\n    ab\n\n");
    canvas_release(&c);
}

TEST(clip_limits_all_drawing)
{
    struct canvas c = canvas_of(6, 3);
    canvas_fill(&c, INT_MIN, INT_MIN, INT_MAX, INT_MAX, plain, 'x');
    CHECK_STR(text_of(&c, true), "\n\n\n");
    canvas_fill(&c, -5, -5, INT_MAX, INT_MAX, plain, '.');
    canvas_clip(&c, 1, 1, 3, 9);
    canvas_clear(&c);
    canvas_put(&c, 0, 1, plain, "abcdef");
    canvas_hline(&c, -9, 2, 99, plain);
    CHECK_STR(text_of(&c, false), "......\n.bcd..\n.---..\n");
    canvas_clip(&c, 2, 2, -1, 5);
    canvas_clear(&c);
    canvas_unclip(&c);
    canvas_fill(&c, INT_MIN, 0, INT_MIN, 9, plain, 'x');
    CHECK_STR(text_of(&c, true), "......\n.bcd..\n.───..\n");
    canvas_release(&c);
}

TEST(controls_of_text_do_not_get_through)
{
    struct canvas c = canvas_of(20, 1);
    canvas_put(&c, 0, 0, plain, "a\033[2Jb\tc\x7f\xc2\x9b\xff\xe2\x82");
    CHECK_STR(text_of(&c, true), "a?[2Jb c??\xef\xbf\xbd\xef\xbf\xbd\n");
    canvas_fill(&c, 0, 0, 20, 1, plain, 27);
    CHECK_STR(text_of(&c, true), "????????????????????\n");
    canvas_release(&c);
}

TEST(marks_without_width_are_dropped)
{
    struct canvas c = canvas_of(8, 1);
    CHECK_INT(canvas_put(&c, 0, 0, plain, "e\xcc\x81\xe2\x80\x8bx"), 2);
    CHECK_STR(text_of(&c, true), "ex\n");
    canvas_release(&c);
}

TEST(what_a_terminal_would_obey_is_a_question_mark)
{
    struct canvas c = canvas_of(8, 1);
    CHECK_INT(canvas_put(&c, 0, 0, plain, "a\xe2\x80\xae\x1b\xc2\x9b\xd8\x9c\x7fx"), 7);
    CHECK_STR(text_of(&c, true), "a?????x\n");
    canvas_release(&c);
}

TEST(wide_characters_take_two_cells)
{
    struct canvas c = canvas_of(5, 1);
    CHECK_INT(canvas_put(&c, 0, 0, plain, "日本語"), 6);
    CHECK_STR(text_of(&c, true), "日本\n");
    canvas_put(&c, 1, 0, plain, "x");
    CHECK_STR(text_of(&c, true), " x本\n");
    canvas_put(&c, 2, 0, plain, "x");
    CHECK_STR(text_of(&c, true), " xx\n");
    canvas_put(&c, -1, 0, plain, "日本");
    CHECK_STR(text_of(&c, true), " 本\n");
    CHECK_STR(text_of(&c, false), " ?\n");
    canvas_restyle(&c, 2, 0, 1, 1, bold);
    CHECK_STR(text_of(&c, true), "\n");
    canvas_release(&c);
}

TEST(canvas_substitutes_ascii_for_drawing_characters)
{
    struct canvas c = canvas_of(40, 1);
    canvas_put(&c, 0, 0, plain, "┌─┬┐│╭═╬╱▁▄█░▒▓⠀⠁⣿µé…→日é\xcc\x81");
    CHECK_STR(text_of(&c, false), "+-++|+-+/_=#.:# .#ue.>? e\n");
    canvas_release(&c);
}

TEST(an_empty_canvas_takes_everything)
{
    struct canvas c = canvas_of(0, 0);
    struct buf out = BUF_INIT;
    canvas_put(&c, 0, 0, plain, "x");
    canvas_fill(&c, 0, 0, 5, 5, plain, 'x');
    canvas_draw(&c, &full, &out);
    CHECK_INT(canvas_resize(&c, -3, 1 << 30), 0);
    CHECK_INT(c.height, CANVAS_MAX_HEIGHT);
    canvas_release(&c);
    canvas_put(&c, 0, 0, plain, "x");
    buf_release(&out);
}

/* --- the shortest bytes --- */

/* The bytes of the draw, ESC as `^'. */
static const char *drawn(struct canvas *c, const struct caps *caps)
{
    static struct buf b = BUF_INIT;
    buf_clear(&b);
    canvas_draw(c, caps, &b);
    for (size_t i = 0; i < b.len; i++)
        if (b.data[i] == 27)
            b.data[i] = '^';
    return buf_str(&b);
}

TEST(nothing_changed_nothing_written)
{
    struct canvas c = canvas_of(40, 5);
    canvas_put(&c, 0, 0, plain, "hello");
    CHECK_STR(drawn(&c, &full), "^[m^[H^[Jhello");
    CHECK_STR(drawn(&c, &full), "");
    canvas_put(&c, 0, 0, plain, "hello");
    CHECK_STR(drawn(&c, &full), "");
    canvas_forget(&c);
    CHECK_STR(drawn(&c, &full), "^[m^[H^[Jhello");
    canvas_release(&c);
}

TEST(the_cursor_takes_the_shortest_way)
{
    struct canvas c = canvas_of(40, 9);
    drawn(&c, &full);
    canvas_put(&c, 0, 1, plain, "a");
    CHECK_STR(drawn(&c, &full), "\r\na");
    canvas_put(&c, 3, 1, plain, "b"); /* two blanks are shorter than a move */
    CHECK_STR(drawn(&c, &full), "  b");
    canvas_put(&c, 20, 1, plain, "c");
    CHECK_STR(drawn(&c, &full), "^[16Cc");
    canvas_put(&c, 19, 1, plain, "d");
    CHECK_STR(drawn(&c, &full), "\b\bd");
    canvas_put(&c, 20, 2, plain, "e"); /* down from column 20 */
    CHECK_STR(drawn(&c, &full), "^[Be");
    canvas_put(&c, 5, 8, plain, "f");
    CHECK_STR(drawn(&c, &full), "^[9;6Hf");
    canvas_put(&c, 0, 0, plain, "g");
    CHECK_STR(drawn(&c, &full), "^[Hg");
    canvas_put(&c, 39, 0, plain, "h");
    CHECK_STR(drawn(&c, &full), "^[38Ch");
    canvas_put(&c, 38, 0, plain, "i"); /* the cursor beyond the last column is nowhere */
    CHECK_STR(drawn(&c, &full), "^[;39Hi");
    canvas_release(&c);
}

TEST(rests_of_lines_are_erased_when_that_is_shorter)
{
    struct canvas c = canvas_of(20, 2);
    canvas_put(&c, 0, 0, plain, "abcdefgh");
    drawn(&c, &full);
    canvas_clear(&c);
    canvas_put(&c, 0, 0, plain, "abcdef");
    CHECK_STR(drawn(&c, &full), "\b\b  ");
    canvas_clear(&c);
    canvas_put(&c, 0, 0, red, "ab");
    CHECK_STR(drawn(&c, &full), "\r^[31mab^[K");
    canvas_fill(&c, 2, 0, 18, 1, on_blue, ' '); /* not what erasing gives on every terminal */
    CHECK_STR(drawn(&c, &full), "^[44m                  ");
    canvas_release(&c);
}

TEST(attributes_only_when_they_change)
{
    struct canvas c = canvas_of(20, 1);
    drawn(&c, &full);
    canvas_put(&c, 0, 0, red, "a");
    canvas_put(&c, 1, 0, (struct style){.fg = COLOUR_RED, .attr = STYLE_BOLD}, "b");
    canvas_put(&c, 2, 0, bold, "c");
    canvas_put(&c, 3, 0, (struct style){.fg = COLOUR_INDEX(200), .bg = COLOUR_BRIGHT_RED}, "d");
    canvas_put(&c, 4, 0, plain, "e");
    CHECK_STR(drawn(&c, &full), "^[31ma^[1mb^[39mc^[;38;5;200;101md^[me");
    canvas_release(&c);
}

TEST(canvas_uses_the_nearest_of_16_or_8_colours)
{
    struct canvas c = canvas_of(20, 1);
    const struct style rich = {.fg = COLOUR_INDEX(196), .bg = COLOUR_INDEX(21)};
    struct caps caps = {true, true, 16};
    canvas_put(&c, 0, 0, rich, "a");
    CHECK_STR(drawn(&c, &caps), "^[m^[H^[J^[91;44ma");
    canvas_forget(&c);
    caps.colours = 8;
    CHECK_STR(drawn(&c, &caps), "^[m^[H^[J^[31;44ma");
    canvas_forget(&c);
    CHECK_STR(drawn(&c, &ascii), "^[m^[H^[J^[7ma");
    canvas_put(&c, 0, 0, (struct style){.fg = COLOUR_GREY}, "b");
    CHECK_STR(drawn(&c, &caps), "\b^[mb");
    canvas_release(&c);
}

/* --- against a terminal --- */

static uint64_t seed = 88172645463325252u;

static int dice(int n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int)(seed % (unsigned)n);
}

static struct style any_style(void)
{
    static const uint16_t colours[] = {0, 0, 0, 1, 2, 8, 9, 10, 16, 17, 100, 232, 256, 999};
    struct style s = {.fg = colours[dice(14)], .bg = colours[dice(14)], .attr = (uint8_t)dice(8)};
    return dice(2) ? s : plain;
}

static void any_edit(struct canvas *c)
{
    static const char *const texts[] = {"a",      "main",
                                        "日本語", "  ",
                                        "├──┤",   "42.0%",
                                        "é→µ…",   "\033[2J",
                                        "▁▂▃▄",   "⠿⡇",
                                        "      ", "\xf0\x9f\x98\x80!",
                                        "x y z",  "hello, world, this is long"};
    int x = dice(c->width + 10) - 5, y = dice(c->height + 2) - 1;
    switch (dice(9)) {
    case 0:
        canvas_fill(c, x, y, dice(c->width + 1), dice(4), any_style(), dice(2) ? ' ' : 0x2588);
        break;
    case 1:
        canvas_restyle(c, x, y, dice(c->width + 1), dice(3), any_style());
        break;
    case 2:
        canvas_clip(c, x, y, dice(c->width + 1), dice(c->height + 1));
        break;
    case 3:
        canvas_unclip(c);
        if (dice(8) == 0)
            canvas_clear(c);
        break;
    default:
        canvas_put(c, x, y, any_style(), texts[dice(14)]);
    }
}

/* The letters' colour and weight of a blank cannot be seen. */
static bool pen_shows(const struct terminal_pen *got, const struct style *want, bool letters)
{
    uint8_t attr = (uint8_t)(got->bold * STYLE_BOLD + got->reverse * STYLE_REVERSE +
                             got->underline * STYLE_UNDERLINE);
    if (!letters && !((attr | want->attr) & ~STYLE_BOLD))
        return got->bg == want->bg;
    return got->fg == want->fg && got->bg == want->bg && attr == want->attr;
}

/* The first cell that differs, -1 when none does. */
static int differs(const struct canvas *c, const struct terminal *t, const struct caps *caps)
{
    for (int i = 0; i < c->width * c->height; i++) {
        struct cell want = canvas_shown(&c->cell[i], caps);
        if (t->cell[i].rune != want.rune ||
            !pen_shows(&t->cell[i].pen, &want.style, want.rune != ' '))
            return i;
    }
    return -1;
}

static void draw_and_compare(struct canvas *c, struct terminal *t, const struct caps *caps)
{
    struct buf out = BUF_INIT;
    canvas_draw(c, caps, &out);
    terminal_write(t, buf_str(&out), out.len);
    CHECK_INT(differs(c, t, caps), -1);
    CHECK_INT(t->scrolled, 0);
    CHECK_INT(t->unknown, 0);
    if (!caps->unicode)
        for (size_t i = 0; i < out.len; i++)
            CHECK((out.data[i] & 0x80) == 0);
    buf_release(&out);
}

static void random_frames(const struct caps *caps, bool deaf, int frames)
{
    struct canvas c = canvas_of(30, 8);
    struct terminal t;
    terminal_init(&t, 30, 8);
    t.ignores_wrap_mode = deaf;
    terminal_write(&t, canvas_enter(true), strlen(canvas_enter(true)));
    for (int i = 0; i < frames; i++) {
        if (dice(100) == 0) {
            canvas_resize(&c, 1 + dice(60), 1 + dice(20));
            terminal_resize(&t, c.width, c.height);
        }
        if (dice(200) == 0)
            canvas_forget(&c);
        for (int n = dice(12); n > 0; n--)
            any_edit(&c);
        draw_and_compare(&c, &t, caps);
    }
    terminal_release(&t);
    canvas_release(&c);
}

TEST(a_terminal_shows_the_canvas)
{
    static const int colours[] = {0, 8, 16, 256};
    for (int i = 0; i < 16; i++)
        random_frames(&(struct caps){true, i & 1, colours[i / 4]}, i & 2, unit_rounds(2000));
}

TEST(caps_may_change_between_draws)
{
    struct canvas c = canvas_of(30, 4);
    struct terminal t;
    terminal_init(&t, 30, 4);
    for (int i = 0; i < 500; i++) {
        any_edit(&c);
        draw_and_compare(&c, &t, dice(2) ? &full : &(struct caps){true, true, 8});
    }
    terminal_release(&t);
    canvas_release(&c);
}

TEST(the_corner_does_not_scroll)
{
    struct canvas c = canvas_of(10, 3);
    struct terminal t;
    terminal_init(&t, 10, 3);
    t.ignores_wrap_mode = true;
    canvas_fill(&c, 0, 0, 10, 3, bar, 'x');
    draw_and_compare(&c, &t, &full);
    canvas_fill(&c, 9, 2, 1, 1, plain, 'y');
    draw_and_compare(&c, &t, &full);
    canvas_fill(&c, 8, 2, 2, 1, plain, 'z');
    draw_and_compare(&c, &t, &full);
    terminal_release(&t);
    canvas_release(&c);
}

TEST(canvas_leave_undoes_canvas_enter)
{
    struct terminal t;
    terminal_init(&t, 10, 3);
    terminal_write(&t, canvas_enter(true), strlen(canvas_enter(true)));
    CHECK(t.alternate && t.hidden && t.no_wrap && t.mouse && t.sgr_mouse);
    terminal_write(&t, canvas_leave(), strlen(canvas_leave()));
    CHECK(!t.alternate && !t.hidden && !t.no_wrap && !t.mouse && !t.sgr_mouse);
    CHECK_INT(t.unknown, 0);
    terminal_release(&t);
}
