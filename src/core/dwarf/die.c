#include "file.h"
#include "form.h"

#include "names.h"

struct dwarf_cursor dwarf_unit_cursor(const struct dwarf_unit *u, uint64_t offset)
{
    struct dwarf_cursor c = dwarf_cursor_at(&u->file->image, DWARF_INFO, u->end);
    c.end = c.at; /* the unit's end, which dwarf_unit_read has bounded */
    c.bad = offset > c.end;
    c.at = c.bad ? c.end : (size_t)offset;
    return c;
}

static uint64_t read_sized(const struct dwarf_unit *u, struct dwarf_cursor *c, int size)
{
    if (size == DWARF_SIZE_ADDR)
        return dwarf_number(c, u->addr_size);
    if (size == DWARF_SIZE_OFFSET)
        return dwarf_number(c, u->offset_size);
    if (size == DWARF_SIZE_ULEB)
        return dwarf_uleb(c);
    if (size == DWARF_SIZE_NONE)
        return 1; /* DW_FORM_flag_present */
    if (size <= 8)
        return dwarf_number(c, (unsigned)size);
    dwarf_skip(c, (uint64_t)size);
    return 0;
}

static uint64_t read_varying(const struct dwarf_unit *u, struct dwarf_cursor *c, uint64_t form)
{
    uint64_t at = c->at;
    switch (form) {
    case DW_FORM_block1:
        dwarf_skip(c, dwarf_number(c, 1));
        return 0;
    case DW_FORM_block2:
        dwarf_skip(c, dwarf_number(c, 2));
        return 0;
    case DW_FORM_block4:
        dwarf_skip(c, dwarf_number(c, 4));
        return 0;
    case DW_FORM_block:
    case DW_FORM_exprloc:
        dwarf_skip(c, dwarf_uleb(c));
        return 0;
    case DW_FORM_string:
        dwarf_skip_string(c);
        return at;
    case DW_FORM_sdata:
        return (uint64_t)dwarf_sleb(c);
    case DW_FORM_ref_addr:
        return dwarf_number(c, u->version <= 2 ? u->addr_size : u->offset_size);
    default:
        c->bad = true; /* its size is not known: nothing behind it can be read */
        return 0;
    }
}

static inline struct dwarf_value value_of(const struct dwarf_unit *u, struct dwarf_cursor *c,
                                          uint64_t form, int size)
{
    uint64_t n = size == DWARF_SIZE_VARIES ? read_varying(u, c, form) : read_sized(u, c, size);
    return (struct dwarf_value){(uint16_t)form, n};
}

struct dwarf_value dwarf_form_value(const struct dwarf_unit *u, struct dwarf_cursor *c,
                                    uint64_t form)
{
    return value_of(u, c, form, dwarf_form(form).size);
}

static struct dwarf_value read_value(const struct dwarf_unit *u, struct dwarf_cursor *c,
                                     const struct dwarf_attribute *a)
{
    uint64_t form = a->form;
    int size = a->size;
    if (form == DW_FORM_implicit_const)
        return (struct dwarf_value){DW_FORM_sdata, (uint64_t)(int64_t)a->constant};
    if (form == DW_FORM_indirect) {
        form = dwarf_uleb(c);
        size = dwarf_form(form).size;
    }
    return value_of(u, c, form, size);
}

static const struct dwarf_attribute *attributes_of(const struct dwarf_unit *u,
                                                   const struct dwarf_abbrev *a)
{
    return a->attributes ? u->abbrevs->attribute + a->first : NULL;
}

void dwarf_die_skip(const struct dwarf_unit *u, const struct dwarf_abbrev *a,
                    struct dwarf_cursor *c)
{
    if (a->fixed_size) {
        dwarf_skip(c, a->bytes + (unsigned)a->addrs * u->addr_size +
                          (unsigned)a->offsets * u->offset_size);
        return;
    }
    const struct dwarf_attribute *at = attributes_of(u, a);
    for (unsigned i = 0; i < a->attributes && !c->bad; i++)
        read_value(u, c, &at[i]);
}

void dwarf_die_attributes(const struct dwarf_unit *u, const struct dwarf_abbrev *a,
                          struct dwarf_cursor *c, struct dwarf_die *out)
{
    const struct dwarf_attribute *at = attributes_of(u, a);
    out->unit = u;
    out->abbrev = a;
    out->has = 0;
    for (unsigned i = 0; i < a->attributes && !c->bad; i++) {
        struct dwarf_value v = read_value(u, c, &at[i]);
        out->value[at[i].slot] = v;
        out->has |= 1u << at[i].slot;
    }
}

uint64_t dwarf_die_sibling(const struct dwarf_die *d, uint64_t from)
{
    const struct dwarf_unit *u = d->unit;
    uint64_t n = d->value[DWARF_SIBLING].n;
    if (!dwarf_has(d, DWARF_SIBLING) || n >= u->end - u->offset || u->offset + n < from)
        return 0;
    return u->offset + n;
}

bool dwarf_die_at(const struct dwarf_unit *u, uint64_t offset, struct dwarf_die *out)
{
    if (offset < u->die || offset >= u->end || !u->abbrevs)
        return false;
    struct dwarf_cursor c = dwarf_unit_cursor(u, offset);
    const struct dwarf_abbrev *a = dwarf_abbrev_find(u->abbrevs, dwarf_uleb(&c));
    if (!a)
        return false;
    out->offset = offset;
    dwarf_die_attributes(u, a, &c, out);
    return !c.bad;
}
