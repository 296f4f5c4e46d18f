#include "core/text/name_fit.h"

#include "core/base/buf.h"
#include "core/text/rune.h"
#include "core/text/shown.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { NONE = -1 };

static const char dots[] = "..";
enum { DOTS = sizeof dots - 1 };

/* One pair of brackets. */
struct pair {
    size_t open, close; /* places in the name; close 0: not closed */
    size_t columns;     /* of the text between, as it is shown now */
    int parent;         /* the pair that this one is in, or NONE */
    unsigned depth;     /* how many those are */
    bool hidden;
};

struct brackets {
    struct pair pair[NAME_FIT_BRACKETS];
    int count, innermost;
    size_t columns; /* of the name as it is shown now */
};

/* --- columns --- */

/* Bytes of the first character of len > 0 bytes; *columns grows by what it takes. */
static size_t measure_char(const char *text, size_t len, size_t *columns)
{
    uint32_t rune = RUNE_BAD;
    size_t bytes = rune_decode(text, len, &rune);
    *columns += shown_is_safe(rune) ? (size_t)rune_width(rune) : 1;
    return bytes ? bytes : len;
}

size_t text_columns(const char *text, size_t len)
{
    size_t columns = 0;
    for (size_t i = 0; i < len;)
        i += measure_char(text + i, len - i, &columns);
    return columns;
}

/* --- brackets --- */

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Bytes of an operator's name at i that has brackets in it: `operator<<'; 0: there is none. */
static size_t operator_at(const char *name, size_t i)
{
    static const char word[] = "operator";
    size_t len = sizeof word - 1;
    if (strncmp(name + i, word, len) != 0 || (i && is_word(name[i - 1])))
        return 0;
    size_t signs = strncmp(name + i + len, "()", 2) == 0 ? 2 : strspn(name + i + len, "<>=-");
    return signs ? len + signs : 0;
}

/* Length of the text at i that is copied unchanged. */
static size_t plain_at(const char *name, size_t i)
{
    static const char unnamed[] = "(anonymous namespace)";
    if (strncmp(name + i, "->", 2) == 0 || strncmp(name + i, "(*", 2) == 0)
        return 2;
    if (strncmp(name + i, unnamed, sizeof unnamed - 1) == 0)
        return sizeof unnamed - 1;
    return operator_at(name, i);
}

static void open_at(struct brackets *b, size_t i)
{
    b->pair[b->count] = (struct pair){
        .open = i,
        .parent = b->innermost,
        .depth = b->innermost == NONE ? 0 : b->pair[b->innermost].depth + 1,
    };
    b->innermost = b->count++;
}

/* What was opened since and is not closed is no bracket: `(a < b)'. */
static void close_at(struct brackets *b, const char *name, size_t i)
{
    char wanted = name[i] == ')' ? '(' : '<';
    int p = b->innermost;
    while (p != NONE && name[b->pair[p].open] != wanted && wanted == '(')
        p = b->pair[p].parent;
    if (p == NONE || name[b->pair[p].open] != wanted)
        return;
    struct pair *pair = &b->pair[p];
    pair->close = i;
    pair->columns = text_columns(name + pair->open + 1, i - pair->open - 1);
    b->innermost = pair->parent;
}

static void find_brackets(struct brackets *b, const char *name)
{
    *b = (struct brackets){.innermost = NONE, .columns = text_columns(name, strlen(name))};
    for (size_t i = 0, plain; name[i] && b->count < NAME_FIT_BRACKETS; i += plain ? plain : 1) {
        plain = plain_at(name, i);
        if (!plain && (name[i] == '(' || name[i] == '<'))
            open_at(b, i);
        else if (!plain && (name[i] == ')' || name[i] == '>'))
            close_at(b, name, i);
    }
}

/* --- what is hidden --- */

static bool in_hidden(const struct brackets *b, const struct pair *p)
{
    for (int i = p->parent; i != NONE; i = b->pair[i].parent)
        if (b->pair[i].hidden)
            return true;
    return false;
}

static void hide_pair(struct brackets *b, struct pair *p)
{
    if (p->hidden || !p->close || p->columns <= DOTS || in_hidden(b, p))
        return;
    size_t saved = p->columns - DOTS;
    p->hidden = true;
    for (int i = p->parent; i != NONE; i = b->pair[i].parent)
        b->pair[i].columns -= saved;
    b->columns -= saved;
}

static void hide_arguments(struct brackets *b, const char *name, size_t width)
{
    for (int i = b->count; i-- > 0 && b->columns > width;)
        if (b->pair[i].parent == NONE && name[b->pair[i].open] == '(')
            hide_pair(b, &b->pair[i]);
}

static void hide_depth(struct brackets *b, unsigned depth, size_t width)
{
    for (int i = b->count; i-- > 0 && b->columns > width;)
        if (b->pair[i].depth == depth)
            hide_pair(b, &b->pair[i]);
}

static void hide_inside_out(struct brackets *b, size_t width)
{
    unsigned depth = 0;
    for (int i = 0; i < b->count; i++)
        depth = b->pair[i].depth > depth ? b->pair[i].depth : depth;
    for (depth++; depth-- > 0 && b->columns > width;)
        hide_depth(b, depth, width);
}

static void add_shown(struct buf *out, const char *name, const struct brackets *b)
{
    size_t from = 0;
    for (int i = 0; i < b->count; i++) {
        const struct pair *p = &b->pair[i];
        if (!p->hidden || p->open < from)
            continue;
        buf_add(out, name + from, p->open + 1 - from);
        buf_adds(out, dots);
        from = p->close;
    }
    buf_adds(out, name + from);
}

/* --- the middle --- */

static void add_ends(struct buf *out, const char *text, size_t len, size_t width)
{
    size_t all = text_columns(text, len), columns = 0, head = 0, i = 0;
    size_t tail = (width - DOTS) / 2, max_head = width - DOTS - tail;
    while (i < len && all - columns > tail) {
        i += measure_char(text + i, len - i, &columns);
        if (columns <= max_head)
            head = i;
    }
    buf_add(out, text, head);
    buf_adds(out, dots);
    buf_add(out, text + i, len - i);
}

void name_fit(struct buf *out, const char *name, size_t width)
{
    struct brackets b;
    SCOPED_BUF shown = BUF_INIT;
    size_t limit = width < NAME_FIT_MIN ? NAME_FIT_MIN : width;
    if (!width || text_columns(name, strlen(name)) <= limit) {
        buf_adds(out, name);
        return;
    }
    find_brackets(&b, name);
    hide_arguments(&b, name, limit);
    hide_inside_out(&b, limit);
    add_shown(&shown, name, &b);
    if (b.columns <= limit)
        buf_add(out, shown.data, shown.len);
    else
        add_ends(out, buf_str(&shown), shown.len, limit);
}

/* --- a match --- */

/* The last place at or before `at' that has at least so many columns in front of it in the name;
 * 0 if there are not as many. */
static size_t back_columns(const char *name, size_t at, size_t columns)
{
    size_t i = 0, width = 0, all = text_columns(name, at);
    while (i < at && all - width > columns)
        i += measure_char(name + i, at - i, &width);
    return i;
}

/* What follows name[from], in at most width columns, with dots for what is left out. */
static void add_part(struct buf *out, const char *name, size_t from, size_t width)
{
    size_t len = strlen(name), lead = from ? DOTS : 0, columns = lead, end = from;
    bool whole = lead + text_columns(name + from, len - from) <= width;
    while (end < len) {
        size_t after = columns;
        size_t bytes = measure_char(name + end, len - end, &after);
        if (after + (whole ? 0 : DOTS) > width)
            break;
        columns = after;
        end += bytes;
    }
    buf_adds(out, from ? dots : "");
    buf_add(out, name + from, end - from);
    buf_adds(out, end < len ? dots : "");
}

/* The columns in front of the match: half of what is left, or all that what follows leaves. */
static size_t columns_before(const char *at, size_t match_len, size_t width)
{
    size_t shortest = text_columns(at, match_len) + 2 * DOTS,
           longest = text_columns(at, strlen(at)) + DOTS;
    size_t half = shortest < width ? (width - shortest) / 2 : 0,
           rest = longest < width ? width - longest : 0;
    return half > rest ? half : rest;
}

void name_fit_match(struct buf *out, const char *name, const char *match, size_t width)
{
    SCOPED_BUF fitting = BUF_INIT;
    size_t limit = width < NAME_FIT_MIN ? NAME_FIT_MIN : width;
    const char *at = *match ? strcasestr(name, match) : NULL;
    size_t before = at ? columns_before(at, strlen(match), limit) : 0;
    name_fit(&fitting, name, width);
    if (!at || strcasestr(buf_str(&fitting), match))
        buf_add(out, fitting.data, fitting.len);
    else
        add_part(out, name, back_columns(name, (size_t)(at - name), before), limit);
}
