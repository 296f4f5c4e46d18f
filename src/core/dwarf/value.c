#include "file.h"
#include "form.h"

#include "names.h"

bool dwarf_address_at(const struct dwarf_unit *u, uint64_t index, uint64_t *out)
{
    const struct dwarf_image *d = u->addrs;
    size_t len = d->section[DWARF_ADDR].len;
    if (index > len || u->addr > len)
        return false;
    struct dwarf_cursor c = dwarf_cursor_at(d, DWARF_ADDR, u->addr + index * u->addr_size);
    *out = dwarf_number(&c, u->addr_size);
    return !c.bad;
}

bool dwarf_value_address(const struct dwarf_die *d, enum dwarf_slot s, uint64_t *out)
{
    if (!dwarf_has(d, s))
        return false;
    struct dwarf_value v = d->value[s];
    if (v.form == DW_FORM_addr)
        *out = v.n;
    return v.form == DW_FORM_addr ||
           (dwarf_form(v.form).class == DWARF_ADDRESS_INDEX && dwarf_address_at(d->unit, v.n, out));
}

bool dwarf_value_number(const struct dwarf_die *d, enum dwarf_slot s, uint64_t *out)
{
    bool is = dwarf_has(d, s) && dwarf_form(d->value[s].form).class == DWARF_NUMBER;
    if (is)
        *out = d->value[s].n;
    return is;
}

/* A string by its index in .debug_str_offsets. */
static const char *indexed_string(const struct dwarf_unit *u, uint64_t index)
{
    const struct dwarf_image *d = &u->file->image;
    size_t len = d->section[DWARF_STR_OFFSETS].len;
    if (index > len || u->str_offsets > len)
        return NULL;
    struct dwarf_cursor c =
        dwarf_cursor_at(d, DWARF_STR_OFFSETS, u->str_offsets + index * u->offset_size);
    uint64_t at = dwarf_number(&c, u->offset_size);
    return c.bad ? NULL : dwarf_string_at(d, DWARF_STR, at);
}

const char *dwarf_string(const struct dwarf_unit *u, enum dwarf_section of, struct dwarf_value v)
{
    const struct dwarf_file *f = u->file;
    switch (v.form) {
    case DW_FORM_string:
        return dwarf_string_at(&f->image, of, v.n);
    case DW_FORM_strp:
        return dwarf_string_at(&f->image, DWARF_STR, v.n);
    case DW_FORM_line_strp:
        return dwarf_string_at(&f->image, DWARF_LINE_STR, v.n);
    case DW_FORM_GNU_strp_alt:
    case DW_FORM_strp_sup:
        return f->alt ? dwarf_string_at(&f->alt->image, DWARF_STR, v.n) : NULL;
    default:
        return dwarf_form(v.form).class == DWARF_STRING_INDEX ? indexed_string(u, v.n) : NULL;
    }
}

const char *dwarf_value_string(const struct dwarf_die *d, enum dwarf_slot s)
{
    return dwarf_has(d, s) ? dwarf_string(d->unit, DWARF_INFO, d->value[s]) : NULL;
}

static bool die_in(const struct dwarf_file *f, uint64_t offset, struct dwarf_die *out)
{
    const struct dwarf_unit *u = f ? dwarf_unit_holding(f, offset) : NULL;
    return u && dwarf_die_at(u, offset, out);
}

/* The entry referred to, read. */
static bool linked_die(const struct dwarf_die *d, enum dwarf_slot s, struct dwarf_die *out)
{
    if (!dwarf_has(d, s))
        return false;
    const struct dwarf_unit *u = d->unit;
    uint64_t n = d->value[s].n;
    switch (d->value[s].form) {
    case DW_FORM_ref_addr:
        return die_in(u->file, n, out);
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
        return die_in(u->file->alt, n, out);
    default:
        return dwarf_form(d->value[s].form).class == DWARF_REF && n < u->end - u->offset &&
               dwarf_die_at(u, u->offset + n, out);
    }
}

bool dwarf_die_origin(const struct dwarf_die *d, struct dwarf_die *out)
{
    return linked_die(d, DWARF_SPECIFICATION, out) || linked_die(d, DWARF_ORIGIN, out);
}

const char *dwarf_die_name(const struct dwarf_die *die)
{
    enum { MAX_HOPS = 8 };
    struct dwarf_die two[2];
    const char *plain = NULL;
    for (int i = 0; i < MAX_HOPS; i++) {
        const char *linkage = dwarf_value_string(die, DWARF_LINKAGE_NAME);
        if (linkage)
            return linkage;
        if (!plain)
            plain = dwarf_value_string(die, DWARF_NAME);
        struct dwarf_die *next = &two[i % 2];
        if (!dwarf_die_origin(die, next))
            break;
        die = next;
    }
    return plain;
}
