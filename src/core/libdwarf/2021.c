#include "debug.h"

#include <stdlib.h>

/* Section 0 is ELF's empty one. */
static int section_info(void *object, Dwarf_Half i, Dwarf_Obj_Access_Section *out, int *e)
{
    const struct libdwarf_object *o = object;
    (void)e;
    *out = (Dwarf_Obj_Access_Section){0};
    out->name = "";
    if (i > o->sections)
        return DW_DLV_NO_ENTRY;
    if (i) {
        out->name = o->section[i - 1].name;
        out->size = o->section[i - 1].len;
        out->type = 1; /* SHT_PROGBITS */
    }
    return DW_DLV_OK;
}

static Dwarf_Endianness byte_order(void *object)
{
    return ((const struct libdwarf_object *)object)->big ? DW_OBJECT_MSB : DW_OBJECT_LSB;
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

static Dwarf_Unsigned section_count(void *object)
{
    return ((const struct libdwarf_object *)object)->sections + 1;
}

/* The bytes are read only, whatever the type says. */
static int load_section(void *object, Dwarf_Half i, Dwarf_Small **out, int *e)
{
    const struct libdwarf_object *o = object;
    (void)e;
    if (!i || i > o->sections)
        return DW_DLV_NO_ENTRY;
    *out = (Dwarf_Small *)(uintptr_t)o->section[i - 1].bytes;
    return DW_DLV_OK;
}

static const Dwarf_Obj_Access_Methods methods = {
    section_info, byte_order, length_size, pointer_size, section_count, load_section, NULL};

bool libdwarf_begin(struct libdwarf_object *o, Dwarf_Debug *out)
{
    Dwarf_Error e = NULL;
    Dwarf_Obj_Access_Interface *with = malloc(sizeof *with);
    if (!with)
        return false;
    *with = (Dwarf_Obj_Access_Interface){o, &methods};
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
    Dwarf_Error e = NULL;
    dwarf_object_finish(d, &e);
    free(o->interface);
}
