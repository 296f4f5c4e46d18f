/* The interface of libdwarf since 0.1.0 (2021). */
#include "reader.h"

static int section_info(void *image, Dwarf_Unsigned index, Dwarf_Obj_Access_Section_a *out,
                        int *error)
{
    struct dwarf_bytes bytes;
    *out = (Dwarf_Obj_Access_Section_a){.as_name = reader_section(image, index, &bytes)};
    out->as_size = bytes.len;
    return index < READER_SECTIONS ? DW_DLV_OK : DW_DLV_NO_ENTRY;
}

static int load_section(void *image, Dwarf_Unsigned index, Dwarf_Small **out, int *error)
{
    struct dwarf_bytes bytes;
    reader_section(image, index, &bytes);
    *out = (Dwarf_Small *)(uintptr_t)bytes.at;
    return bytes.len ? DW_DLV_OK : DW_DLV_NO_ENTRY;
}

static Dwarf_Small byte_order(void *image)
{
    const struct dwarf_image *d = image;
    return d->big_endian ? DW_END_big : DW_END_little;
}

static Dwarf_Small pointer_size(void *image)
{
    const struct dwarf_image *d = image;
    return d->addr_size;
}

/* No section is longer than all of them. */
static Dwarf_Unsigned file_size(void *image)
{
    Dwarf_Unsigned size = 0;
    struct dwarf_bytes bytes;
    for (unsigned i = 0; i < READER_SECTIONS; i++) {
        reader_section(image, i, &bytes);
        size += bytes.len;
    }
    return size;
}

static Dwarf_Unsigned section_count(void *image)
{
    return READER_SECTIONS;
}

bool reader_open(struct reader *r)
{
    static const Dwarf_Obj_Access_Methods_a methods = {
        .om_get_section_info = section_info,
        .om_get_byte_order = byte_order,
        .om_get_length_size = pointer_size,
        .om_get_pointer_size = pointer_size,
        .om_get_filesize = file_size,
        .om_get_section_count = section_count,
        .om_load_section = load_section,
    };
    static Dwarf_Obj_Access_Interface_a object;
    Dwarf_Error e = NULL;
    object = (Dwarf_Obj_Access_Interface_a){&r->image, &methods};
    return dwarf_object_init_b(&object, NULL, NULL, DW_GROUPNUMBER_ANY, &r->dbg, &e) == DW_DLV_OK;
}

void reader_close(struct reader *r)
{
    if (r->dbg)
        dwarf_object_finish(r->dbg);
}

void reader_free_ranges(struct reader *r, Dwarf_Ranges *ranges, Dwarf_Signed count)
{
    dwarf_dealloc_ranges(r->dbg, ranges, count);
}
