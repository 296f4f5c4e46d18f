#include "core/base/grow.h"
#include "core/base/sort.h"
#include "oracle.h"

#include <stdlib.h>

struct table {
    Dwarf_Line_Context context;
    Dwarf_Line *line;
    Dwarf_Signed count;
};

static bool open_table(die_t unit, struct table *t, struct oracle_rows *out)
{
    Dwarf_Unsigned version;
    Dwarf_Small tables;
    Dwarf_Error e = NULL;
    if (dwarf_srclines_b(unit, &version, &tables, &t->context, &e) != DW_DLV_OK || tables != 1 ||
        dwarf_srclines_from_linecontext(t->context, &t->line, &t->count, &e) != DW_DLV_OK)
        return false;
    out->listed_first = version < 5;
    if (dwarf_srcfiles(unit, &out->listed, &out->listed_count, &e) != DW_DLV_OK)
        out->listed_count = 0;
    return true;
}

static uint64_t file_of(Dwarf_Line line)
{
    Dwarf_Unsigned number = 0;
    Dwarf_Error e = NULL;
    return dwarf_line_srcfileno(line, &number, &e) == DW_DLV_OK ? number : UINT64_MAX;
}

static uint64_t address_of(Dwarf_Line line)
{
    Dwarf_Addr address = 0;
    Dwarf_Error e = NULL;
    dwarf_lineaddr(line, &address, &e);
    return address;
}

static bool ends_sequence(Dwarf_Line line)
{
    Dwarf_Bool ends = 0;
    Dwarf_Error e = NULL;
    dwarf_lineendsequence(line, &ends, &e);
    return ends;
}

static void add_row(Dwarf_Line line, uint64_t end, struct oracle_rows *out)
{
    struct oracle_row row = {.start = address_of(line), .end = end};
    Dwarf_Unsigned number = 0, isa = 0, discriminator = 0;
    Dwarf_Bool prologue, epilogue;
    Dwarf_Error e = NULL;
    row.file = file_of(line);
    dwarf_lineno(line, &number, &e);
    row.line = number;
    number = 0;
    dwarf_lineoff_b(line, &number, &e);
    row.column = number;
    dwarf_prologue_end_etc(line, &prologue, &epilogue, &isa, &discriminator, &e);
    row.discriminator = discriminator;
    if (!grow(&out->row, &out->cap, out->count, sizeof row))
        abort();
    out->row[out->count++] = row;
}

static int by_start(const void *a, const void *b)
{
    const struct oracle_row *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Of several rows at one address the last counts. Sequences at 0 are of code that the linker left
 * out. */
bool oracle_rows_read(struct reader *r, die_t unit, struct oracle_rows *out)
{
    struct table t = {0};
    uint64_t first = 0;
    bool begins = true;
    (void)r;
    *out = (struct oracle_rows){0};
    if (!open_table(unit, &t, out))
        return false;
    for (Dwarf_Signed i = 0; i + 1 < t.count; i++) {
        uint64_t start = address_of(t.line[i]), end = address_of(t.line[i + 1]);
        first = begins ? start : first;
        begins = ends_sequence(t.line[i]);
        if (!begins && first && end > start)
            add_row(t.line[i], end, out);
    }
    sort_array(out->row, out->count, sizeof *out->row, by_start);
    return true; /* the names of files live as long as the table: until libdwarf is closed */
}

const struct oracle_row *oracle_rows_find(const struct oracle_rows *t, uint64_t address)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->row[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < t->row[low - 1].end ? &t->row[low - 1] : NULL;
}

const char *oracle_file(const struct oracle_rows *t, uint64_t number)
{
    uint64_t at = number - (uint64_t)t->listed_first;
    return at < (uint64_t)t->listed_count ? t->listed[at] : NULL;
}

void oracle_rows_release(struct oracle_rows *t)
{
    free(t->row);
    *t = (struct oracle_rows){0};
}
