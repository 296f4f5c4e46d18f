/* What keys do. */
#include "view_private.h"

#include "core/base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- time --- */

static void stop_following(struct timeline *t, const struct timeline_layout *l)
{
    t->left_ns = l->left_ns;
    t->follow = false;
}

static void start_following(struct timeline *t)
{
    t->follow = true;
    t->has_cursor = t->frozen = false;
}

static bool in_view(const struct timeline_layout *l, uint64_t time_ns)
{
    return time_ns >= l->left_ns && time_ns - l->left_ns < l->span_ns;
}

static uint64_t subtract_clamped(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Around the cursor, else around the middle; what follows stays at its right edge. */
static void zoom_view(struct timeline *t, const struct timeline_layout *l, int by)
{
    int scale = t->scale + by;
    if (scale < 0 || scale >= TIMELINE_SCALES)
        return;
    bool at_cursor = t->has_cursor && in_view(l, t->cursor_ns);
    uint64_t about = at_cursor ? t->cursor_ns : l->left_ns + l->span_ns / 2;
    double fraction = (double)(about - l->left_ns) / (double)l->span_ns;
    t->scale = scale;
    t->left_ns = subtract_clamped(about, (uint64_t)(fraction * (double)timeline_span_ns(t)));
}

/* Moves the picture just so far that the cursor is in it. */
static void set_cursor(struct timeline *t, const struct timeline_layout *l, uint64_t time_ns)
{
    stop_following(t, l);
    t->has_cursor = true;
    t->cursor_ns = time_ns;
    if (!in_view(l, time_ns))
        t->left_ns = subtract_clamped(time_ns, l->span_ns / 2);
}

static void move_cursor(struct timeline *t, const struct timeline_layout *l, int columns)
{
    uint64_t by = l->span_ns / (uint64_t)l->width * (uint64_t)abs(columns);
    uint64_t from =
        t->has_cursor && in_view(l, t->cursor_ns) ? t->cursor_ns : l->left_ns + l->span_ns / 2;
    set_cursor(t, l, columns < 0 ? subtract_clamped(from, by) : from + by);
}

static void pan_view(struct timeline *t, const struct timeline_layout *l, int direction)
{
    stop_following(t, l);
    t->left_ns =
        direction < 0 ? subtract_clamped(l->left_ns, l->span_ns / 2) : l->left_ns + l->span_ns / 2;
    if (t->has_cursor)
        t->cursor_ns = direction < 0 ? subtract_clamped(t->cursor_ns, l->span_ns / 2)
                                     : t->cursor_ns + l->span_ns / 2;
}

static void step_cursor(struct timeline *t, const struct timeline_layout *l, int direction)
{
    uint64_t at, from = t->has_cursor ? t->cursor_ns : l->left_ns + l->span_ns / 2;
    if (t->selected < t->shown_count && timeline_step(t, t->selected, direction, from, &at))
        set_cursor(t, l, at);
}

static void find_next(struct timeline *t, const struct timeline_layout *l, int direction)
{
    uint64_t at, from = t->has_cursor ? t->cursor_ns : l->left_ns;
    size_t shown;
    if (!t->search[0])
        return;
    if (timeline_find(t, direction, from, &shown, &at)) {
        t->selected = shown;
        set_cursor(t, l, at);
    } else {
        snprintf(t->message, sizeof t->message, "no %s of: %s", direction > 0 ? "more" : "earlier",
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

static void handle_click(struct timeline *t, const struct timeline_layout *l, const struct key *k)
{
    if (k->y < l->top || k->y >= l->bottom)
        return;
    size_t row = t->first + (size_t)(k->y - l->top) / (size_t)l->lines;
    if (row < t->shown_count)
        t->selected = row;
    if (k->x >= l->x)
        set_cursor(t, l, timeline_time_of(l, k->x - l->x));
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
static uint64_t parse_duration(const char *text)
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
    t->trigger.late_ns = parse_duration(t->typed);
    if (t->trigger.late_ns)
        sched_time_text(&text, (int64_t)t->trigger.late_ns);
    snprintf(t->message, sizeof t->message, "freezes %s%s",
             text.len ? "when a wake-up takes more than " : "for no wake-up", buf_str(&text));
    buf_release(&text);
}

/* --- typing --- */

static void copy_text(char to[TIMELINE_TEXT], const char *from)
{
    snprintf(to, TIMELINE_TEXT, "%s", from);
}

static void start_typing(struct timeline *t, enum timeline_typing typing, const char *before)
{
    t->typing = typing;
    copy_text(t->typed, before);
}

static void finish_typing(struct timeline *t, const struct timeline_layout *l)
{
    enum timeline_typing typing = t->typing;
    t->typing = TIMELINE_NO;
    if (typing == TIMELINE_FILTER) {
        copy_text(t->filter, t->typed);
    } else if (typing == TIMELINE_SEARCH) {
        copy_text(t->search, t->typed);
        find_next(t, l, 1);
    } else if (typing == TIMELINE_LATE) {
        freeze_on_late(t);
    }
}

static void handle_typing(struct timeline *t, const struct timeline_layout *l, const struct key *k)
{
    size_t len = strlen(t->typed);
    if (k->code == KEY_ENTER)
        finish_typing(t, l);
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
        start_typing(t, TIMELINE_FILTER, t->filter);
        break;
    case '/':
        start_typing(t, TIMELINE_SEARCH, "");
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
        zoom_view(t, l, rune == '-' ? 1 : -1);
        break;
    case 'p':
    case ' ':
        t->follow ? stop_following(t, l) : start_following(t);
        break;
    case '<':
    case '>':
        pan_view(t, l, rune == '<' ? -1 : 1);
        break;
    case '[':
    case ']':
        step_cursor(t, l, rune == '[' ? -1 : 1);
        break;
    case 'n':
    case 'N':
        find_next(t, l, rune == 'n' ? 1 : -1);
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
        start_typing(t, TIMELINE_LATE, "");
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

static void handle_other_key(struct timeline *t, const struct timeline_layout *l,
                             const struct key *k)
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
            zoom_view(t, l, k->code == KEY_WHEEL_UP ? -1 : 1);
        else
            select_row(t, l, (int64_t)t->selected + (k->code == KEY_WHEEL_UP ? -1 : 1));
        break;
    case KEY_LEFT:
    case KEY_RIGHT:
        move_cursor(t, l, (k->code == KEY_LEFT ? -1 : 1) * (k->mods & KEY_SHIFT ? 8 : 1));
        break;
    case KEY_HOME:
        stop_following(t, l);
        t->left_ns = timeline_origin(t);
        break;
    case KEY_END:
        start_following(t);
        break;
    case KEY_ESC:
        t->has_cursor = t->help = false;
        t->filter[0] = t->search[0] = '\0';
        break;
    case KEY_PRESS:
        handle_click(t, l, k);
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
        handle_typing(t, &l, k);
    } else if (k->code != KEY_RUNE) {
        handle_other_key(t, &l, k);
    } else if (!(k->mods & KEY_CTRL)) {
        if (k->rune == 'q')
            return false;
        letter_view(t, &l, k->rune);
        letter_time(t, &l, k->rune);
        letter_trigger(t, k->rune);
    }
    return true;
}
