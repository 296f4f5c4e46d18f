#include "abbrev.h"

#include "core/base/budget.h"
#include "core/base/sort.h"
#include "form.h"

#include "names.h"
#include <stdlib.h>

static enum dwarf_slot slot_of(uint64_t name)
{
    static const uint8_t slots[] = {[DW_AT_name] = DWARF_NAME,
                                    [DW_AT_linkage_name] = DWARF_LINKAGE_NAME,
                                    [DW_AT_low_pc] = DWARF_LOW_PC,
                                    [DW_AT_high_pc] = DWARF_HIGH_PC,
                                    [DW_AT_ranges] = DWARF_AT_RANGES,
                                    [DW_AT_sibling] = DWARF_SIBLING,
                                    [DW_AT_abstract_origin] = DWARF_ORIGIN,
                                    [DW_AT_specification] = DWARF_SPECIFICATION,
                                    [DW_AT_call_file] = DWARF_CALL_FILE,
                                    [DW_AT_call_line] = DWARF_CALL_LINE,
                                    [DW_AT_call_column] = DWARF_CALL_COLUMN,
                                    [DW_AT_decl_file] = DWARF_DECL_FILE,
                                    [DW_AT_decl_line] = DWARF_DECL_LINE,
                                    [DW_AT_stmt_list] = DWARF_STMT_LIST,
                                    [DW_AT_comp_dir] = DWARF_COMP_DIR,
                                    [DW_AT_dwo_name] = DWARF_DWO_NAME,
                                    [DW_AT_str_offsets_base] = DWARF_STR_OFFSETS_BASE,
                                    [DW_AT_addr_base] = DWARF_ADDR_BASE,
                                    [DW_AT_rnglists_base] = DWARF_RNGLISTS_BASE};
    if (name < sizeof slots)
        return (enum dwarf_slot)slots[name];
    return name == DW_AT_MIPS_linkage_name   ? DWARF_LINKAGE_NAME
           : name == DW_AT_GNU_dwo_name      ? DWARF_DWO_NAME
           : name == DW_AT_GNU_dwo_id        ? DWARF_DWO_ID
           : name == DW_AT_GNU_ranges_base   ? DWARF_RANGES_BASE
           : name == DW_AT_GNU_addr_base     ? DWARF_ADDR_BASE
           : name == DW_AT_GNU_discriminator ? DWARF_DISCRIMINATOR
                                             : DWARF_SKIPPED;
}

static void add_size(struct dwarf_abbrev *a, uint64_t form)
{
    int size = dwarf_form(form).size;
    if (size == DWARF_SIZE_VARIES || size == DWARF_SIZE_ULEB || a->bytes > 60000 ||
        a->addrs == UINT8_MAX || a->offsets == UINT8_MAX)
        a->fixed_size = false;
    else if (size == DWARF_SIZE_ADDR)
        a->addrs++;
    else if (size == DWARF_SIZE_OFFSET)
        a->offsets++;
    else if (size > 0)
        a->bytes = (uint16_t)(a->bytes + size);
}

static bool add_attribute(struct dwarf_abbrevs *t, struct dwarf_abbrev *a, uint64_t name,
                          uint64_t form, int64_t constant)
{
    if (a->attributes == UINT16_MAX || name > UINT16_MAX || form > UINT16_MAX ||
        !BUDGET_ADD(t->budget, t->attribute, t->attribute_room, t->attributes,
                    (struct dwarf_attribute){(uint8_t)slot_of(name), dwarf_form(form).size,
                                             (uint16_t)form, (int32_t)constant}))
        return false;
    add_size(a, form);
    a->attributes++;
    a->sibling |= name == DW_AT_sibling;
    return true;
}

static bool read_attributes(struct dwarf_abbrevs *t, struct dwarf_cursor *c, struct dwarf_abbrev *a)
{
    while (!c->bad) {
        uint64_t name = dwarf_uleb(c), form = dwarf_uleb(c);
        int64_t constant = form == DW_FORM_implicit_const ? dwarf_sleb(c) : 0;
        if (!name && !form)
            return true;
        if (!add_attribute(t, a, name, form, constant))
            return false;
    }
    return false;
}

/* True: one was read, and there may be more. */
static bool read_one(struct dwarf_abbrevs *t, struct dwarf_cursor *c, bool *ok)
{
    struct dwarf_abbrev a = {.first = (uint32_t)t->attributes, .fixed_size = true};
    a.code = dwarf_uleb(c);
    if (!a.code)
        return false; /* also where the section just ends */
    uint64_t tag = dwarf_uleb(c);
    a.children = dwarf_number(c, 1);
    a.tag = (uint16_t)tag;
    *ok = tag <= UINT16_MAX && read_attributes(t, c, &a) &&
          BUDGET_ADD(t->budget, t->abbrev, t->abbrev_room, t->abbrevs, a);
    return *ok;
}

static int by_code(const void *a, const void *b)
{
    const struct dwarf_abbrev *x = a, *y = b;
    return ORDER(x->code, y->code);
}

static bool is_sorted(const struct dwarf_abbrevs *t)
{
    for (size_t i = 1; i < t->abbrevs; i++)
        if (t->abbrev[i].code <= t->abbrev[i - 1].code)
            return false;
    return true;
}

struct dwarf_abbrevs *dwarf_abbrevs_new(const struct dwarf_image *d, uint64_t offset,
                                        size_t *budget)
{
    struct dwarf_abbrevs *t = calloc(1, sizeof *t);
    struct dwarf_cursor c = dwarf_cursor_at(d, DWARF_ABBREV, offset);
    size_t start = c.at;
    bool ok = t && !c.bad;
    if (c.end - c.at > *budget)
        c.end = c.at + *budget;
    if (t)
        t->budget = d->budget;
    while (ok && read_one(t, &c, &ok))
        ;
    *budget -= c.at - start;
    if (!ok || !t->abbrevs) {
        dwarf_abbrevs_free(t);
        return NULL;
    }
    if (!is_sorted(t))
        sort_array(t->abbrev, t->abbrevs, sizeof *t->abbrev, by_code);
    return t;
}

void dwarf_abbrevs_free(struct dwarf_abbrevs *t)
{
    if (!t)
        return;
    budget_free(t->budget, t->abbrev, t->abbrev_room, sizeof *t->abbrev);
    budget_free(t->budget, t->attribute, t->attribute_room, sizeof *t->attribute);
    free(t);
}

const struct dwarf_abbrev *dwarf_abbrev_search(const struct dwarf_abbrevs *t, uint64_t code)
{
    struct dwarf_abbrev key = {.code = code};
    return bsearch(&key, t->abbrev, t->abbrevs, sizeof key, by_code);
}
