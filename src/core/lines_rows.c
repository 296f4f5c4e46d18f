#include "grow.h"
#include "lines_unit.h"

/* --- building --- */

static char *room_for_text(struct lines_rows *t, size_t len)
{
    while (t->text_room - t->text_len < len) {
        size_t room = t->text_room * 2 + 1024;
        char *more = room < UINT32_MAX ? realloc(t->text, room) : NULL;
        if (!more)
            return NULL;
        t->text = more;
        t->text_room = room;
    }
    return t->text + t->text_len;
}

static void take_file(void *arg, const char *path)
{
    struct lines_rows *t = arg;
    size_t len = strlen(path) + 1;
    char *text = t->short_of_memory ? NULL : room_for_text(t, len);
    if (!text || !grow((void **)&t->file, &t->file_room, t->files, sizeof *t->file)) {
        t->short_of_memory = true;
        return;
    }
    memcpy(text, path, len);
    t->file[t->files++] = (struct lines_file){(uint32_t)t->text_len, NULL};
    t->text_len += len;
}

static uint16_t narrow(uint64_t n)
{
    return n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

/* A sequence is open while its end is 0. */
static struct lines_sequence *open_sequence(struct lines_rows *t, uint64_t start)
{
    if (t->sequences && !t->sequence[t->sequences - 1].end)
        return &t->sequence[t->sequences - 1];
    if (!grow((void **)&t->sequence, &t->sequence_room, t->sequences, sizeof *t->sequence))
        return NULL;
    t->sequence[t->sequences] = (struct lines_sequence){start, 0, t->rows, 0};
    return &t->sequence[t->sequences++];
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
static bool room_for(struct lines_rows *t, struct lines_sequence *s, const struct lines_row *row)
{
    struct lines_row *last = s->rows ? &t->row[t->rows - 1] : NULL;
    if (last && last->offset == row->offset) {
        *last = *row;
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
    struct lines_row row = {(uint32_t)offset, (uint32_t)r->line, (uint32_t)r->file,
                            narrow(r->column), narrow(r->discriminator)};
    bool backwards = s->rows && offset < t->row[t->rows - 1].offset;
    if (offset > UINT32_MAX || backwards || !room_for(t, s, &row))
        return true;
    if (!grow((void **)&t->row, &t->row_room, t->rows, sizeof row))
        return false;
    t->row[t->rows++] = row;
    s->rows++;
    return true;
}

static bool take_row(void *arg, const struct dwarf_row *r)
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
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void shrink(void **array, size_t *room, size_t count, size_t each)
{
    void *less = count && count < *room ? realloc(*array, count * each) : NULL;
    if (less) {
        *array = less;
        *room = count;
    }
}

bool lines_rows_read(struct lines_rows *t, const struct dwarf_die *root)
{
    uint64_t offset;
    if (!dwarf_value_number(root, DWARF_STMT_LIST, &offset))
        return true;
    const struct dwarf_image *d = &root->unit->file->image;
    unsigned version = dwarf_line_rows(d, offset, take_row, t);
    close_sequence(t, 0); /* a program that ends without saying so: its last sequence is unknown */
    t->first_file = version < 5;
    if (version)
        dwarf_library_files(d, offset, dwarf_value_string(root, DWARF_COMP_DIR), take_file, t);
    if (t->sequences)
        qsort(t->sequence, t->sequences, sizeof *t->sequence, by_end);
    shrink((void **)&t->row, &t->row_room, t->rows, sizeof *t->row);
    shrink((void **)&t->sequence, &t->sequence_room, t->sequences, sizeof *t->sequence);
    shrink((void **)&t->file, &t->file_room, t->files, sizeof *t->file);
    return !t->short_of_memory;
}

void lines_rows_release(struct lines_rows *t)
{
    free(t->sequence);
    free(t->row);
    free(t->file);
    free(t->text);
    *t = (struct lines_rows){0};
}

size_t lines_rows_bytes(const struct lines_rows *t)
{
    return t->sequence_room * sizeof *t->sequence + t->row_room * sizeof *t->row +
           t->file_room * sizeof *t->file + t->text_room;
}

/* --- asking --- */

/* The first sequence that ends behind the address, if it holds it. */
static const struct lines_sequence *sequence_of(const struct lines_rows *t, uint64_t addr)
{
    size_t low = 0, high = t->sequences;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (t->sequence[mid].end > addr)
            high = mid;
        else
            low = mid + 1;
    }
    return low < t->sequences && t->sequence[low].start <= addr ? &t->sequence[low] : NULL;
}

const struct lines_row *lines_rows_find(const struct lines_rows *t, uint64_t addr)
{
    const struct lines_sequence *s = sequence_of(t, addr);
    if (!s)
        return NULL;
    const struct lines_row *row = t->row + s->first;
    uint64_t offset = addr - s->start;
    size_t low = 0, high = s->rows; /* the last row whose offset is not above; the first's is 0 */
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (row[mid].offset <= offset)
            low = mid;
        else
            high = mid;
    }
    return row + low;
}

struct lines_file *lines_rows_file(const struct lines_rows *t, uint64_t number)
{
    if (number < t->first_file || number - t->first_file >= t->files)
        return NULL;
    return &t->file[number - t->first_file];
}
