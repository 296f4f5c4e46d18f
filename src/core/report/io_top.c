#include "core/report/io_top.h"

#include "core/tui/typed.h"

#include <stdlib.h>
#include <string.h>

static int row_lines(int height)
{
    return height > 4 ? height - 4 : 0;
}

void io_top_release(struct io_top *t)
{
    free(t->row);
    *t = (struct io_top){0};
}

/* The rows that pass the filter go first in t->row. */
static void settle(struct io_top *t)
{
    size_t kept = 0;
    free(t->row);
    size_t count = io_machine_rows(t->machine, t->sort, !t->all, &t->row);
    for (size_t i = 0; i < count; i++)
        if (strcasestr(t->row[i].name, t->filter))
            t->row[kept++] = t->row[i];
    io_machine_sum(t->machine, !t->all, &t->sum);
    t->list.count = kept;
    if (t->list.cursor >= kept)
        t->list.cursor = kept ? kept - 1 : 0;
    if (t->list.first > t->list.cursor)
        t->list.first = t->list.cursor;
}

static void resettle(struct io_top *t)
{
    if (t->machine)
        settle(t);
}

void io_top_update(struct io_top *t, const struct io_machine *m)
{
    t->machine = m;
    t->rounds++;
    if (!t->paused)
        settle(t);
}

/* --- keys --- */

static void handle_typing(struct io_top *t, const struct key *k)
{
    enum typed_end end = typed_key(t->filter, sizeof t->filter, k);
    t->typing = end == TYPED_MORE;
    if (end == TYPED_DROPPED)
        t->filter[0] = '\0';
    t->list.cursor = t->list.first = 0;
    resettle(t);
}

static void change_sort(struct io_top *t)
{
    static const enum io_sort next[IO_SORTS] = {
        [IO_SORT_CLOSED] = IO_SORT_READ,  [IO_SORT_BYTES] = IO_SORT_READ,
        [IO_SORT_READ] = IO_SORT_WRITTEN, [IO_SORT_WRITTEN] = IO_SORT_CALLS,
        [IO_SORT_CALLS] = IO_SORT_NAME,   [IO_SORT_NAME] = IO_SORT_BYTES};
    t->sort = next[t->sort];
    resettle(t);
}

static bool handle_letter(struct io_top *t, uint32_t rune)
{
    switch (rune) {
    case 'q':
        return false;
    case ' ':
        t->paused = !t->paused;
        break;
    case 's':
        change_sort(t);
        break;
    case 'a':
        t->all = !t->all;
        resettle(t);
        break;
    case '/':
        t->typing = true;
        break;
    case 'h':
    case '?':
        t->help = !t->help;
        break;
    default:
        t->answer = key_unknown(rune);
        break;
    }
    return true;
}

static void go_back(struct io_top *t)
{
    if (!t->help)
        t->filter[0] = '\0';
    t->help = false;
    resettle(t);
}

bool io_top_press(struct io_top *t, const struct key *k, int height)
{
    int lines = row_lines(height);
    t->answer.text[0] = '\0';
    if (t->typing && k->code < KEY_UP)
        handle_typing(t, k);
    else if (k->code == KEY_RUNE)
        return k->mods & KEY_CTRL ? true : handle_letter(t, k->rune);
    else if (k->code == KEY_PRESS && k->y >= 3 && (int)k->y < height - 1)
        list_go(&t->list, t->list.first + k->y - 3, lines);
    else if (k->code == KEY_ESC || k->code == KEY_LEFT)
        go_back(t);
    else
        list_key(&t->list, k, lines);
    return true;
}
