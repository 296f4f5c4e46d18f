#include "core/tui/list.h"

void list_go(struct list *l, size_t row, int lines)
{
    size_t shown = lines > 0 ? (size_t)lines : 1;
    l->cursor = row < l->count ? row : l->count ? l->count - 1 : 0;
    if (l->first + shown > l->count)
        l->first = l->count > shown ? l->count - shown : 0;
    if (l->cursor < l->first)
        l->first = l->cursor;
    if (l->cursor >= l->first + shown)
        l->first = l->cursor - shown + 1;
}

void list_centre(struct list *l, size_t row, int lines)
{
    size_t half = lines > 0 ? (size_t)lines / 2 : 0;
    l->first = row > half ? row - half : 0;
    list_go(l, row, lines);
}

int64_t list_distance(enum key_code code, int lines)
{
    int page = lines > 1 ? lines : 1;
    switch (code) {
    case KEY_UP:
    case KEY_WHEEL_UP:
        return -1;
    case KEY_DOWN:
    case KEY_WHEEL_DOWN:
        return 1;
    case KEY_PAGE_UP:
        return -page;
    case KEY_PAGE_DOWN:
        return page;
    case KEY_HOME:
        return INT32_MIN;
    case KEY_END:
        return INT32_MAX;
    default:
        return 0;
    }
}

bool list_key(struct list *l, const struct key *k, int lines)
{
    int64_t by = list_distance(k->code, lines), to = (int64_t)l->cursor + by;
    if (!by)
        return false;
    list_go(l, to < 0 ? 0 : (size_t)to, lines);
    return true;
}
