/* Which time is counted. */
#include "private.h"

#include "core/base/time_ns.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_RANGE_NS = 1000 };

static void set_range(struct browse *b, uint64_t from, uint64_t to)
{
    uint64_t all = b->graph.duration_ns;
    to = to > all ? all : to;
    from = from > to ? to : from;
    b->scope.by_time = from > 0 || to < all;
    b->scope.from_ns = from;
    b->scope.to_ns = to;
    browse_renew(b);
}

static bool has_times(struct browse *b)
{
    if (!b->graph.duration_ns)
        browse_say(b, "the times of the samples are not known, or they are too many");
    return b->graph.duration_ns > 0;
}

static void zoom(struct browse *b, uint64_t from, uint64_t to, bool in)
{
    uint64_t span = to - from, half = in ? span / 4 : span, all = b->graph.duration_ns;
    uint64_t start = ns_between(half, from + span / 2), latest = ns_between(2 * half, all);
    start = start < latest ? start : latest;
    if (!in && span >= all / 2)
        set_range(b, 0, all);
    else if (!in || span > MIN_RANGE_NS)
        set_range(b, start, start + 2 * half);
}

static void pan(struct browse *b, uint64_t from, uint64_t to, bool later)
{
    uint64_t by = (to - from) / 2, most = later ? b->graph.duration_ns - to : from;
    by = by < most ? by : most;
    set_range(b, later ? from + by : from - by, later ? to + by : to - by);
}

bool browse_time_key(struct browse *b, uint32_t rune)
{
    bool zooms = rune == '+' || rune == '=' || rune == '-';
    if (!zooms && rune != '<' && rune != '>')
        return false;
    if (!has_times(b))
        return true;
    uint64_t from = b->scope.by_time ? b->scope.from_ns : 0;
    uint64_t to = b->scope.by_time ? b->scope.to_ns : b->graph.duration_ns;
    if (zooms)
        zoom(b, from, to, rune != '-');
    else
        pan(b, from, to, rune == '>');
    return true;
}

static bool parse_seconds(const char **text, uint64_t *ns)
{
    char *end;
    double v = strtod(*text, &end);
    if (end == *text || !(v >= 0) || v > 1e9)
        return false;
    *ns = (uint64_t)(v * (double)NS_PER_S);
    *text = end;
    return true;
}

void browse_time_typed(struct browse *b)
{
    const char *text = b->typed;
    uint64_t from = 0, to = b->graph.duration_ns;
    if (!has_times(b))
        return;
    if (*text && *text != '-' && !parse_seconds(&text, &from))
        text = "?";
    if (*text == '-' && text[1]) {
        text++;
        if (!parse_seconds(&text, &to))
            text = "?";
    } else if (*text == '-') {
        text++;
    }
    if (*text || from >= to)
        browse_say(b, "a range of time is FROM-TO, in seconds: 2.5-4, 2.5- or -4");
    else
        set_range(b, from, to);
}

/* Of a column of the graph over time. */
static uint64_t time_at(const struct browse *b, const struct key *k, int width, bool behind)
{
    int x, columns;
    browse_strip(b, width, &x, &columns);
    int64_t column = (int64_t)k->x - x + behind;
    column = column < 0 ? 0 : column > columns ? columns : column;
    return columns ? (uint64_t)((double)column / columns * (double)b->graph.duration_ns) : 0;
}

void browse_time_mouse(struct browse *b, const struct key *k, int width)
{
    if (k->code == KEY_PRESS && k->y == BROWSE_STRIP_LINE && b->graph.duration_ns) {
        b->dragging = true;
        b->drag_ns = time_at(b, k, width, false);
    } else if (k->code == KEY_RELEASE && b->dragging) {
        uint64_t to = time_at(b, k, width, true), from = b->drag_ns;
        b->dragging = false;
        if (to > from)
            set_range(b, from, to);
        else
            set_range(b, time_at(b, k, width, false), from);
    }
}
