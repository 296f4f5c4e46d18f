/* Which rows are shown, and what keys do. */
#include "core/base/grow.h"
#include "core/base/sort.h"
#include "core/tui/typed.h"
#include "top_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- order --- */

static int by_order(const void *pa, const void *pb, void *arg)
{
    const struct top *t = arg;
    const struct top_row *rows = top_rows(t)->record;
    const struct top_row *a = rows + *(const uint32_t *)pa, *b = rows + *(const uint32_t *)pb;
    uint64_t x = t->view.sort == TOP_NOW ? a->now : a->total,
             y = t->view.sort == TOP_NOW ? b->now : b->total;
    int order = t->view.sort == TOP_NAME ? 0 : ORDER(y, x) ?: ORDER(b->total, a->total);
    return order ?:
           strcmp(a->name ? a->name : "", b->name ? b->name : "") ?:
           ORDER(a->key.module, b->key.module);
}

static bool is_shown(const struct top *t, const struct top_row *row)
{
    return row->total && row->key.by == (t->view.into ? TOP_FUNCTION : t->view.by) &&
           (!t->view.filter[0] || strcasestr(row->name, t->view.filter) ||
            (row->module && strcasestr(row->module, t->view.filter)));
}

void top_settle(struct top *t)
{
    const struct top_row *row = top_rows(t)->record;
    t->view.list.count = 0;
    for (uint32_t i = 0; i < top_rows(t)->count; i++) {
        if (!is_shown(t, &row[i]))
            continue;
        if (!GROW_ADD(t->table.shown, t->table.shown_cap, t->view.list.count, i)) {
            t->err = -ENOMEM;
            break;
        }
    }
    if (t->view.list.count)
        qsort_r(t->table.shown, t->view.list.count, sizeof *t->table.shown, by_order, t);
    if (t->view.list.cursor >= t->view.list.count)
        t->view.list.cursor = t->view.list.count ? t->view.list.count - 1 : 0;
}

/* --- keys --- */

static void show_by(struct top *t, enum top_by by)
{
    t->view.by = by;
    t->view.into = false;
    t->view.list.cursor = t->view.list.first = 0;
    top_sum(t);
}

static void go_into(struct top *t)
{
    if (t->view.into || t->view.by == TOP_FUNCTION || t->view.list.cursor >= t->view.list.count)
        return;
    const struct top_row *row = top_shown(t, t->view.list.cursor);
    t->view.inside = row->key;
    snprintf(t->view.inside_name, sizeof t->view.inside_name, "%s", row->name);
    t->view.into = true;
    t->view.list.cursor = t->view.list.first = 0;
    top_sum(t);
}

static void go_back(struct top *t)
{
    if (t->view.help)
        t->view.help = false;
    else if (t->view.into)
        show_by(t, (enum top_by)t->view.inside.by);
    else
        t->view.filter[0] = '\0';
    top_settle(t);
}

static void handle_typing(struct top *t, const struct key *k)
{
    enum typed_end end = typed_key(t->view.filter, sizeof t->view.filter, k);
    t->view.typing = end == TYPED_MORE;
    if (end == TYPED_DROPPED)
        t->view.filter[0] = '\0';
    t->view.list.cursor = t->view.list.first = 0;
    top_settle(t);
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
        t->view.paused = !t->view.paused;
        break;
    case 's':
        t->view.sort = (enum top_sort)((t->view.sort + 1) % TOP_SORTS);
        top_settle(t);
        break;
    case '/':
        t->view.typing = true;
        break;
    case 'h':
    case '?':
        t->view.help = !t->view.help;
        break;
    default:
        t->view.answer = key_unknown(rune);
        break;
    }
    return true;
}

bool top_press(struct top *t, const struct key *k, int height)
{
    t->view.answer.text[0] = '\0';
    if (t->view.typing && k->code < KEY_UP) {
        handle_typing(t, k);
        return true;
    }
    switch (k->code) {
    case KEY_RUNE:
        return k->mods & KEY_CTRL ? true : handle_letter(t, k->rune);
    case KEY_PRESS:
        if (k->y >= 3 && (int)k->y < height - 1)
            list_go(&t->view.list, t->view.list.first + k->y - 3, top_row_lines(height));
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
        list_key(&t->view.list, k, top_row_lines(height));
        break;
    }
    return true;
}
