/* .debug_cu_index of a .dwp: a hash table of unit ids, and where each unit's part of each section
 * is (DWARF 5, 7.3.5; version 2 is GNU's, before). */
#include "file.h"

struct package {
    struct dwarf_cursor c; /* at the first hash */
    uint64_t columns, units, slots;
    size_t hashes, rows, ids, offsets;
    bool gnu;
};

static bool open_index(const struct dwarf_file *f, struct package *p)
{
    p->c = dwarf_cursor_at(&f->image, DWARF_CU_INDEX, 0);
    p->gnu = dwarf_number(&p->c, 4) == 2;
    if (!p->gnu) {
        p->c.at = 0;
        if (dwarf_number(&p->c, 2) != 5)
            return false;
        dwarf_skip(&p->c, 2);
    }
    p->columns = dwarf_number(&p->c, 4);
    p->units = dwarf_number(&p->c, 4);
    p->slots = dwarf_number(&p->c, 4);
    uint64_t left = p->c.end - p->c.at;
    if (p->c.bad || p->columns > 16 || p->slots > left / 12 || p->units > left / 4 || !p->slots ||
        p->slots & (p->slots - 1))
        return false;
    p->hashes = p->c.at;
    p->rows = p->hashes + (size_t)p->slots * 8;
    p->ids = p->rows + (size_t)p->slots * 4;
    p->offsets = p->ids + (size_t)p->columns * 4;
    return p->offsets <= p->c.end && p->units * p->columns * 4 <= p->c.end - p->offsets;
}

static uint64_t number_at(const struct package *p, size_t at, unsigned size)
{
    struct dwarf_cursor c = p->c;
    c.at = at;
    return dwarf_number(&c, size);
}

/* The row of an id, counted from 1; 0 when it is not there. */
static uint64_t row_of(const struct package *p, uint64_t id)
{
    uint64_t mask = p->slots - 1, step = (id >> 32 & mask) | 1, slot = id & mask;
    for (uint64_t i = 0; i < p->slots; i++, slot = (slot + step) & mask) {
        uint64_t row = number_at(p, p->rows + (size_t)slot * 4, 4);
        if (!row)
            return 0;
        if (number_at(p, p->hashes + (size_t)slot * 8, 8) == id)
            return row <= p->units ? row : 0;
    }
    return 0;
}

/* Where the row's part of a section begins. */
static uint64_t section_offset(const struct package *p, uint64_t row, uint64_t section)
{
    for (uint64_t i = 0; i < p->columns; i++)
        if (number_at(p, p->ids + (size_t)i * 4, 4) == section)
            return number_at(p, p->offsets + (size_t)((row - 1) * p->columns + i) * 4, 4);
    return 0;
}

bool dwarf_package_find(struct dwarf_file *f, uint64_t id, struct dwarf_unit *out)
{
    enum { INFO = 1, ABBREV = 3, STR_OFFSETS = 6, RNGLISTS = 8 };
    struct package p;
    uint64_t row = open_index(f, &p) ? row_of(&p, id) : 0, at;
    if (!row)
        return false;
    at = section_offset(&p, row, INFO);
    if (!dwarf_unit_read(f, &at, out) || out->broken)
        return false;
    out->abbrev_offset += section_offset(&p, row, ABBREV);
    out->str_offsets = section_offset(&p, row, STR_OFFSETS);
    out->rnglists = p.gnu ? 0 : section_offset(&p, row, RNGLISTS);
    return true;
}
