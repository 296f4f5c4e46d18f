#include "dwarf_library.h"

#include "dwarf_line.h"
#include "libdwarf/debug.h"

#include <dwarf.h>

/* --- the unit: a header of version 3 and its root entry --- */

static const uint8_t abbrevs[] = {
    1, DW_TAG_compile_unit, 0, DW_AT_stmt_list, DW_FORM_data4, DW_AT_comp_dir, DW_FORM_string, 0, 0,
    0};

enum { HEAD = 11, ENTRY = 1 + 4, LONGEST_DIR = 4096 };

struct unit {
    uint8_t bytes[HEAD + ENTRY + LONGEST_DIR];
    size_t len;
};

static void make_unit(struct unit *u, const struct dwarf_image *d, const char *comp_dir)
{
    size_t dir = strnlen(comp_dir, LONGEST_DIR - 1);
    *u = (struct unit){.len = HEAD + ENTRY + dir + 1};
    uint32_t rest = (uint32_t)u->len - 4;
    if (d->big)
        put_be32(u->bytes, rest);
    else
        put_le32(u->bytes, rest);
    u->bytes[d->big ? 5 : 4] = 3; /* the version; the abbreviations are at 0 */
    u->bytes[10] = d->addr_size;
    u->bytes[HEAD] = 1; /* the abbreviation; the line program is at 0 */
    memcpy(u->bytes + HEAD + ENTRY, comp_dir, dir);
}

/* --- asking libdwarf --- */

/* An error must be given back. */
static bool succeeded(Dwarf_Debug debug, int result, Dwarf_Error e)
{
    if (result == DW_DLV_ERROR && e)
        dwarf_dealloc(debug, e, DW_DLA_ERROR);
    return result == DW_DLV_OK;
}

static bool read_root(Dwarf_Debug debug, Dwarf_Die *out)
{
    Dwarf_Unsigned length, abbrev, type_offset, next;
    Dwarf_Half version, addr_size, offset_size, extension, type;
    Dwarf_Sig8 signature;
    Dwarf_Error e = NULL;
    int result =
        dwarf_next_cu_header_d(debug, 1, &length, &version, &abbrev, &addr_size, &offset_size,
                               &extension, &signature, &type_offset, &next, &type, &e);
    if (!succeeded(debug, result, e))
        return false;
    e = NULL;
    result = dwarf_siblingof_b(debug, NULL, 1, out, &e);
    return succeeded(debug, result, e);
}

static void give_files(Dwarf_Debug debug, Dwarf_Die root, dwarf_file_taker *take, void *arg)
{
    char **file = NULL;
    Dwarf_Signed count = 0;
    Dwarf_Error e = NULL;
    int result = dwarf_srcfiles(root, &file, &count, &e);
    if (!succeeded(debug, result, e))
        return;
    for (Dwarf_Signed i = 0; i < count; i++) {
        take(arg, file[i]);
        dwarf_dealloc(debug, file[i], DW_DLA_STRING);
    }
    dwarf_dealloc(debug, file, DW_DLA_LIST);
}

static void ask(struct libdwarf_object *o, dwarf_file_taker *take, void *arg)
{
    Dwarf_Debug debug;
    Dwarf_Die root = NULL;
    if (!libdwarf_begin(o, &debug))
        return;
    if (read_root(debug, &root)) {
        give_files(debug, root, take, arg);
        dwarf_dealloc(debug, root, DW_DLA_DIE);
    }
    libdwarf_end(o, debug);
}

static void add(struct libdwarf_object *o, const char *name, const uint8_t *bytes, size_t len)
{
    if (len)
        o->section[o->sections++] = (struct libdwarf_section){name, bytes, len};
}

void dwarf_library_files(const struct dwarf_image *d, uint64_t line_offset, const char *comp_dir,
                         dwarf_file_taker *take, void *arg)
{
    struct unit u;
    struct dwarf_bytes line = dwarf_line_bytes(d, line_offset);
    const struct dwarf_bytes *s = d->section;
    struct libdwarf_object o = {.big = d->big, .addr_size = d->addr_size};
    make_unit(&u, d, comp_dir ? comp_dir : "");
    add(&o, ".debug_info", u.bytes, u.len);
    add(&o, ".debug_abbrev", abbrevs, sizeof abbrevs);
    add(&o, ".debug_line", line.at, line.len);
    add(&o, ".debug_str", s[DWARF_STR].at, s[DWARF_STR].len);
    add(&o, ".debug_line_str", s[DWARF_LINE_STR].at, s[DWARF_LINE_STR].len);
    ask(&o, take, arg);
}
