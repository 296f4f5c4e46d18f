#include "dwarf_library.h"

#include "grow.h"
#include "libdwarf/debug.h"

#include <stdlib.h>

struct root {
    uint64_t offset;
    Dwarf_Die die;
};

struct dwarf_library {
    Dwarf_Debug debug;
    struct libdwarf_object object;
    struct root *root; /* of the units, in order; found at the first question */
    size_t roots, room;
    bool searched;
};

/* What a table of files needs; whatever else is broken, libdwarf does not see. */
static const struct {
    enum dwarf_section section;
    const char *name;
} given[] = {{DWARF_INFO, ".debug_info"},         {DWARF_ABBREV, ".debug_abbrev"},
             {DWARF_LINE, ".debug_line"},         {DWARF_STR, ".debug_str"},
             {DWARF_LINE_STR, ".debug_line_str"}, {DWARF_STR_OFFSETS, ".debug_str_offsets"},
             {DWARF_ADDR, ".debug_addr"},         {DWARF_RNGLISTS, ".debug_rnglists"}};

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
    for (size_t i = 0; i < l->roots; i++)
        dwarf_dealloc(l->debug, l->root[i].die, DW_DLA_DIE);
    free(l->root);
    libdwarf_end(&l->object, l->debug);
    free(l);
}

/* An error belongs to its Dwarf_Debug and must be given back. */
static bool succeeded(struct dwarf_library *l, int result, Dwarf_Error e)
{
    if (result == DW_DLV_ERROR && e)
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

static bool next_unit(struct dwarf_library *l)
{
    Dwarf_Unsigned length, abbrev, type_offset, next;
    Dwarf_Half version, addr_size, offset_size, extension, type;
    Dwarf_Sig8 signature;
    Dwarf_Error e = NULL;
    int result =
        dwarf_next_cu_header_d(l->debug, 1, &length, &version, &abbrev, &addr_size, &offset_size,
                               &extension, &signature, &type_offset, &next, &type, &e);
    return succeeded(l, result, e);
}

static void add_root(struct dwarf_library *l)
{
    Dwarf_Die die = NULL;
    Dwarf_Off offset = 0;
    Dwarf_Error e = NULL;
    if (!succeeded(l, dwarf_siblingof_b(l->debug, NULL, 1, &die, &e), e))
        return;
    e = NULL;
    if (succeeded(l, dwarf_dieoffset(die, &offset, &e), e) &&
        grow((void **)&l->root, &l->room, l->roots, sizeof *l->root))
        l->root[l->roots++] = (struct root){offset, die};
    else
        dwarf_dealloc(l->debug, die, DW_DLA_DIE);
}

/* One after the other: dwarf_offdie_b of 20210528 fails, without an error, on some units of
 * clang's.
 */
static void find_roots(struct dwarf_library *l)
{
    enum { MOST = 1 << 20 };
    l->searched = true;
    while (l->roots < MOST && next_unit(l))
        add_root(l);
}

static int by_offset(const void *a, const void *b)
{
    const struct root *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void dwarf_library_files(struct dwarf_library *l, uint64_t root, dwarf_file_taker *take, void *arg)
{
    struct root key = {.offset = root};
    if (!l->searched)
        find_roots(l);
    const struct root *found =
        l->roots ? bsearch(&key, l->root, l->roots, sizeof key, by_offset) : NULL;
    if (found)
        give_files(l, found->die, take, arg);
}
