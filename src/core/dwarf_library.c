#include "dwarf_library.h"

#include "libdwarf/debug.h"

#include <stdlib.h>

struct dwarf_library {
    Dwarf_Debug debug;
    struct libdwarf_object object;
};

/* What a line table needs; whatever else is broken, libdwarf does not see. */
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

static void give_file(struct dwarf_library *l, Dwarf_Line_Context t, Dwarf_Signed number,
                      const struct dwarf_library_sink *sink, bool five)
{
    const char *name = NULL, *dir = NULL;
    Dwarf_Unsigned in = 0;
    Dwarf_Error e = NULL;
    if (!succeeded(l, dwarf_srclines_files_data_b(t, number, &name, &in, NULL, NULL, NULL, &e), e))
        return;
    e = NULL;
    if ((in || five) &&
        !succeeded(l, dwarf_srclines_include_dir_data(t, (Dwarf_Signed)in, &dir, &e), e))
        dir = NULL;
    sink->file(sink->arg, (uint64_t)number, name, dir);
}

static void give_files(struct dwarf_library *l, Dwarf_Line_Context t, bool five,
                       const struct dwarf_library_sink *sink)
{
    Dwarf_Signed first = 0, count = 0, end = 0;
    Dwarf_Error e = NULL;
    if (succeeded(l, dwarf_srclines_files_indexes(t, &first, &count, &end, &e), e))
        for (Dwarf_Signed i = first; i < end; i++)
            give_file(l, t, i, sink, five);
}

static bool read_row(Dwarf_Line line, struct dwarf_library_row *out, Dwarf_Error *e)
{
    Dwarf_Addr addr;
    Dwarf_Unsigned number, file, column, isa, discriminator = 0;
    Dwarf_Bool end, prologue, epilogue;
    if (dwarf_lineaddr(line, &addr, e) || dwarf_lineendsequence(line, &end, e) ||
        dwarf_lineno(line, &number, e) || dwarf_line_srcfileno(line, &file, e) ||
        dwarf_lineoff_b(line, &column, e) ||
        dwarf_prologue_end_etc(line, &prologue, &epilogue, &isa, &discriminator, e))
        return false;
    *out = (struct dwarf_library_row){addr, number, file, column, discriminator, end};
    return true;
}

static bool give_rows(struct dwarf_library *l, Dwarf_Line_Context t,
                      const struct dwarf_library_sink *sink)
{
    Dwarf_Line *line = NULL;
    Dwarf_Signed count = 0;
    Dwarf_Error e = NULL;
    if (!succeeded(l, dwarf_srclines_from_linecontext(t, &line, &count, &e), e))
        return false;
    for (Dwarf_Signed i = 0; i < count; i++) {
        struct dwarf_library_row row;
        e = NULL;
        if (read_row(line[i], &row, &e))
            sink->row(sink->arg, &row);
        else if (e)
            dwarf_dealloc(l->debug, e, DW_DLA_ERROR);
    }
    return true;
}

bool dwarf_library_lines(struct dwarf_library *l, uint64_t root,
                         const struct dwarf_library_sink *sink)
{
    Dwarf_Die die = NULL;
    Dwarf_Error e = NULL;
    Dwarf_Unsigned version = 0;
    Dwarf_Small tables = 0;
    Dwarf_Line_Context t = NULL;
    if (!succeeded(l, dwarf_offdie_b(l->debug, root, 1, &die, &e), e))
        return false;
    e = NULL;
    bool ok = succeeded(l, dwarf_srclines_b(die, &version, &tables, &t, &e), e);
    if (ok) {
        give_files(l, t, version == 5, sink);
        ok = give_rows(l, t, sink);
        dwarf_srclines_dealloc_b(t);
    }
    dwarf_dealloc(l->debug, die, DW_DLA_DIE);
    return ok;
}
