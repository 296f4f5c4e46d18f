/* What keys do. */
#include "view_private.h"

enum { MINUTE = 60 };
#define MAX_SCALE 1048576.0
#define MAX_SPEED 64.0

static double clamp_factor(double v, double max)
{
    return v < 1 / max ? 1 / max : v > max ? max : v;
}

/* --- the menu --- */

static void toggle_graph(struct statsview *v, enum stats_graph graph)
{
    if (!stats_choose(&v->choice, graph))
        stats_drop(&v->choice, graph);
}

static void toggle_letter(struct statsview *v, uint32_t rune)
{
    enum stats_graph graphs[STATS_LETTER_MAX];
    size_t n = rune && rune < 0x7f ? stats_letter_graphs((char)rune, graphs) : 0;
    for (size_t i = 0; i < n; i++)
        toggle_graph(v, graphs[i]);
}

static void menu_click(struct statsview *v, const struct key *k, int height)
{
    int x, y;
    statsview_menu_place(STATSVIEW_MENU_WIDTH, height, &x, &y);
    int row = (int)k->y - y, rows = statsview_menu_rows(height);
    if (row < 0 || row >= rows) {
        v->menu = false;
        return;
    }
    list_go(&v->graphs, v->graphs.cursor, rows); /* the height may have changed */
    list_go(&v->graphs, v->graphs.first + (size_t)row, rows);
    toggle_graph(v, (enum stats_graph)v->graphs.cursor);
}

static enum statsview_action menu_press(struct statsview *v, const struct key *k, int height)
{
    switch (k->code) {
    case KEY_PRESS:
        menu_click(v, k, height);
        break;
    case KEY_ENTER:
        toggle_graph(v, (enum stats_graph)v->graphs.cursor);
        break;
    case KEY_ESC:
        v->menu = false;
        break;
    case KEY_RUNE:
        if (k->rune == 'q')
            return STATSVIEW_END;
        if (k->rune == ' ')
            toggle_graph(v, (enum stats_graph)v->graphs.cursor);
        else
            toggle_letter(v, k->rune);
        break;
    default:
        list_key(&v->graphs, k, statsview_menu_rows(height));
        break;
    }
    return STATSVIEW_NOTHING;
}

/* --- time --- */

static void toggle_pause(struct statsview *v)
{
    v->paused = !v->paused;
    v->held = 0;
}

/* How many samples a key goes on; 0: it does not. */
static int64_t seek_steps(enum key_code code)
{
    switch (code) {
    case KEY_LEFT:
        return -1;
    case KEY_RIGHT:
        return 1;
    case KEY_PAGE_UP:
    case KEY_PAGE_DOWN:
    case KEY_HOME:
    case KEY_END:
        return list_distance(code, MINUTE);
    default:
        return 0;
    }
}

/* Scrolls through the stored samples; scrolling back freezes the view. */
static void scroll_history(struct statsview *v, int64_t by)
{
    int64_t max = (int64_t)statsview_remembered(v) - 1, to = (int64_t)v->held - by;
    v->held = (uint64_t)(to < 0 ? 0 : to > max ? (max > 0 ? max : 0) : to);
    v->paused |= v->held > 0;
}

/* --- letters --- */

/* How graphs are drawn, and how fast a replay goes. */
static void change_look(struct statsview *v, uint32_t rune)
{
    switch (rune) {
    case '+':
    case '=':
        v->scale = clamp_factor(v->scale / 2, MAX_SCALE);
        break;
    case '-':
        v->scale = clamp_factor(v->scale * 2, MAX_SCALE);
        break;
    case 'g':
    case 'L':
        v->log = !v->log;
        break;
    case 'a':
        v->fit = !v->fit;
        break;
    case 'y':
    case 'Y':
        v->labels = !v->labels;
        break;
    case '<':
    case ',':
        v->speed = clamp_factor(v->speed / 2, MAX_SPEED);
        break;
    case '>':
    case '.':
        v->speed = clamp_factor(v->speed * 2, MAX_SPEED);
        break;
    case 't':
        if (v->top)
            v->processes = !v->processes;
        else
            v->answer = key_unknown(rune);
        break;
    default:
        v->answer = key_unknown(rune);
        break;
    }
}

static enum statsview_action handle_letter(struct statsview *v, uint32_t rune)
{
    switch (rune) {
    case 'q':
        return STATSVIEW_END;
    case ' ':
    case 'p':
        toggle_pause(v);
        break;
    case 'm':
        v->menu = true;
        v->graphs.count = STATS_GRAPHS;
        break;
    case 'h':
    case '?':
        v->help = true;
        break;
    case 'o':
        v->choice = (struct stats_choice){.count = 0};
        stats_choose_overview(&v->choice);
        break;
    default:
        change_look(v, rune);
        break;
    }
    return STATSVIEW_NOTHING;
}

enum statsview_action statsview_press(struct statsview *v, const struct key *k, int height,
                                      int64_t *seek)
{
    int64_t by = seek_steps(k->code);
    v->answer.text[0] = '\0';
    if (k->mods & KEY_CTRL)
        return STATSVIEW_NOTHING;
    if (v->help) {
        v->help = k->code == KEY_RELEASE;
        return STATSVIEW_NOTHING;
    }
    if (v->menu)
        return menu_press(v, k, height);
    if (by && v->replay) {
        *seek = by;
        return STATSVIEW_SEEK;
    }
    if (by)
        scroll_history(v, by);
    return k->code == KEY_RUNE ? handle_letter(v, k->rune) : STATSVIEW_NOTHING;
}
