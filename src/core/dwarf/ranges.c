#include "file.h"

#include "names.h"

struct reading {
    const struct dwarf_unit *u;
    struct spans *out;
    uint32_t id;
    uint64_t base, mask;
};

static uint64_t mask_of(const struct dwarf_unit *u)
{
    return u->addr_size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * u->addr_size) - 1;
}

static bool add_range(struct reading *r, uint64_t start, uint64_t end)
{
    return spans_add(r->out, start & r->mask, end & r->mask, r->id);
}

/* .debug_ranges: pairs of distances from the base, until 0 0 (DWARF 4, 2.17.3). */
static bool read_pairs(struct reading *r, uint64_t offset)
{
    struct dwarf_cursor c = dwarf_cursor_at(&r->u->file->image, DWARF_RANGES, offset);
    if (r->u->addrs != &r->u->file->image) /* GNU's split units have theirs in the main file */
        c = dwarf_cursor_at(r->u->addrs, DWARF_RANGES, offset);
    while (!c.bad) {
        uint64_t start = dwarf_number(&c, r->u->addr_size);
        uint64_t end = dwarf_number(&c, r->u->addr_size);
        if (c.bad || (!start && !end))
            break;
        if (start == r->mask)
            r->base = end;
        if (start == r->mask ? !spans_spend(r->out) : !add_range(r, r->base + start, r->base + end))
            return false;
    }
    return !c.bad;
}

static bool by_index(const struct reading *r, struct dwarf_cursor *c, uint64_t *out)
{
    uint64_t index = dwarf_uleb(c);
    return !c->bad && dwarf_address_at(r->u, index, out);
}

/* One entry of .debug_rnglists (DWARF 5, 7.25); *more is false at the end. */
static bool read_entry(struct reading *r, struct dwarf_cursor *c, bool *more)
{
    uint64_t start = 0, end = 0;
    switch (dwarf_number(c, 1)) {
    case DW_RLE_end_of_list:
        *more = false;
        return !c->bad;
    case DW_RLE_base_addressx:
        return by_index(r, c, &r->base) && spans_spend(r->out);
    case DW_RLE_base_address:
        r->base = dwarf_number(c, r->u->addr_size);
        return !c->bad && spans_spend(r->out);
    case DW_RLE_startx_endx:
        return by_index(r, c, &start) && by_index(r, c, &end) && add_range(r, start, end);
    case DW_RLE_startx_length:
        return by_index(r, c, &start) && add_range(r, start, start + dwarf_uleb(c));
    case DW_RLE_offset_pair:
        start = r->base + dwarf_uleb(c);
        end = r->base + dwarf_uleb(c);
        return add_range(r, start, end);
    case DW_RLE_start_end:
        start = dwarf_number(c, r->u->addr_size);
        end = dwarf_number(c, r->u->addr_size);
        return add_range(r, start, end);
    case DW_RLE_start_length:
        start = dwarf_number(c, r->u->addr_size);
        return add_range(r, start, start + dwarf_uleb(c));
    default:
        return false;
    }
}

static bool read_list(struct reading *r, uint64_t offset)
{
    struct dwarf_cursor c = dwarf_cursor_at(&r->u->file->image, DWARF_RNGLISTS, offset);
    bool more = true, ok = true;
    while (more && ok && !c.bad)
        ok = read_entry(r, &c, &more);
    return ok && !c.bad;
}

/* The offset of a list, by its index in the table at the head of the unit's part. */
static bool list_offset(const struct dwarf_unit *u, uint64_t index, uint64_t *out)
{
    size_t len = u->file->image.section[DWARF_RNGLISTS].len;
    if (index > len || u->rnglists > len)
        return false;
    struct dwarf_cursor c =
        dwarf_cursor_at(&u->file->image, DWARF_RNGLISTS, u->rnglists + index * u->offset_size);
    *out = u->rnglists + dwarf_number(&c, u->offset_size);
    return !c.bad;
}

static bool read_ranges(struct reading *r, const struct dwarf_value *v)
{
    uint64_t at = v->n;
    if (r->u->version < 5)
        return read_pairs(r, r->u->ranges + at);
    if (v->form == DW_FORM_rnglistx && !list_offset(r->u, at, &at))
        return false;
    return read_list(r, at);
}

bool dwarf_die_ranges(const struct dwarf_die *d, struct spans *out, uint32_t id)
{
    const struct dwarf_unit *u = d->unit;
    struct reading r = {u, out, id, u->low_pc, mask_of(u)};
    uint64_t low, high;
    if (dwarf_has(d, DWARF_AT_RANGES))
        return read_ranges(&r, &d->value[DWARF_AT_RANGES]);
    if (!dwarf_has(d, DWARF_HIGH_PC) || !dwarf_value_address(d, DWARF_LOW_PC, &low))
        return false;
    if (dwarf_value_address(d, DWARF_HIGH_PC, &high))
        return add_range(&r, low, high);
    return dwarf_value_number(d, DWARF_HIGH_PC, &high) && add_range(&r, low, low + high);
}
