#include "core/base/grow.h"
#include "oracle.h"

#include <stdlib.h>

struct walk {
    struct reader *r;
    uint64_t base;
    struct oracle_scopes *out;
};

/* --- the code of a DIE --- */

static void add_span(struct walk *w, uint64_t low, uint64_t high, uint32_t scope)
{
    struct oracle_scopes *t = w->out;
    if (high <= low)
        return;
    if (!grow(&t->span, &t->span_cap, t->spans, sizeof *t->span))
        abort();
    t->span[t->spans++] = (struct oracle_span){low, high, scope};
}

/* Of DWARF 3 and 4. */
static void add_list(struct walk *w, die_t die, uint64_t list, uint32_t scope)
{
    Dwarf_Ranges *ranges = NULL;
    Dwarf_Signed count = 0;
    Dwarf_Unsigned bytes;
    Dwarf_Off real;
    Dwarf_Error e = NULL;
    uint64_t base = w->base;
    if (dwarf_get_ranges_b(w->r->dbg, list, die, &real, &ranges, &count, &bytes, &e) != DW_DLV_OK)
        return;
    for (Dwarf_Signed i = 0; i < count; i++) {
        if (ranges[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
            base = ranges[i].dwr_addr2;
        if (ranges[i].dwr_type == DW_RANGES_ENTRY)
            add_span(w, base + ranges[i].dwr_addr1, base + ranges[i].dwr_addr2, scope);
    }
    reader_free_ranges(w->r, ranges, count);
}

/* Of DWARF 5. */
static void add_rnglist(struct walk *w, Dwarf_Attribute a, Dwarf_Half form, uint64_t value,
                        uint32_t scope)
{
    Dwarf_Rnglists_Head head = NULL;
    Dwarf_Unsigned count = 0, global, raw1, raw2, low = 0, high = 0;
    Dwarf_Error e = NULL;
    if (dwarf_rnglists_get_rle_head(a, form, value, &head, &count, &global, &e) != DW_DLV_OK) {
        w->out->unread++;
        return;
    }
    for (Dwarf_Unsigned i = 0; i < count; i++) {
        unsigned len, code;
        Dwarf_Bool missing = 0;
        if (dwarf_get_rnglists_entry_fields_a(head, i, &len, &code, &raw1, &raw2, &missing, &low,
                                              &high, &e) != DW_DLV_OK) {
            w->out->unread++;
            break;
        }
        w->out->unread += missing;
        if (!missing && code != DW_RLE_end_of_list && code != DW_RLE_base_address &&
            code != DW_RLE_base_addressx)
            add_span(w, low, high, scope);
    }
    dwarf_dealloc_rnglists_head(head);
}

static void add_ranges(struct walk *w, die_t die, uint32_t scope)
{
    Dwarf_Attribute a = NULL;
    Dwarf_Half form = 0, version = 0, offset_size = 0;
    Dwarf_Off offset = 0;
    Dwarf_Unsigned index = 0;
    Dwarf_Error e = NULL;
    if (dwarf_attr(die, DW_AT_ranges, &a, &e) != DW_DLV_OK)
        return;
    dwarf_whatform(a, &form, &e);
    dwarf_get_version_of_die(die, &version, &offset_size);
    bool fine = form == DW_FORM_rnglistx ? dwarf_formudata(a, &index, &e) == DW_DLV_OK
                                         : dwarf_global_formref(a, &offset, &e) == DW_DLV_OK;
    if (fine && version >= 5)
        add_rnglist(w, a, form, form == DW_FORM_rnglistx ? index : offset, scope);
    else if (fine)
        add_list(w, die, offset, scope);
    dwarf_dealloc_attribute(a);
}

static void add_code(struct walk *w, die_t die, uint32_t scope)
{
    uint64_t low, high;
    size_t before = w->out->spans;
    if (reader_range(die, &low, &high))
        add_span(w, low, high, scope);
    else
        add_ranges(w, die, scope);
    uint64_t *lowest = &w->out->scope[scope].low;
    for (size_t i = before; i < w->out->spans; i++)
        if (i == before || w->out->span[i].low < *lowest)
            *lowest = w->out->span[i].low;
}

/* --- the scopes --- */

static void walk_children(struct walk *w, die_t parent, uint32_t scope);

static uint64_t number_of(struct walk *w, die_t die, unsigned attribute)
{
    uint64_t number = 0;
    reader_number(w->r, die, attribute, &number);
    return number;
}

static void enter_function(struct walk *w, die_t die, bool inlined, uint32_t around)
{
    struct oracle_scopes *t = w->out;
    struct oracle_scope s = {.die = reader_offset(die), .parent = inlined ? around : ORACLE_NONE};
    if (!grow(&t->scope, &t->cap, t->count, sizeof s))
        abort();
    s.deep = around == ORACLE_NONE ? 0 : t->scope[around].deep + 1;
    s.call_file = number_of(w, die, DW_AT_call_file);
    s.call_line = number_of(w, die, DW_AT_call_line);
    s.call_column = number_of(w, die, DW_AT_call_column);
    t->scope[t->count] = s;
    uint32_t own = (uint32_t)t->count++;
    add_code(w, die, own);
    walk_children(w, die, own);
}

static void walk_children(struct walk *w, die_t parent, uint32_t scope)
{
    for (die_t die = reader_child(w->r, parent); die; die = reader_next(w->r, die)) {
        unsigned tag = reader_tag(die);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            enter_function(w, die, tag == DW_TAG_inlined_subroutine, scope);
        else
            walk_children(w, die, scope);
    }
}

void oracle_scopes_read(struct reader *r, die_t unit, uint64_t base, struct oracle_scopes *out)
{
    struct walk w = {r, base, out};
    *out = (struct oracle_scopes){0};
    walk_children(&w, unit, ORACLE_NONE);
}

uint32_t oracle_scopes_find(const struct oracle_scopes *t, uint64_t address)
{
    uint32_t found = ORACLE_NONE;
    for (size_t i = 0; i < t->spans; i++) {
        const struct oracle_span *s = &t->span[i];
        if (address >= s->low && address < s->high &&
            (found == ORACLE_NONE || t->scope[s->scope].deep >= t->scope[found].deep))
            found = s->scope;
    }
    return found;
}

/* Of the DIE, or of those that it completes. */
const char *oracle_name(struct reader *r, uint64_t offset)
{
    const char *name = NULL, *linkage = NULL;
    for (int deep = 0; deep < READER_DEEPEST && !linkage; deep++) {
        die_t die = reader_die(r, offset);
        if (!die)
            break;
        linkage = reader_text(die, DW_AT_linkage_name);
        if (!linkage)
            linkage = reader_text(die, DW_AT_MIPS_linkage_name);
        name = name ? name : reader_text(die, DW_AT_name);
        bool more = reader_reference(r, die, DW_AT_abstract_origin, &offset) ||
                    reader_reference(r, die, DW_AT_specification, &offset);
        reader_free(&die);
        if (!more)
            break;
    }
    return linkage ? linkage : name;
}

void oracle_scopes_release(struct oracle_scopes *t)
{
    free(t->scope);
    free(t->span);
    *t = (struct oracle_scopes){0};
}
