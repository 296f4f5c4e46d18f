/* What keys do. */
#include "view_private.h"

#include "core/base/buf.h"
#include "core/base/duration.h"
#include "core/base/time_ns.h"
#include "core/tui/typed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* --- time --- */

static void stop_following(struct timeline *t, const struct timeline_layout *l)
{
    t->view.left_ns = l->left_ns;
    t->view.follow = false;
}

static void start_following(struct timeline *t)
{
    t->view.follow = true;
    t->view.has_cursor = t->frozen = false;
}

static bool in_view(const struct timeline_layout *l, uint64_t time_ns)
{
    return time_ns >= l->left_ns && time_ns - l->left_ns < l->span_ns;
}

/* Around the cursor, else around the middle; what follows stays at its right edge. */
static void zoom_view(struct timeline *t, const struct timeline_layout *l, int by)
{
    int scale = t->view.scale + by;
    if (scale < 0 || scale >= TIMELINE_SCALES)
        return;
    bool at_cursor = t->view.has_cursor && in_view(l, t->view.cursor_ns);
    uint64_t about = at_cursor ? t->view.cursor_ns : l->left_ns + l->span_ns / 2;
    double fraction = (double)(about - l->left_ns) / (double)l->span_ns;
    t->view.scale = scale;
    t->view.left_ns = ns_between((uint64_t)(fraction * (double)timeline_span_ns(t)), about);
}

/* Scrolls the view just far enough to show the cursor. */
static void set_cursor(struct timeline *t, const struct timeline_layout *l, uint64_t time_ns)
{
    stop_following(t, l);
    t->view.has_cursor = true;
    t->view.cursor_ns = time_ns;
    if (!in_view(l, time_ns))
        t->view.left_ns = ns_between(l->span_ns / 2, time_ns);
}

static void move_cursor(struct timeline *t, const struct timeline_layout *l, int columns)
{
    uint64_t by = l->span_ns / (uint64_t)l->width * (uint64_t)abs(columns);
    uint64_t from = t->view.has_cursor && in_view(l, t->view.cursor_ns)
                        ? t->view.cursor_ns
                        : l->left_ns + l->span_ns / 2;
    set_cursor(t, l, columns < 0 ? ns_between(by, from) : from + by);
}

static void pan_view(struct timeline *t, const struct timeline_layout *l, int direction)
{
    stop_following(t, l);
    t->view.left_ns =
        direction < 0 ? ns_between(l->span_ns / 2, l->left_ns) : l->left_ns + l->span_ns / 2;
    if (t->view.has_cursor)
        t->view.cursor_ns = direction < 0 ? ns_between(l->span_ns / 2, t->view.cursor_ns)
                                          : t->view.cursor_ns + l->span_ns / 2;
}

static void step_cursor(struct timeline *t, const struct timeline_layout *l, int direction)
{
    uint64_t at, from = t->view.has_cursor ? t->view.cursor_ns : l->left_ns + l->span_ns / 2;
    if (t->view.rows.cursor < t->view.rows.count &&
        timeline_step(t, t->view.rows.cursor, direction, from, &at))
        set_cursor(t, l, at);
}

static void find_next(struct timeline *t, const struct timeline_layout *l, int direction)
{
    uint64_t at, from = t->view.has_cursor ? t->view.cursor_ns : l->left_ns;
    size_t shown;
    if (!t->input.search[0])
        return;
    if (timeline_find(t, direction, from, &shown, &at)) {
        t->view.rows.cursor = shown;
        set_cursor(t, l, at);
    } else {
        snprintf(t->input.message, sizeof t->input.message, "no %s of: %s",
                 direction > 0 ? "more" : "earlier", t->input.search);
    }
}

/* --- rows --- */

static void handle_click(struct timeline *t, const struct timeline_layout *l, const struct key *k)
{
    if (k->y < l->top || k->y >= l->bottom)
        return;
    size_t row = t->view.rows.first + (size_t)(k->y - l->top) / (size_t)l->lines;
    if (row < t->view.rows.count)
        t->view.rows.cursor = row;
    if (k->x >= l->x)
        set_cursor(t, l, timeline_time_of(l, k->x - l->x));
}

/* --- triggers --- */

static void freeze_on_run(struct timeline *t)
{
    const struct sched_row *row = timeline_row(t, t->view.rows.cursor);
    int32_t pid = row ? row->pid : 0;
    t->trigger.run_pid = pid == t->trigger.run_pid ? 0 : pid;
    t->trigger.run_since_ns = 0;
    if (t->trigger.run_pid)
        snprintf(t->input.message, sizeof t->input.message, "freezes when %" PRId32 " %s has run",
                 pid, sched_names_get(t->names, pid));
    else
        snprintf(t->input.message, sizeof t->input.message, "freezes for no task");
}

static void freeze_on_miss(struct timeline *t)
{
    t->trigger.missed = !t->trigger.missed;
    snprintf(t->input.message, sizeof t->input.message,
             t->trigger.missed ? "freezes when a deadline is missed" : "freezes for no deadline");
}

/* Without a unit: milliseconds. 0: none. */
static uint64_t late_ns_typed(const char *text)
{
    double ns;
    return duration_parse(text, NS_PER_MS, &ns) && ns < 1e15 ? (uint64_t)ns : 0;
}

static void freeze_on_late(struct timeline *t)
{
    SCOPED_BUF text = BUF_INIT;
    t->trigger.late_ns = late_ns_typed(t->input.typed);
    if (t->trigger.late_ns)
        sched_time_text(&text, (int64_t)t->trigger.late_ns);
    snprintf(t->input.message, sizeof t->input.message, "freezes %s%s",
             text.len ? "when a wake-up takes more than " : "for no wake-up", buf_str(&text));
}

/* --- typing --- */

static void copy_text(char to[TIMELINE_TEXT], const char *from)
{
    snprintf(to, TIMELINE_TEXT, "%s", from);
}

static void start_typing(struct timeline *t, enum timeline_typing typing, const char *before)
{
    t->input.typing = typing;
    copy_text(t->input.typed, before);
}

static void finish_typing(struct timeline *t, const struct timeline_layout *l)
{
    enum timeline_typing typing = t->input.typing;
    t->input.typing = TIMELINE_NO;
    if (typing == TIMELINE_FILTER) {
        copy_text(t->input.filter, t->input.typed);
    } else if (typing == TIMELINE_SEARCH) {
        copy_text(t->input.search, t->input.typed);
        find_next(t, l, 1);
    } else if (typing == TIMELINE_LATE) {
        freeze_on_late(t);
    }
}

static void handle_typing(struct timeline *t, const struct timeline_layout *l, const struct key *k)
{
    enum typed_end end = typed_key(t->input.typed, sizeof t->input.typed, k);
    if (end == TYPED_TAKEN)
        finish_typing(t, l);
    else if (end == TYPED_DROPPED)
        t->input.typing = TIMELINE_NO;
}

/* --- keys --- */

static bool letter_view(struct timeline *t, const struct timeline_layout *l, uint32_t rune)
{
    switch (rune) {
    case 'c':
        t->view.by_cpu = !t->view.by_cpu;
        t->view.rows = (struct list){0};
        break;
    case 'o':
        t->view.order = (enum timeline_order)((t->view.order + 1) % TIMELINE_ORDERS);
        break;
    case 'l':
        t->view.lines = l->lines % 3 + 1;
        break;
    case 'v':
        t->view.verbose = !t->view.verbose;
        break;
    case 'p':
    case ' ':
        t->view.follow ? stop_following(t, l) : start_following(t);
        break;
    case 'h':
    case '?':
        t->view.help = !t->view.help;
        break;
    case 'f':
        start_typing(t, TIMELINE_FILTER, t->input.filter);
        break;
    case '/':
        start_typing(t, TIMELINE_SEARCH, "");
        break;
    default:
        return false;
    }
    return true;
}

static bool letter_time(struct timeline *t, const struct timeline_layout *l, uint32_t rune)
{
    static const struct {
        uint32_t rune;
        int direction;
        void (*act)(struct timeline *t, const struct timeline_layout *l, int direction);
    } keys[] = {{'+', -1, zoom_view},  {'=', -1, zoom_view}, {'-', 1, zoom_view},
                {'<', -1, pan_view},   {'>', 1, pan_view},   {'[', -1, step_cursor},
                {']', 1, step_cursor}, {'n', 1, find_next},  {'N', -1, find_next}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].rune == rune) {
            keys[i].act(t, l, keys[i].direction);
            return true;
        }
    return false;
}

static bool letter_trigger(struct timeline *t, uint32_t rune)
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
        t->input.save = true;
        break;
    default:
        return false;
    }
    return true;
}

static void handle_letter(struct timeline *t, const struct timeline_layout *l, uint32_t rune)
{
    if (!letter_view(t, l, rune) && !letter_time(t, l, rune) && !letter_trigger(t, rune))
        snprintf(t->input.message, sizeof t->input.message, "%s", key_unknown(rune).text);
}

static void handle_other_key(struct timeline *t, const struct timeline_layout *l,
                             const struct key *k)
{
    switch ((unsigned)k->code) {
    case KEY_WHEEL_UP:
    case KEY_WHEEL_DOWN:
        if (k->mods & KEY_CTRL)
            zoom_view(t, l, k->code == KEY_WHEEL_UP ? -1 : 1);
        else
            list_key(&t->view.rows, k, l->rows);
        break;
    case KEY_LEFT:
    case KEY_RIGHT:
        move_cursor(t, l, (k->code == KEY_LEFT ? -1 : 1) * (k->mods & KEY_SHIFT ? 8 : 1));
        break;
    case KEY_HOME:
        stop_following(t, l);
        t->view.left_ns = sched_origin(t->spans);
        break;
    case KEY_END:
        start_following(t);
        break;
    case KEY_ESC:
        t->view.has_cursor = t->view.help = false;
        t->input.filter[0] = t->input.search[0] = '\0';
        break;
    case KEY_PRESS:
        handle_click(t, l, k);
        break;
    default:
        list_key(&t->view.rows, k, l->rows);
        break;
    }
}

bool timeline_press(struct timeline *t, const struct key *k, const struct canvas *c)
{
    struct timeline_layout l = timeline_layout(t, c);
    timeline_settle(t, &l);
    t->input.message[0] = '\0';
    if (t->input.typing && k->code < KEY_UP) {
        handle_typing(t, &l, k);
    } else if (k->code != KEY_RUNE) {
        handle_other_key(t, &l, k);
    } else if (!(k->mods & KEY_CTRL)) {
        if (k->rune == 'q')
            return false;
        handle_letter(t, &l, k->rune);
    }
    return true;
}
