#include "reader.h"

/* Addresses of a DIE: [low_pc, high_pc), or a list of ranges in the section of its version. */

enum { MAX_RANGES = 1 << 16 };

static bool address_of(die_t die, uint64_t *low)
{
    Dwarf_Addr address;
    Dwarf_Error e = NULL;
    if (dwarf_lowpc(die, &address, &e) != DW_DLV_OK)
        return false;
    *low = address;
    return true;
}

bool reader_range(die_t die, uint64_t *low, uint64_t *high)
{
    Dwarf_Addr end;
    Dwarf_Half form;
    enum Dwarf_Form_Class class;
    Dwarf_Error e = NULL;
    if (!address_of(die, low) || dwarf_highpc_b(die, &end, &form, &class, &e) != DW_DLV_OK)
        return false;
    *high = class == DW_FORM_CLASS_ADDRESS ? end : *low + end;
    return true;
}

/* Of DWARF 3 and 4. */
static bool in_list(struct reader *r, die_t die, uint64_t list, uint64_t address, uint64_t *start)
{
    Dwarf_Ranges *ranges = NULL;
    Dwarf_Signed count = 0;
    Dwarf_Unsigned bytes;
    Dwarf_Off real;
    Dwarf_Error e = NULL;
    uint64_t base = 0;
    bool covers = false;
    if (dwarf_get_ranges_b(r->dbg, list, die, &real, &ranges, &count, &bytes, &e) != DW_DLV_OK)
        return false;
    SCOPED(reader_free) die_t unit = reader_die(r, reader_unit(die));
    if (unit)
        address_of(unit, &base);
    for (Dwarf_Signed i = 0; i < count && i < MAX_RANGES; i++) {
        const Dwarf_Ranges *one = &ranges[i];
        if (one->dwr_type == DW_RANGES_ADDRESS_SELECTION)
            base = one->dwr_addr2;
        if (one->dwr_type != DW_RANGES_ENTRY)
            continue;
        if (!i)
            *start = base + one->dwr_addr1;
        covers |= address - base >= one->dwr_addr1 && address - base < one->dwr_addr2;
    }
    reader_free_ranges(r, ranges, count);
    return covers;
}

static bool is_range(unsigned code)
{
    return code == DW_RLE_offset_pair || code == DW_RLE_start_end || code == DW_RLE_start_length ||
           code == DW_RLE_startx_endx || code == DW_RLE_startx_length;
}

/* Of DWARF 5. */
static bool in_rnglist(Dwarf_Attribute a, Dwarf_Half form, uint64_t value, uint64_t address,
                       uint64_t *start)
{
    Dwarf_Rnglists_Head head = NULL;
    Dwarf_Unsigned count = 0, global, raw1, raw2, low, high;
    Dwarf_Error e = NULL;
    bool covers = false, first = true;
    if (dwarf_rnglists_get_rle_head(a, form, value, &head, &count, &global, &e) != DW_DLV_OK)
        return false;
    for (Dwarf_Unsigned i = 0; i < count && i < MAX_RANGES; i++) {
        unsigned len, code;
        Dwarf_Bool missing;
        if (dwarf_get_rnglists_entry_fields_a(head, i, &len, &code, &raw1, &raw2, &missing, &low,
                                              &high, &e) != DW_DLV_OK)
            break;
        if (!is_range(code) || missing)
            continue;
        if (first)
            *start = low;
        first = false;
        covers |= address >= low && address < high;
    }
    dwarf_dealloc_rnglists_head(head);
    return covers;
}

bool reader_in_ranges(struct reader *r, die_t die, uint64_t address, uint64_t *start)
{
    Dwarf_Attribute a = NULL;
    Dwarf_Half form = 0, version = 0, offset_size;
    Dwarf_Error e = NULL;
    uint64_t value = 0;
    bool covers = false;
    if (dwarf_attr(die, DW_AT_ranges, &a, &e) != DW_DLV_OK)
        return false;
    Dwarf_Off offset = 0;
    Dwarf_Unsigned index = 0;
    dwarf_whatform(a, &form, &e);
    if (form == DW_FORM_rnglistx ? dwarf_formudata(a, &index, &e) == DW_DLV_OK
                                 : dwarf_global_formref(a, &offset, &e) == DW_DLV_OK) {
        value = form == DW_FORM_rnglistx ? index : offset;
        dwarf_get_version_of_die(die, &version, &offset_size);
        covers = version >= 5 ? in_rnglist(a, form, value, address, start)
                              : in_list(r, die, value, address, start);
    }
    dwarf_dealloc(r->dbg, a, DW_DLA_ATTR);
    return covers;
}
