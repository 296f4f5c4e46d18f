#include "core/base/budget.h"
#include "lines_unit.h"

#include "core/base/search.h"
#include "core/base/sort.h"

/* --- building --- */

static bool handle_dir(void *arg, const struct dwarf_line_name *dir)
{
    struct lines_rows *t = arg;
    t->short_of_memory |= !lines_files_add_dir(&t->files, dir);
    return !t->short_of_memory;
}

static bool handle_file(void *arg, const struct dwarf_line_name *file)
{
    struct lines_rows *t = arg;
    t->short_of_memory |= !lines_files_add(&t->files, file);
    return !t->short_of_memory;
}

static uint16_t clamp(uint64_t n, uint16_t most)
{
    return n < most ? (uint16_t)n : most;
}

/* A sequence is open while its end is 0. */
static struct lines_sequence *open_sequence(struct lines_rows *t, uint64_t start)
{
    if (t->sequences && !t->sequence[t->sequences - 1].end)
        return &t->sequence[t->sequences - 1];
    bool added = BUDGET_ADD(t->budget, t->sequence, t->sequence_cap, t->sequences,
                            (struct lines_sequence){start, 0, t->rows, 0});
    return added ? &t->sequence[t->sequences - 1] : NULL;
}

static void close_sequence(struct lines_rows *t, uint64_t end)
{
    struct lines_sequence *s = t->sequences ? &t->sequence[t->sequences - 1] : NULL;
    if (!s || s->end)
        return;
    s->end = end;
    if (s->end > s->start && s->rows)
        return;
    t->rows = s->first; /* empty, or of code that the linker left out */
    t->sequences--;
}

/* The last of several rows at one address counts, and equal neighbours are one. */
static bool needs_new_row(struct lines_rows *t, struct lines_sequence *s,
                          const struct lines_row *row)
{
    struct lines_row *last = s->rows ? &t->row[t->rows - 1] : NULL;
    if (last && last->offset == row->offset) {
        bool shares = last->shares_start || last->line != row->line;
        *last = *row;
        last->shares_start = shares;
        return false;
    }
    return !last || last->line != row->line || last->file != row->file ||
           last->column != row->column || last->discriminator != row->discriminator;
}

static bool add_row(struct lines_rows *t, const struct dwarf_row *r)
{
    struct lines_sequence *s = open_sequence(t, r->addr);
    if (!s)
        return false;
    uint64_t offset = r->addr - s->start;
    struct lines_row row = {.offset = (uint32_t)offset,
                            .line = (uint32_t)r->line,
                            .file = (uint32_t)r->file,
                            .column = clamp(r->column, UINT16_MAX),
                            .discriminator = clamp(r->discriminator, INT16_MAX) & INT16_MAX};
    bool backwards = s->rows && offset < t->row[t->rows - 1].offset;
    if (offset > UINT32_MAX || backwards || !needs_new_row(t, s, &row))
        return true;
    bool added = BUDGET_ADD(t->budget, t->row, t->row_cap, t->rows, row);
    s->rows += added;
    return added;
}

static bool handle_row(void *arg, const struct dwarf_row *r)
{
    struct lines_rows *t = arg;
    if (r->end)
        close_sequence(t, r->addr);
    else
        t->short_of_memory |= !add_row(t, r);
    return !t->short_of_memory;
}

static int by_end(const void *a, const void *b)
{
    const struct lines_sequence *x = a, *y = b;
    return ORDER(x->end, y->end) ?: ORDER(x->first, y->first);
}

void lines_rows_read(struct lines_rows *t, const struct dwarf_die *root)
{
    uint64_t offset;
    const struct dwarf_line_handler handler = {handle_dir, handle_file, handle_row, t};
    t->budget = t->files.budget = root->unit->file->image.budget;
    if (!dwarf_value_number(root, DWARF_STMT_LIST, &offset))
        return;
    unsigned version = dwarf_line_read(&root->unit->file->image, offset, &handler);
    close_sequence(t, 0); /* a program that ends without saying so: its last sequence is unknown */
    t->files.first = version < 5;
    t->files.unit = root->unit;
    t->files.comp_dir = dwarf_value_string(root, DWARF_COMP_DIR);
    sort_array(t->sequence, t->sequences, sizeof *t->sequence, by_end);
    budget_shrink(t->budget, (void **)&t->row, &t->row_cap, t->rows, sizeof *t->row);
    budget_shrink(t->budget, (void **)&t->sequence, &t->sequence_cap, t->sequences,
                  sizeof *t->sequence);
    budget_shrink(t->budget, (void **)&t->files.dir, &t->files.dir_cap, t->files.dirs,
                  sizeof *t->files.dir);
    budget_shrink(t->budget, (void **)&t->files.file, &t->files.file_cap, t->files.files,
                  sizeof *t->files.file);
}

void lines_rows_release(struct lines_rows *t)
{
    budget_free(t->budget, t->sequence, t->sequence_cap, sizeof *t->sequence);
    budget_free(t->budget, t->row, t->row_cap, sizeof *t->row);
    lines_files_release(&t->files);
    *t = (struct lines_rows){0};
}

size_t lines_rows_bytes(const struct lines_rows *t)
{
    return t->sequence_cap * sizeof *t->sequence + t->row_cap * sizeof *t->row +
           lines_files_bytes(&t->files);
}

/* --- asking --- */

/* The first sequence that ends behind the address, if it holds it. */
static const struct lines_sequence *sequence_of(const struct lines_rows *t, uint64_t addr)
{
    size_t at = FIRST_ABOVE(t->sequence, t->sequences, end, addr);
    return at < t->sequences && t->sequence[at].start <= addr ? &t->sequence[at] : NULL;
}

const struct lines_row *lines_rows_find(const struct lines_rows *t, uint64_t addr)
{
    const struct lines_sequence *s = sequence_of(t, addr);
    if (!s)
        return NULL;
    const struct lines_row *row = t->row + s->first;
    uint64_t offset = addr - s->start;
    return row + FIRST_ABOVE(row, s->rows, offset, offset) - 1; /* the first row's offset is 0 */
}
