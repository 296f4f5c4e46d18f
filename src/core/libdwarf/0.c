#include "debug.h"

#include <dwarf.h>
#include <stdlib.h>

/* PSUITE_LIBDWARF_INDEX, the type of a section's number, is cmake's: it became wider after 0.5. */

/* Section 0 is ELF's empty one. */
static int section_info(void *object, PSUITE_LIBDWARF_INDEX i, Dwarf_Obj_Access_Section_a *out,
                        int *e)
{
    const struct libdwarf_object *o = object;
    (void)e;
    *out = (Dwarf_Obj_Access_Section_a){0};
    out->as_name = "";
    if (i > o->sections)
        return DW_DLV_NO_ENTRY;
    if (i) {
        out->as_name = o->section[i - 1].name;
        out->as_size = o->section[i - 1].len;
        out->as_type = 1; /* SHT_PROGBITS */
    }
    return DW_DLV_OK;
}

static Dwarf_Small byte_order(void *object)
{
    return ((const struct libdwarf_object *)object)->big ? DW_END_big : DW_END_little;
}

static Dwarf_Small length_size(void *object)
{
    (void)object;
    return 4;
}

static Dwarf_Small pointer_size(void *object)
{
    return ((const struct libdwarf_object *)object)->addr_size;
}

static Dwarf_Unsigned file_size(void *object)
{
    const struct libdwarf_object *o = object;
    Dwarf_Unsigned sum = 0;
    for (unsigned i = 0; i < o->sections; i++)
        sum += o->section[i].len;
    return sum;
}

static Dwarf_Unsigned section_count(void *object)
{
    return ((const struct libdwarf_object *)object)->sections + 1;
}

/* The bytes are read only, whatever the type says. */
static int load_section(void *object, PSUITE_LIBDWARF_INDEX i, Dwarf_Small **out, int *e)
{
    const struct libdwarf_object *o = object;
    (void)e;
    if (!i || i > o->sections)
        return DW_DLV_NO_ENTRY;
    *out = (Dwarf_Small *)(uintptr_t)o->section[i - 1].bytes;
    return DW_DLV_OK;
}

static const Dwarf_Obj_Access_Methods_a methods = {.om_get_section_info = section_info,
                                                   .om_get_byte_order = byte_order,
                                                   .om_get_length_size = length_size,
                                                   .om_get_pointer_size = pointer_size,
                                                   .om_get_filesize = file_size,
                                                   .om_get_section_count = section_count,
                                                   .om_load_section = load_section};

bool libdwarf_begin(struct libdwarf_object *o, Dwarf_Debug *out)
{
    Dwarf_Error e = NULL;
    Dwarf_Obj_Access_Interface_a *with = malloc(sizeof *with);
    if (!with)
        return false;
    *with = (Dwarf_Obj_Access_Interface_a){o, &methods};
    int result = dwarf_object_init_b(with, NULL, NULL, DW_GROUPNUMBER_BASE, out, &e);
    if (result == DW_DLV_ERROR)
        dwarf_dealloc(NULL, e, DW_DLA_ERROR);
    o->interface = with;
    if (result == DW_DLV_OK)
        return true;
    free(with);
    return false;
}

void libdwarf_end(struct libdwarf_object *o, Dwarf_Debug d)
{
    dwarf_object_finish(d);
    free(o->interface);
}
