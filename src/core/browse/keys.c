/* What keys do. */
#include "private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- going somewhere --- */

/* A list, or the whole tree: of the same scope. */
static void switch_to(struct browse *b, enum browse_view view)
{
    uint32_t function = browse_marked(b);
    b->place.view = view;
    b->place.module = UINT32_MAX;
    b->place.depth = 0;
    b->place.marked = view == BROWSE_FUNCTIONS ? function : STACKS_NONE;
    b->pattern[0] = '\0';
    browse_open(b);
}

static void open_function(struct browse *b, enum browse_view view)
{
    struct browse_place to = b->place;
    to.function = browse_marked(b);
    to.view = view;
    to.depth = 0;
    to.marked = STACKS_NONE;
    to.code = false;
    if (to.function == STACKS_NONE)
        browse_say(b, "no function is marked: f lists functions");
    else
        browse_go(b, &to);
}

/* Functions of the marked module, thread or process. */
static void open_part(struct browse *b)
{
    struct browse_place to = b->place;
    uint32_t id = b->rows.row[b->list.cursor].id;
    to.view = BROWSE_FUNCTIONS;
    to.module = b->place.view == BROWSE_MODULES ? id : UINT32_MAX;
    to.marked = STACKS_NONE;
    if (b->place.view == BROWSE_PROCESSES) {
        to.by_process = true;
        to.pid = id;
        to.thread = STACKS_NONE;
    } else if (b->place.view == BROWSE_THREADS) {
        to.thread = id;
    }
    b->pattern[0] = '\0';
    browse_go(b, &to);
}

static void go_back(struct browse *b)
{
    if (b->help)
        b->help = false;
    else if (b->pattern[0]) {
        b->pattern[0] = '\0';
        if (b->place.view != BROWSE_TEXT_OF)
            browse_relist(b);
    } else if (!browse_back(b))
        browse_say(b, "this is where the view began");
}

/* --- trees --- */

static struct browse_branch *marked_branch(struct browse *b)
{
    return &b->branches.at[b->rows.row[b->list.cursor].id];
}

static void show_lines(struct browse *b)
{
    browse_lines(&b->branches, &b->rows);
    b->list.count = b->rows.count;
    list_go(&b->list, b->list.cursor, b->lines);
}

static void mark_branch(struct browse *b, uint32_t branch)
{
    for (size_t i = 0; i < b->rows.count; i++)
        if (b->rows.row[i].id == branch)
            list_go(&b->list, i, b->lines);
}

static void unfold(struct browse *b)
{
    browse_unfold(&b->branches, b->rows.row[b->list.cursor].id);
    show_lines(b);
}

static void fold(struct browse *b)
{
    marked_branch(b)->unfolded = false;
    show_lines(b);
}

static void unfold_all(struct browse *b)
{
    if (!browse_is_tree(b->place.view) || !b->rows.count) {
        browse_say(b, "e unfolds trees: c, d and u show some");
        return;
    }
    browse_unfold_all(&b->branches, b->rows.row[b->list.cursor].id, b->graph.tree.total / 100);
    show_lines(b);
}

static void press_right(struct browse *b)
{
    if (marked_branch(b)->unfolded)
        list_go(&b->list, b->list.cursor + 1, b->lines);
    else
        unfold(b);
}

static void press_left(struct browse *b)
{
    const struct browse_branch *at = marked_branch(b);
    bool outermost = at->parent == STACKS_NONE || (b->place.view == BROWSE_TREE && at->parent == 0);
    if (at->unfolded)
        fold(b);
    else if (outermost)
        go_back(b);
    else
        mark_branch(b, at->parent);
}

static void enter(struct browse *b, bool right)
{
    if (b->list.cursor >= b->rows.count)
        return;
    if (b->place.view == BROWSE_FUNCTIONS)
        open_function(b, BROWSE_CALLEES);
    else if (!browse_is_tree(b->place.view))
        open_part(b);
    else if (right)
        press_right(b);
    else if (marked_branch(b)->unfolded)
        fold(b);
    else
        unfold(b);
}

static void leave(struct browse *b)
{
    if (browse_is_tree(b->place.view) && b->list.cursor < b->rows.count)
        press_left(b);
    else
        go_back(b);
}

/* --- search --- */

static bool text_has(const struct browse *b, size_t line)
{
    return strcasestr(annotate_row_text(&b->text, line), b->pattern);
}

static bool has_samples(const struct browse *b, size_t line)
{
    return b->text.row[line].sum.samples > 0;
}

/* The next line of the text, around its end. False: there is none. */
static bool find_line(struct browse *b, bool backward,
                      bool (*wanted)(const struct browse *b, size_t line))
{
    size_t n = b->list.count;
    for (size_t i = 1; i <= n; i++) {
        size_t line = (b->list.cursor + (backward ? n - i : i)) % n;
        if (wanted(b, line)) {
            list_go(&b->list, line, b->lines);
            return true;
        }
    }
    return false;
}

static bool find_branch(struct browse *b, bool backward)
{
    uint32_t from = b->list.cursor < b->rows.count ? b->rows.row[b->list.cursor].id : 0;
    uint32_t found = browse_search(&b->branches, b->pattern, from, backward);
    if (found == STACKS_NONE)
        return false;
    show_lines(b);
    mark_branch(b, found);
    return true;
}

static void find_next(struct browse *b, bool backward)
{
    bool found = true;
    if (!b->pattern[0])
        browse_say(b, "no text to search for: / asks for one");
    else if (browse_is_tree(b->place.view))
        found = find_branch(b, backward);
    else if (b->place.view == BROWSE_TEXT_OF)
        found = find_line(b, backward, text_has);
    else
        list_go(&b->list, b->list.cursor + (backward ? (size_t) - (b->list.cursor > 0) : 1),
                b->lines);
    if (!found)
        snprintf(b->said, sizeof b->said, "no %s with `%.40s'",
                 b->place.view == BROWSE_TEXT_OF ? "line" : "function", b->pattern);
}

static void step_sampled(struct browse *b, bool backward)
{
    if (b->place.view != BROWSE_TEXT_OF)
        browse_say(b, "[ and ] are for a function's source: a shows it");
    else if (!find_line(b, backward, has_samples))
        browse_say(b, "no line with samples");
}

/* --- typing --- */

static bool filters(const struct browse *b)
{
    return !browse_is_tree(b->place.view) && b->place.view != BROWSE_TEXT_OF;
}

static void start_typing(struct browse *b, enum browse_typing what)
{
    b->typing = what;
    b->typed[0] = '\0';
    if (what == BROWSE_PATTERN)
        b->pattern[0] = '\0';
    if (what == BROWSE_PATTERN && filters(b))
        browse_relist(b);
}

/* A pattern of a list acts while it is typed. */
static void type(struct browse *b, const struct key *k)
{
    enum browse_typing what = b->typing;
    enum typed_end end = typed_key(b->typed, sizeof b->typed, k);
    if (end != TYPED_MORE)
        b->typing = BROWSE_NOT_TYPING;
    if (end == TYPED_DROPPED)
        b->typed[0] = '\0';
    if (what == BROWSE_RANGE) {
        if (end == TYPED_TAKEN)
            browse_time_typed(b);
        return;
    }
    memcpy(b->pattern, b->typed, sizeof b->pattern);
    if (filters(b)) {
        browse_relist(b);
        list_go(&b->list, 0, b->lines);
    } else if (end == TYPED_TAKEN && b->pattern[0])
        find_next(b, false);
}

/* --- keys --- */

static bool letter_view(struct browse *b, uint32_t rune)
{
    static const char views[] = "fmtpc";
    const char *view = rune && rune < 0x7f ? strchr(views, (int)rune) : NULL;
    if (view)
        switch_to(b, (enum browse_view)(view - views));
    else if (rune == 'd')
        open_function(b, BROWSE_CALLEES);
    else if (rune == 'u')
        open_function(b, BROWSE_CALLERS);
    else if (rune == 'e')
        unfold_all(b);
    else
        return false;
    return true;
}

static void sort_next(struct browse *b)
{
    if (!filters(b)) {
        browse_say(b, "s sorts lists: f m t p");
        return;
    }
    b->sort = (enum browse_sort)((b->sort + 1) % BROWSE_SORTS);
    browse_relist(b);
    list_go(&b->list, 0, b->lines);
}

static void letter_other(struct browse *b, uint32_t rune)
{
    switch (rune) {
    case 's':
        sort_next(b);
        break;
    case 'h':
    case '?':
        b->help = !b->help;
        break;
    case '/':
        start_typing(b, BROWSE_PATTERN);
        break;
    case 'r':
        start_typing(b, BROWSE_RANGE);
        break;
    case 'n':
    case 'N':
        find_next(b, rune == 'N');
        break;
    case '[':
    case ']':
        step_sampled(b, rune == '[');
        break;
    default:
        browse_say(b, key_unknown(rune).text);
        break;
    }
}

/* Source, then instructions, and so on. */
static void annotate(struct browse *b)
{
    if (b->place.view == BROWSE_TEXT_OF) {
        b->place.code = !b->place.code;
        b->place.marked = STACKS_NONE;
        b->text_due = true;
    } else if (browse_marked(b) != STACKS_NONE && !browse_function(b)) {
        browse_say(b, "these samples are of no known function");
    } else {
        open_function(b, BROWSE_TEXT_OF);
    }
}

static void press_letter(struct browse *b, uint32_t rune)
{
    if (rune == 'a')
        annotate(b);
    else if (!letter_view(b, rune) && !browse_time_key(b, rune))
        letter_other(b, rune);
}

static void press_mouse(struct browse *b, const struct key *k, int width)
{
    bool on_row = k->y >= BROWSE_HEAD && k->y < BROWSE_HEAD + b->lines;
    size_t row = b->list.first + k->y - BROWSE_HEAD;
    if (k->code == KEY_PRESS && on_row && row < b->list.count)
        list_go(&b->list, row, b->lines);
    browse_time_mouse(b, k, width);
}

static void press_other(struct browse *b, const struct key *k, int width)
{
    switch (k->code) {
    case KEY_ENTER:
    case KEY_RIGHT:
        enter(b, k->code == KEY_RIGHT);
        break;
    case KEY_LEFT:
        leave(b);
        break;
    case KEY_ESC:
    case KEY_BACKSPACE:
        go_back(b);
        break;
    case KEY_PRESS:
    case KEY_RELEASE:
        press_mouse(b, k, width);
        break;
    default:
        break;
    }
}

enum browse_action browse_press(struct browse *b, const struct key *k, int width, int height)
{
    b->lines = height > BROWSE_HEAD + 1 ? height - BROWSE_HEAD - 1 : 0;
    b->said[0] = '\0';
    if (b->typing && k->code < KEY_UP)
        type(b, k);
    else if (k->code == KEY_RUNE && k->rune == 'q' && !(k->mods & KEY_CTRL))
        return BROWSE_END;
    else if (k->code == KEY_RUNE && k->rune == 'E' && b->source.sampled_by)
        return BROWSE_NEXT_EVENT;
    else if (k->code == KEY_RUNE && !(k->mods & KEY_CTRL))
        press_letter(b, k->rune);
    else if (!list_key(&b->list, k, b->lines))
        press_other(b, k, width);
    return b->text_due && !b->typing ? BROWSE_ANNOTATE : BROWSE_GO_ON;
}
