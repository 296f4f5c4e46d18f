/* The interface of libdwarf 20210528 and before. */
#include "reader.h"

static const char *const names[] = {
    [DWARF_INFO] = ".debug_info",
    [DWARF_ABBREV] = ".debug_abbrev",
    [DWARF_STR] = ".debug_str",
    [DWARF_LINE_STR] = ".debug_line_str",
    [DWARF_STR_OFFSETS] = ".debug_str_offsets",
    [DWARF_ADDR] = ".debug_addr",
    [DWARF_RANGES] = ".debug_ranges",
    [DWARF_RNGLISTS] = ".debug_rnglists",
};

enum { SECTIONS = sizeof names / sizeof names[0] };

/* Section 0 is none in ELF. */
static const struct dwarf_bytes *section_at(const struct dwarf_image *d, unsigned index)
{
    static const struct dwarf_bytes none;
    return index && index <= SECTIONS && names[index - 1] ? &d->section[index - 1] : &none;
}

static int section_info(void *image, Dwarf_Half index, Dwarf_Obj_Access_Section *out, int *error)
{
    (void)error;
    *out = (Dwarf_Obj_Access_Section){0};
    out->size = section_at(image, index)->len;
    out->name = out->size ? names[index - 1] : "";
    return index <= SECTIONS ? DW_DLV_OK : DW_DLV_NO_ENTRY;
}

static int load_section(void *image, Dwarf_Half index, Dwarf_Small **bytes, int *error)
{
    const struct dwarf_bytes *s = section_at(image, index);
    (void)error;
    *bytes = (Dwarf_Small *)(uintptr_t)s->at;
    return s->len ? DW_DLV_OK : DW_DLV_NO_ENTRY;
}

static Dwarf_Endianness byte_order(void *image)
{
    const struct dwarf_image *d = image;
    return d->big_endian ? DW_OBJECT_MSB : DW_OBJECT_LSB;
}

static Dwarf_Small pointer_size(void *image)
{
    const struct dwarf_image *d = image;
    return d->addr_size;
}

static Dwarf_Unsigned section_count(void *image)
{
    (void)image;
    return SECTIONS + 1;
}

bool reader_open(struct reader *r)
{
    static const Dwarf_Obj_Access_Methods methods = {
        .get_section_info = section_info,
        .get_byte_order = byte_order,
        .get_length_size = pointer_size,
        .get_pointer_size = pointer_size,
        .get_section_count = section_count,
        .load_section = load_section,
    };
    static Dwarf_Obj_Access_Interface object;
    Dwarf_Error e = NULL;
    object = (Dwarf_Obj_Access_Interface){&r->image, &methods};
    return dwarf_object_init_b(&object, NULL, NULL, DW_GROUPNUMBER_ANY, &r->dbg, &e) == DW_DLV_OK;
}

void reader_close(struct reader *r)
{
    Dwarf_Error e = NULL;
    if (r->dbg)
        dwarf_object_finish(r->dbg, &e);
}
