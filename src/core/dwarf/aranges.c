#include "file.h"

struct set {
    uint64_t unit, end;
    unsigned addr_size;
};

/* The header of one unit's set; the cursor moves to its pairs. False when there is no next. */
static bool read_head(struct dwarf_cursor *c, struct set *s)
{
    size_t from = c->at;
    uint64_t len = dwarf_number(c, 4);
    unsigned wide = len == 0xffffffff ? 8 : 4;
    if (wide == 8)
        len = dwarf_number(c, 8);
    s->end = len <= c->end - c->at ? c->at + len : c->end;
    uint64_t version = dwarf_number(c, 2);
    s->unit = dwarf_number(c, wide);
    s->addr_size = (unsigned)dwarf_number(c, 1);
    uint64_t segment_size = dwarf_number(c, 1);
    if (c->bad || version != 2 || segment_size || (s->addr_size != 4 && s->addr_size != 8))
        return false;
    size_t pair = 2 * s->addr_size, past = (c->at - from) % pair;
    dwarf_skip(c, past ? pair - past : 0);
    return !c->bad && c->at <= s->end;
}

static bool read_pairs(struct dwarf_cursor *c, const struct set *s, dwarf_arange_handler *handler,
                       void *arg)
{
    while (s->end - c->at >= 2 * s->addr_size) {
        uint64_t start = dwarf_number(c, s->addr_size), len = dwarf_number(c, s->addr_size);
        if (len && !handler(arg, s->unit, start, start + len))
            return false;
    }
    c->at = (size_t)s->end;
    return true;
}

void dwarf_aranges(const struct dwarf_image *d, dwarf_arange_handler *handler, void *arg)
{
    struct dwarf_cursor c = dwarf_cursor_at(d, DWARF_ARANGES, 0);
    struct set s;
    while (c.at < c.end && read_head(&c, &s) && read_pairs(&c, &s, handler, arg))
        ;
}
