#include "dwarf_library.h"

#include "libdwarf/debug.h"

#include <stdlib.h>

struct dwarf_library {
    Dwarf_Debug debug;
    struct libdwarf_object object;
};

/* What a table of files needs; whatever else is broken, libdwarf does not see. */
static const struct {
    enum dwarf_section section;
    const char *name;
} given[] = {{DWARF_INFO, ".debug_info"},         {DWARF_ABBREV, ".debug_abbrev"},
             {DWARF_LINE, ".debug_line"},         {DWARF_STR, ".debug_str"},
             {DWARF_LINE_STR, ".debug_line_str"}, {DWARF_STR_OFFSETS, ".debug_str_offsets"}};

struct dwarf_library *dwarf_library_new(const struct dwarf_image *d)
{
    struct dwarf_library *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->object.big = d->big;
    l->object.addr_size = d->addr_size;
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        struct dwarf_bytes b = d->section[given[i].section];
        if (b.len)
            l->object.section[l->object.sections++] =
                (struct libdwarf_section){given[i].name, b.at, b.len};
    }
    if (libdwarf_begin(&l->object, &l->debug))
        return l;
    free(l);
    return NULL;
}

void dwarf_library_free(struct dwarf_library *l)
{
    if (!l)
        return;
    libdwarf_end(&l->object, l->debug);
    free(l);
}

/* An error belongs to its Dwarf_Debug and must be given back. */
static bool succeeded(struct dwarf_library *l, int result, Dwarf_Error e)
{
    if (result == DW_DLV_ERROR)
        dwarf_dealloc(l->debug, e, DW_DLA_ERROR);
    return result == DW_DLV_OK;
}

static void give_files(struct dwarf_library *l, Dwarf_Die root, dwarf_file_taker *take, void *arg)
{
    char **file = NULL;
    Dwarf_Signed count = 0;
    Dwarf_Error e = NULL;
    if (!succeeded(l, dwarf_srcfiles(root, &file, &count, &e), e))
        return;
    for (Dwarf_Signed i = 0; i < count; i++) {
        take(arg, file[i]);
        dwarf_dealloc(l->debug, file[i], DW_DLA_STRING);
    }
    dwarf_dealloc(l->debug, file, DW_DLA_LIST);
}

void dwarf_library_files(struct dwarf_library *l, uint64_t root, dwarf_file_taker *take, void *arg)
{
    Dwarf_Die die = NULL;
    Dwarf_Error e = NULL;
    if (!succeeded(l, dwarf_offdie_b(l->debug, root, 1, &die, &e), e))
        return;
    give_files(l, die, take, arg);
    dwarf_dealloc(l->debug, die, DW_DLA_DIE);
}
