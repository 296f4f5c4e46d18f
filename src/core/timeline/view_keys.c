/* What keys do. */
#include "view_private.h"

#include "core/base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- time --- */

static void hold(struct timeline *t, const struct timeline_layout *l)
{
    t->left_ns = l->left_ns;
    t->follow = false;
}

static void go(struct timeline *t)
{
    t->follow = true;
    t->pointed = t->frozen = false;
}

static bool in_picture(const struct timeline_layout *l, uint64_t time_ns)
{
    return time_ns >= l->left_ns && time_ns - l->left_ns < l->span_ns;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Around the cursor, else around the middle; what follows stays at its right edge. */
static void zoom(struct timeline *t, const struct timeline_layout *l, int by)
{
    int scale = t->scale + by;
    if (scale < 0 || scale >= TIMELINE_SCALES)
        return;
    bool at_cursor = t->pointed && in_picture(l, t->cursor_ns);
    uint64_t about = at_cursor ? t->cursor_ns : l->left_ns + l->span_ns / 2;
    double where = (double)(about - l->left_ns) / (double)l->span_ns;
    t->scale = scale;
    t->left_ns = less(about, (uint64_t)(where * (double)timeline_span_ns(t)));
}

/* Moves the picture just so far that the cursor is in it. */
static void point(struct timeline *t, const struct timeline_layout *l, uint64_t time_ns)
{
    hold(t, l);
    t->pointed = true;
    t->cursor_ns = time_ns;
    if (!in_picture(l, time_ns))
        t->left_ns = less(time_ns, l->span_ns / 2);
}

static void move_cursor(struct timeline *t, const struct timeline_layout *l, int columns)
{
    uint64_t by = l->span_ns / (uint64_t)l->width * (uint64_t)abs(columns);
    uint64_t from =
        t->pointed && in_picture(l, t->cursor_ns) ? t->cursor_ns : l->left_ns + l->span_ns / 2;
    point(t, l, columns < 0 ? less(from, by) : from + by);
}

static void pan(struct timeline *t, const struct timeline_layout *l, int way)
{
    hold(t, l);
    t->left_ns = way < 0 ? less(l->left_ns, l->span_ns / 2) : l->left_ns + l->span_ns / 2;
    if (t->pointed)
        t->cursor_ns = way < 0 ? less(t->cursor_ns, l->span_ns / 2) : t->cursor_ns + l->span_ns / 2;
}

static void step(struct timeline *t, const struct timeline_layout *l, int way)
{
    uint64_t at, from = t->pointed ? t->cursor_ns : l->left_ns + l->span_ns / 2;
    if (t->selected < t->shown_count && timeline_step(t, t->selected, way, from, &at))
        point(t, l, at);
}

static void find(struct timeline *t, const struct timeline_layout *l, int way)
{
    uint64_t at, from = t->pointed ? t->cursor_ns : l->left_ns;
    size_t shown;
    if (!t->search[0])
        return;
    if (timeline_find(t, way, from, &shown, &at)) {
        t->selected = shown;
        point(t, l, at);
    } else {
        snprintf(t->message, sizeof t->message, "no %s of: %s", way > 0 ? "more" : "earlier",
                 t->search);
    }
}

/* --- rows --- */

static void select_row(struct timeline *t, const struct timeline_layout *l, int64_t to)
{
    size_t last = t->shown_count ? t->shown_count - 1 : 0;
    t->selected = to < 0 ? 0 : (size_t)to > last ? last : (size_t)to;
    if (t->selected < t->first)
        t->first = t->selected;
    if (l->rows && t->selected >= t->first + (size_t)l->rows)
        t->first = t->selected - (size_t)l->rows + 1;
}

static void click(struct timeline *t, const struct timeline_layout *l, const struct key *k)
{
    if (k->y < l->top || k->y >= l->bottom)
        return;
    size_t row = t->first + (size_t)(k->y - l->top) / (size_t)l->lines;
    if (row < t->shown_count)
        t->selected = row;
    if (k->x >= l->x)
        point(t, l, timeline_time_of(l, k->x - l->x));
}

/* --- triggers --- */

static void freeze_on_run(struct timeline *t)
{
    const struct sched_row *row = timeline_row(t, t->selected);
    int32_t pid = row ? row->pid : 0;
    t->trigger.run_pid = pid == t->trigger.run_pid ? 0 : pid;
    t->trigger.run_since_ns = 0;
    if (t->trigger.run_pid)
        snprintf(t->message, sizeof t->message, "freezes when %" PRId32 " %s has run", pid,
                 sched_names_get(t->names, pid));
    else
        snprintf(t->message, sizeof t->message, "freezes for no task");
}

static void freeze_on_miss(struct timeline *t)
{
    t->trigger.missed = !t->trigger.missed;
    snprintf(t->message, sizeof t->message,
             t->trigger.missed ? "freezes when a deadline is missed" : "freezes for no deadline");
}

/* "5ms", "200us", "1s", "3": milliseconds. 0: none. */
static uint64_t duration(const char *text)
{
    char *unit;
    double v = strtod(text, &unit);
    double size = strcmp(unit, "ns") == 0   ? 1
                  : strcmp(unit, "us") == 0 ? 1e3
                  : strcmp(unit, "s") == 0  ? 1e9
                                            : 1e6;
    return v > 0 && v * size < 1e15 ? (uint64_t)(v * size) : 0;
}

static void freeze_on_late(struct timeline *t)
{
    struct buf text = BUF_INIT;
    t->trigger.late_ns = duration(t->typed);
    if (t->trigger.late_ns)
        sched_time_text(&text, (int64_t)t->trigger.late_ns);
    snprintf(t->message, sizeof t->message, "freezes %s%s",
             text.len ? "when a wake-up takes more than " : "for no wake-up", buf_str(&text));
    buf_release(&text);
}

/* --- typing --- */

static void copy(char to[TIMELINE_TEXT], const char *from)
{
    snprintf(to, TIMELINE_TEXT, "%s", from);
}

static void ask(struct timeline *t, enum timeline_typing what, const char *before)
{
    t->typing = what;
    copy(t->typed, before);
}

static void typed_all(struct timeline *t, const struct timeline_layout *l)
{
    enum timeline_typing what = t->typing;
    t->typing = TIMELINE_NO;
    if (what == TIMELINE_FILTER) {
        copy(t->filter, t->typed);
    } else if (what == TIMELINE_SEARCH) {
        copy(t->search, t->typed);
        find(t, l, 1);
    } else if (what == TIMELINE_LATE) {
        freeze_on_late(t);
    }
}

static void type(struct timeline *t, const struct timeline_layout *l, const struct key *k)
{
    size_t len = strlen(t->typed);
    if (k->code == KEY_ENTER)
        typed_all(t, l);
    else if (k->code == KEY_ESC)
        t->typing = TIMELINE_NO;
    else if (k->code == KEY_BACKSPACE && len)
        t->typed[len - 1] = '\0';
    else if (k->code == KEY_RUNE && k->rune >= ' ' && k->rune < 0x7f && !(k->mods & KEY_CTRL) &&
             len + 1 < sizeof t->typed) {
        t->typed[len] = (char)k->rune;
        t->typed[len + 1] = '\0';
    }
}

/* --- keys --- */

static void letter_view(struct timeline *t, const struct timeline_layout *l, uint32_t rune)
{
    switch (rune) {
    case 'c':
        t->by_cpu = !t->by_cpu;
        t->shown_count = t->selected = t->first = 0;
        break;
    case 'o':
        t->order = (enum timeline_order)((t->order + 1) % TIMELINE_ORDERS);
        break;
    case 'l':
        t->lines = l->lines % 3 + 1;
        break;
    case 'v':
        t->verbose = !t->verbose;
        break;
    case 'h':
    case '?':
        t->help = !t->help;
        break;
    case 'f':
        ask(t, TIMELINE_FILTER, t->filter);
        break;
    case '/':
        ask(t, TIMELINE_SEARCH, "");
        break;
    default:
        break;
    }
}

static void letter_time(struct timeline *t, const struct timeline_layout *l, uint32_t rune)
{
    switch (rune) {
    case '+':
    case '=':
    case '-':
        zoom(t, l, rune == '-' ? 1 : -1);
        break;
    case 'p':
    case ' ':
        t->follow ? hold(t, l) : go(t);
        break;
    case '<':
    case '>':
        pan(t, l, rune == '<' ? -1 : 1);
        break;
    case '[':
    case ']':
        step(t, l, rune == '[' ? -1 : 1);
        break;
    case 'n':
    case 'N':
        find(t, l, rune == 'n' ? 1 : -1);
        break;
    default:
        break;
    }
}

static void letter_trigger(struct timeline *t, uint32_t rune)
{
    switch (rune) {
    case 't':
        freeze_on_run(t);
        break;
    case 'd':
        freeze_on_miss(t);
        break;
    case 'w':
        ask(t, TIMELINE_LATE, "");
        break;
    case 'r':
        sched_spans_reset(t->spans, t->now_ns);
        break;
    case 's':
        t->save = true;
        break;
    default:
        break;
    }
}

static void other(struct timeline *t, const struct timeline_layout *l, const struct key *k)
{
    int page = l->rows ? l->rows : 1;
    switch ((unsigned)k->code) {
    case KEY_UP:
    case KEY_DOWN:
        select_row(t, l, (int64_t)t->selected + (k->code == KEY_UP ? -1 : 1));
        break;
    case KEY_PAGE_UP:
    case KEY_PAGE_DOWN:
        select_row(t, l, (int64_t)t->selected + (k->code == KEY_PAGE_UP ? -page : page));
        break;
    case KEY_WHEEL_UP:
    case KEY_WHEEL_DOWN:
        if (k->mods & KEY_CTRL)
            zoom(t, l, k->code == KEY_WHEEL_UP ? -1 : 1);
        else
            select_row(t, l, (int64_t)t->selected + (k->code == KEY_WHEEL_UP ? -1 : 1));
        break;
    case KEY_LEFT:
    case KEY_RIGHT:
        move_cursor(t, l, (k->code == KEY_LEFT ? -1 : 1) * (k->mods & KEY_SHIFT ? 8 : 1));
        break;
    case KEY_HOME:
        hold(t, l);
        t->left_ns = timeline_origin(t);
        break;
    case KEY_END:
        go(t);
        break;
    case KEY_ESC:
        t->pointed = t->help = false;
        t->filter[0] = t->search[0] = '\0';
        break;
    case KEY_PRESS:
        click(t, l, k);
        break;
    default:
        break;
    }
}

bool timeline_press(struct timeline *t, const struct key *k, const struct canvas *c)
{
    struct timeline_layout l = timeline_layout(t, c);
    timeline_settle(t, &l);
    t->message[0] = '\0';
    if (t->typing && k->code < KEY_UP) {
        type(t, &l, k);
    } else if (k->code != KEY_RUNE) {
        other(t, &l, k);
    } else if (!(k->mods & KEY_CTRL)) {
        if (k->rune == 'q')
            return false;
        letter_view(t, &l, k->rune);
        letter_time(t, &l, k->rune);
        letter_trigger(t, k->rune);
    }
    return true;
}
