/*
 * linesoracle [-m MOST] FILE...: holds core/dwarf/lines against libdwarf. Of each unit the lines at
 * the beginning and end of each row of its table, and the chains of inlined functions there and at
 * both ends of each function's code, are compared: name, file, line, column, discriminator, start.
 * At most MOST addresses of a unit, spread over it. Prints the first differences, and for each file
 * how much was compared; fails when anything differs or cannot be read. .dwo files are read where
 * the file names them.
 */
#include "core/base/grow.h"
#include "core/base/sort.h"
#include "core/dwarf/lines.h"
#include "oracle.h"
#include "plat/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FRAMES = 128, MAX_IMAGES = 4096, SHOWN = 20 };

struct run {
    const char *path;
    struct reader base, split; /* split.dbg: the unit's .dwo; NULL */
    Dwarf_Debug tied;          /* the file again: libdwarf walks its units when it reads a .dwo */
    struct lines *lines;
    struct image image[MAX_IMAGES]; /* the file, and its .dwo files */
    size_t images, most;
    size_t units, split_units, unread_units, first_files, outside, rows, chains, inlined, differ;
};

struct unit {
    die_t die;
    struct reader *reader; /* of its functions */
    struct oracle_rows rows;
    struct oracle_scopes scopes;
    uint64_t *address;
    size_t addresses, cap;
};

/* --- comparing --- */

/* Without "./" and double slashes, which only say the same twice. */
static void clean_path(const char *path, char *out, size_t size)
{
    size_t len = 0;
    for (const char *at = path ? path : "?"; *at && len + 1 < size; at++) {
        bool slash = len && out[len - 1] == '/';
        if (slash && *at == '/')
            continue;
        if (slash && at[0] == '.' && at[1] == '/') {
            at++;
            continue;
        }
        out[len++] = *at;
    }
    out[len] = '\0';
}

static void differ(struct run *r, uint64_t address, const char *what, const char *ours,
                   const char *wanted)
{
    if (r->differ++ < SHOWN)
        printf("%s: %#" PRIx64 ": %s: %s, libdwarf has %s\n", r->path, address, what, ours, wanted);
}

/* A compilation directory that is relative is twice in a path of DWARF 5, as binutils and LLVM have
 * it, too; libdwarf 0.11 has it once. */
static bool is_dir_twice(const char *ours, const char *wanted)
{
    const char *rest = strncmp(wanted, "./", 2) == 0 ? wanted + 2 : wanted;
    size_t all = strlen(ours), len = strlen(rest), dir = all - len;
    return *wanted != '/' && all > len + 1 && ours[dir - 1] == '/' &&
           strcmp(ours + dir, rest) == 0 && strncmp(ours, wanted, dir) == 0;
}

static void same_text(struct run *r, uint64_t address, const char *what, const char *ours,
                      const char *wanted)
{
    char a[4200], b[4200];
    clean_path(ours, a, sizeof a);
    clean_path(wanted, b, sizeof b);
    if (strcmp(a, b) != 0 && !is_dir_twice(a, b))
        differ(r, address, what, a, b);
}

static void same_number(struct run *r, uint64_t address, const char *what, uint64_t ours,
                        uint64_t wanted)
{
    char a[24], b[24];
    snprintf(a, sizeof a, "%#" PRIx64, ours);
    snprintf(b, sizeof b, "%#" PRIx64, wanted);
    if (ours != wanted)
        differ(r, address, what, a, b);
}

/* A sequence of DWARF 5 begins with file 1 (6.2.2), and gas counts on it. libdwarf 20210528 begins
 * with file 0; gdb, LLVM and binutils with 1. */
static bool is_first_file(const struct unit *u, const struct oracle_row *row, const char *ours)
{
    char a[4200], b[4200], c[4200];
    clean_path(ours, a, sizeof a);
    clean_path(oracle_file(&u->rows, 1), b, sizeof b);
    clean_path(oracle_file(&u->rows, 0), c, sizeof c);
    return !row->file && !u->rows.listed_first && strcmp(a, b) == 0 && strcmp(b, c) != 0;
}

static void compare_row(struct run *r, const struct unit *u, uint64_t address,
                        const struct lines_frame *f)
{
    const struct oracle_row *row = oracle_rows_find(&u->rows, address);
    if (!row)
        return;
    r->rows++;
    if (is_first_file(u, row, f->file))
        r->first_files++;
    else
        same_text(r, address, "file", f->file, oracle_file(&u->rows, row->file));
    same_number(r, address, "line", f->line, row->line);
    same_number(r, address, "column", f->column, row->column);
    same_number(r, address, "discriminator", f->discriminator, row->discriminator);
}

static void compare_call(struct run *r, const struct unit *u, uint64_t address,
                         const struct lines_frame *f, const struct oracle_scope *callee)
{
    same_text(r, address, "file of a call", f->file, oracle_file(&u->rows, callee->call_file));
    same_number(r, address, "line of a call", f->line, callee->call_line);
    same_number(r, address, "column of a call", f->column, callee->call_column);
}

static void compare_chain(struct run *r, const struct unit *u, uint64_t address,
                          const struct lines_frame *f, size_t count)
{
    uint32_t at = oracle_scopes_find(&u->scopes, address);
    size_t i = 0;
    bool has_function = count && f[0].has_entry;
    r->chains++;
    for (; at != ORACLE_NONE && i < count && has_function; i++) {
        const struct oracle_scope *s = &u->scopes.scope[at];
        same_text(r, address, "function", f[i].function, oracle_name(u->reader, s->die));
        same_number(r, address, "start", f[i].start, s->low);
        if (s->parent != ORACLE_NONE && i + 1 < count)
            compare_call(r, u, address, &f[i + 1], s);
        at = s->parent;
    }
    r->inlined += i > 1;
    same_number(r, address, "functions there", has_function ? count : 0, i + (at != ORACLE_NONE));
}

static bool covers(struct run *r, const struct unit *u, uint64_t address)
{
    uint64_t low, high, start;
    return reader_range(u->die, &low, &high) ? address >= low && address < high
                                             : reader_in_ranges(&r->base, u->die, address, &start);
}

/* A line table goes on over padding behind the unit's last function. */
static void compare_address(struct run *r, const struct unit *u, uint64_t address)
{
    if (!covers(r, u, address)) {
        r->outside++;
        return;
    }
    struct lines_frame frame[MAX_FRAMES] = {{0}};
    size_t count = lines_at(r->lines, address, frame, MAX_FRAMES);
    compare_row(r, u, address, &frame[0]);
    if (!u->scopes.unread)
        compare_chain(r, u, address, frame, count);
}

/* --- which addresses --- */

static void add_ends(struct unit *u, uint64_t start, uint64_t end)
{
    if (!grow(&u->address, &u->cap, u->addresses + 1, sizeof *u->address))
        abort();
    u->address[u->addresses++] = start;
    u->address[u->addresses++] = end - 1;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void choose_addresses(struct unit *u)
{
    for (size_t i = 0; i < u->rows.count; i++)
        add_ends(u, u->rows.row[i].start, u->rows.row[i].end);
    for (size_t i = 0; i < u->scopes.spans; i++)
        if (oracle_rows_find(&u->rows, u->scopes.span[i].low)) /* not what the linker left out */
            add_ends(u, u->scopes.span[i].low, u->scopes.span[i].high);
    sort_array(u->address, u->addresses, sizeof *u->address, by_number);
}

static void compare_unit(struct run *r, struct unit *u)
{
    choose_addresses(u);
    double step = u->addresses > r->most ? (double)u->addresses / (double)r->most : 1;
    for (double i = 0; i < (double)u->addresses; i += step)
        compare_address(r, u, u->address[(size_t)i]);
}

/* --- units --- */

static const char *joined(char *out, size_t size, const char *dir, const char *name)
{
    snprintf(out, size, "%s%s%s", name[0] == '/' ? "" : dir, name[0] == '/' ? "" : "/", name);
    return out;
}

/* The DIE that has the functions: the unit's, or of its .dwo the first unit's. */
static die_t functions_of(struct run *r, die_t unit)
{
    char path[4200];
    Dwarf_Error e = NULL;
    die_t die = NULL;
    const char *name = reader_text(unit, DW_AT_dwo_name);
    const char *dir = reader_text(unit, DW_AT_comp_dir);
    name = name ? name : reader_text(unit, DW_AT_GNU_dwo_name);
    if (!name)
        return unit;
    r->split_units++;
    if (!r->tied)
        r->tied = oracle_open(r->path, NULL);
    r->split = (struct reader){
        .dbg = oracle_open(joined(path, sizeof path, dir ? dir : ".", name), r->tied)};
    Dwarf_Unsigned length, next, type_offset;
    Dwarf_Half version, address_size, length_size, extension_size, type;
    Dwarf_Off abbreviations;
    Dwarf_Sig8 signature;
    if (!r->split.dbg ||
        dwarf_next_cu_header_d(r->split.dbg, 1, &length, &version, &abbreviations, &address_size,
                               &length_size, &extension_size, &signature, &type_offset, &next,
                               &type, &e) != DW_DLV_OK ||
        dwarf_siblingof_b(r->split.dbg, NULL, 1, &die, &e) != DW_DLV_OK)
        differ(r, 0, "split unit", path, "cannot read it");
    return die;
}

static void read_unit(struct run *r, die_t die)
{
    struct unit u = {.die = die, .reader = &r->base};
    uint64_t base = 0;
    Dwarf_Addr low = 0;
    Dwarf_Error e = NULL;
    r->split.dbg = NULL;
    if (dwarf_lowpc(die, &low, &e) == DW_DLV_OK)
        base = low;
    if (!oracle_rows_read(&r->base, die, &u.rows))
        return;
    die_t functions = functions_of(r, die);
    if (functions != die)
        u.reader = &r->split;
    if (functions)
        oracle_scopes_read(u.reader, functions, base, &u.scopes);
    r->units++;
    r->unread_units += u.scopes.unread != 0;
    compare_unit(r, &u);
    if (r->split.dbg)
        oracle_close(r->split.dbg);
    oracle_scopes_release(&u.scopes);
    oracle_rows_release(&u.rows);
    free(u.address);
}

static bool next_unit(struct run *r, die_t *die)
{
    Dwarf_Unsigned length, next, type_offset;
    Dwarf_Half version, address_size, length_size, extension_size, type;
    Dwarf_Off abbreviations;
    Dwarf_Sig8 signature;
    Dwarf_Error e = NULL;
    *die = NULL;
    return dwarf_next_cu_header_d(r->base.dbg, 1, &length, &version, &abbreviations, &address_size,
                                  &length_size, &extension_size, &signature, &type_offset, &next,
                                  &type, &e) == DW_DLV_OK &&
           dwarf_siblingof_b(r->base.dbg, NULL, 1, die, &e) == DW_DLV_OK;
}

static bool read_split(void *arg, const char *path, const uint8_t **bytes, size_t *len)
{
    struct run *r = arg;
    struct image *image = &r->image[r->images];
    if (r->images == MAX_IMAGES || file_map_regular(path, image, NULL) < 0)
        return false;
    r->images++;
    *bytes = image->data;
    *len = image->len;
    return true;
}

static void compare_file(struct run *r)
{
    die_t die;
    lines_set_split(r->lines, read_split, r);
    while (next_unit(r, &die)) {
        if (reader_tag(die) == DW_TAG_compile_unit || reader_tag(die) == DW_TAG_skeleton_unit)
            read_unit(r, die);
        reader_free(&die);
    }
    if (r->unread_units)
        printf("%s: %zu units have lists of ranges that this libdwarf cannot read\n", r->path,
               r->unread_units);
    printf("%s: %zu units (%zu split), %zu rows, %zu chains, %zu of them with inlined functions; "
           "%zu in the first file, %zu outside, %zu differ\n",
           r->path, r->units, r->split_units, r->rows, r->chains, r->inlined, r->first_files,
           r->outside, r->differ);
}

static bool run_file(const char *path, size_t most)
{
    static struct run r;
    struct fail f = {0};
    r = (struct run){.path = path, .most = most, .images = 1};
    r.base.dbg = oracle_open(path, NULL);
    int err = file_map_regular(path, &r.image[0], &f);
    if (err == 0)
        err = lines_open(r.image[0].data, r.image[0].len, NULL, &r.lines, &f);
    if (err < 0 || !r.base.dbg) {
        printf("%s: %s\n", path, err < 0 ? f.what : "libdwarf cannot read it");
        return false;
    }
    compare_file(&r);
    lines_close(r.lines);
    oracle_close(r.base.dbg);
    if (r.tied)
        oracle_close(r.tied);
    for (size_t i = 0; i < r.images; i++)
        file_unmap(&r.image[i]);
    return !r.differ && r.rows;
}

int main(int argc, char **argv)
{
    int first = 1;
    size_t most = SIZE_MAX;
    if (argc > 3 && strcmp(argv[1], "-m") == 0) {
        most = strtoul(argv[2], NULL, 10);
        first = 3;
    }
    bool fine = argc > first;
    for (int i = first; i < argc; i++)
        fine &= run_file(argv[i], most ? most : 1);
    return fine ? 0 : 1;
}
