/* The interface of libdwarf 20210528 and before. */
#include "reader.h"

static int section_info(void *image, Dwarf_Half index, Dwarf_Obj_Access_Section *out, int *error)
{
    struct dwarf_bytes bytes;
    *out = (Dwarf_Obj_Access_Section){.name = reader_section(image, index, &bytes)};
    out->size = bytes.len;
    return index < READER_SECTIONS ? DW_DLV_OK : DW_DLV_NO_ENTRY;
}

static int load_section(void *image, Dwarf_Half index, Dwarf_Small **out, int *error)
{
    struct dwarf_bytes bytes;
    reader_section(image, index, &bytes);
    *out = (Dwarf_Small *)(uintptr_t)bytes.at;
    return bytes.len ? DW_DLV_OK : DW_DLV_NO_ENTRY;
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
    return READER_SECTIONS;
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

void reader_free_ranges(struct reader *r, Dwarf_Ranges *ranges, Dwarf_Signed count)
{
    dwarf_ranges_dealloc(r->dbg, ranges, count);
}
