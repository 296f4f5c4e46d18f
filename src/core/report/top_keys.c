/* Which rows are shown, and what keys do. */
#include "core/base/grow.h"
#include "top_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- order --- */

static int by_order(const void *pa, const void *pb, void *arg)
{
    const struct top *t = arg;
    const struct top_row *rows = t->rows.record;
    const struct top_row *a = rows + *(const uint32_t *)pa, *b = rows + *(const uint32_t *)pb;
    uint64_t x = t->sort == TOP_NOW ? a->now : a->total, y = t->sort == TOP_NOW ? b->now : b->total;
    if (t->sort != TOP_NAME && x != y)
        return x < y ? 1 : -1;
    if (t->sort == TOP_NOW && a->total != b->total)
        return a->total < b->total ? 1 : -1;
    int order = strcmp(a->name ? a->name : "", b->name ? b->name : "");
    return order ? order : (a->key.module > b->key.module) - (a->key.module < b->key.module);
}

static bool is_shown(const struct top *t, const struct top_row *row)
{
    return row->total && row->key.by == (t->into ? TOP_FUNCTION : t->by) &&
           (!t->filter[0] || strcasestr(row->name, t->filter) ||
            (row->module && strcasestr(row->module, t->filter)));
}

static void select_row(struct top *t, size_t row)
{
    t->selected = row < t->shown_count ? row : t->shown_count ? t->shown_count - 1 : 0;
}

void top_settle(struct top *t)
{
    const struct top_row *row = t->rows.record;
    t->shown_count = 0;
    for (uint32_t i = 0; i < t->rows.count; i++) {
        if (!is_shown(t, &row[i]))
            continue;
        if (!grow(&t->shown, &t->shown_cap, t->shown_count, sizeof *t->shown)) {
            t->err = -ENOMEM;
            break;
        }
        t->shown[t->shown_count++] = i;
    }
    if (t->shown_count)
        qsort_r(t->shown, t->shown_count, sizeof *t->shown, by_order, t);
    select_row(t, t->selected);
}

/* --- keys --- */

static void show_by(struct top *t, enum top_by by)
{
    t->by = by;
    t->into = false;
    t->selected = t->first = 0;
    top_sum(t);
}

static void go_into(struct top *t)
{
    if (t->into || t->by == TOP_FUNCTION || t->selected >= t->shown_count)
        return;
    const struct top_row *row = top_shown(t, t->selected);
    size_t len = strlen(row->name);
    t->inside = row->key;
    if (len >= sizeof t->inside_name)
        len = sizeof t->inside_name - 1;
    memcpy(t->inside_name, row->name, len);
    t->inside_name[len] = '\0';
    t->into = true;
    t->selected = t->first = 0;
    top_sum(t);
}

static void go_back(struct top *t)
{
    if (t->help)
        t->help = false;
    else if (t->into)
        show_by(t, (enum top_by)t->inside.by);
    else
        t->filter[0] = '\0';
    top_settle(t);
}

static void handle_typing(struct top *t, const struct key *k)
{
    size_t len = strlen(t->filter);
    if (k->code == KEY_ENTER || k->code == KEY_ESC)
        t->typing = false;
    if (k->code == KEY_ESC)
        t->filter[0] = '\0';
    else if (k->code == KEY_BACKSPACE && len)
        t->filter[len - 1] = '\0';
    else if (k->code == KEY_RUNE && k->rune >= ' ' && k->rune < 0x7f && !(k->mods & KEY_CTRL) &&
             len + 1 < sizeof t->filter) {
        t->filter[len] = (char)k->rune;
        t->filter[len + 1] = '\0';
    }
    t->selected = t->first = 0;
    top_settle(t);
}

static void move_selection(struct top *t, int64_t by, int height)
{
    int64_t to = (int64_t)t->selected + by;
    size_t lines = (size_t)top_row_lines(height);
    select_row(t, to < 0 ? 0 : (size_t)to);
    if (t->selected < t->first)
        t->first = t->selected;
    if (lines && t->selected >= t->first + lines)
        t->first = t->selected - lines + 1;
}

static bool handle_letter(struct top *t, uint32_t rune)
{
    static const char bys[] = "fmtp";
    const char *by = rune < 0x7f && rune ? strchr(bys, (int)rune) : NULL;
    if (by) {
        show_by(t, (enum top_by)(by - bys));
        return true;
    }
    switch (rune) {
    case 'q':
        return false;
    case ' ':
        t->paused = !t->paused;
        break;
    case 's':
        t->sort = (enum top_sort)((t->sort + 1) % TOP_SORTS);
        top_settle(t);
        break;
    case '/':
        t->typing = true;
        break;
    case 'h':
    case '?':
        t->help = !t->help;
        break;
    default:
        break;
    }
    return true;
}

/* How far a key moves the selection, 0: it does not. */
static int lines_of(uint32_t code, int height)
{
    switch (code) {
    case KEY_UP:
    case KEY_WHEEL_UP:
        return -1;
    case KEY_DOWN:
    case KEY_WHEEL_DOWN:
        return 1;
    case KEY_PAGE_UP:
        return -top_row_lines(height);
    case KEY_PAGE_DOWN:
        return top_row_lines(height);
    case KEY_HOME:
        return INT32_MIN;
    case KEY_END:
        return INT32_MAX;
    default:
        return 0;
    }
}

bool top_press(struct top *t, const struct key *k, int height)
{
    if (t->typing && k->code < KEY_UP) {
        handle_typing(t, k);
        return true;
    }
    int lines = lines_of(k->code, height);
    if (lines)
        move_selection(t, lines, height);
    switch (k->code) {
    case KEY_RUNE:
        return k->mods & KEY_CTRL ? true : handle_letter(t, k->rune);
    case KEY_PRESS:
        if (k->y >= 3 && (int)k->y < height - 1)
            select_row(t, t->first + k->y - 3);
        break;
    case KEY_ENTER:
    case KEY_RIGHT:
        go_into(t);
        break;
    case KEY_ESC:
    case KEY_LEFT:
        go_back(t);
        break;
    default:
        break;
    }
    return true;
}
