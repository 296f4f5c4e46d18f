#include "lines_module.h"

#include <errno.h>
#include <stdlib.h>

/* A unit has a slot of the table of abbreviations, too. */
static bool take_index(struct lines *l)
{
    size_t bytes = (l->file.units + 1) * (sizeof *l->unit + sizeof *l->bare + 64);
    if (!budget_take(l->budget, bytes))
        return false;
    l->index_bytes = bytes;
    return true;
}

static int short_of_memory(const struct lines *l, struct fail *f)
{
    if (l->budget && l->budget->denied)
        return fail_set(f, EFBIG, "its debug information is over the memory limit");
    return fail_set(f, ENOMEM, "debug information");
}

static int load_units(struct lines *l, const uint8_t *image, size_t len, struct fail *f)
{
    int err = dwarf_file_open(&l->file, image, len, false, l->budget, f);
    if (err)
        return err;
    dwarf_left_out_add(&l->left_out, &l->file.image.left_out);
    if (!take_index(l))
        return short_of_memory(l, f);
    l->unit = calloc(l->file.units + 1, sizeof *l->unit);
    l->bare = calloc(l->file.units + 1, sizeof *l->bare);
    if (!l->unit || !l->bare || !lines_map_make(l))
        return short_of_memory(l, f);
    l->touched = (uint64_t)l->file.units * LINES_ROOT_BYTES;
    return 0;
}

int lines_open(const uint8_t *image, size_t len, struct budget *budget, struct lines **out,
               struct fail *f)
{
    struct lines *l = calloc(1, sizeof *l);
    if (!l)
        return fail_set(f, ENOMEM, "debug information");
    l->limit = (size_t)192 << 20;
    l->budget = l->paths.texts.budget = budget;
    int err = load_units(l, image, len, f);
    if (err)
        lines_close(l);
    else
        *out = l;
    return err;
}

void lines_close(struct lines *l)
{
    if (!l)
        return;
    for (size_t i = 0; l->unit && i < l->file.units; i++)
        lines_unit_free(l->unit[i]);
    free(l->unit);
    free(l->bare);
    span_map_release(&l->map);
    intern_release(&l->paths.texts);
    lines_splits_release(&l->splits);
    dwarf_file_release(&l->file);
    dwarf_file_release(&l->alt);
    dwarf_file_release(&l->package);
    budget_give(l->budget, l->index_bytes);
    free(l);
}

/* --- asking --- */

static void place_line(struct lines *l, struct lines_unit *u, uint64_t vaddr, struct lines_frame *f)
{
    const struct lines_row *row = lines_rows_find(&u->rows, vaddr);
    if (!row)
        return;
    f->file = lines_unit_path(l, u, row->file);
    f->line = row->line;
    f->column = row->column;
    f->discriminator = row->discriminator;
    f->shares_start = row->shares_start;
}

static void place_call(struct lines *l, struct lines_unit *u, const struct lines_scope *callee,
                       struct lines_frame *f)
{
    f->file = lines_unit_path(l, u, callee->call_file);
    f->line = callee->call_line;
    f->column = callee->call_column;
}

size_t lines_at(struct lines *l, uint64_t vaddr, struct lines_frame *out, size_t max)
{
    size_t index = lines_map_find(l, vaddr), count = 0;
    struct lines_unit *u = index != SIZE_MAX && max ? lines_unit_get(l, index) : NULL;
    if (!u)
        return 0;
    uint32_t at = span_map_find(&u->scopes.map, vaddr);
    out[0] = (struct lines_frame){0};
    place_line(l, u, vaddr, &out[0]);
    if (at == (uint32_t)SPAN_NONE)
        return out[0].file || out[0].line;
    while (count < max) {
        struct lines_scope *s = &u->scopes.scope[at];
        out[count].function = lines_unit_name(l, u, s);
        out[count].start = s->low;
        out[count].unit = index;
        out[count].entry = s->die;
        out[count].has_entry = true;
        at = s->parent;
        out[count].inlined = at != (uint32_t)SPAN_NONE;
        if (!out[count++].inlined || count == max)
            break;
        out[count] = (struct lines_frame){0};
        place_call(l, u, s, &out[count]);
    }
    return count;
}

/* --- around it --- */

void lines_relative_paths(struct lines *l)
{
    l->paths.relative = true;
}

uint64_t lines_touched(const struct lines *l)
{
    return l->touched;
}

void lines_limit(struct lines *l, size_t bytes)
{
    l->limit = bytes;
}

bool lines_supplement(const struct lines *l, struct lines_link *out)
{
    struct dwarf_bytes b = l->file.image.section[DWARF_ALTLINK];
    const char *path = dwarf_string_at(&l->file.image, DWARF_ALTLINK, 0);
    if (!path)
        return false;
    size_t len = strlen(path) + 1;
    *out = (struct lines_link){path, b.at + len, b.len - len};
    return true;
}

/* Into *to, which must not move afterwards: its units point to it. */
static int set_file(struct lines *l, struct dwarf_file *to, bool *has, const uint8_t *image,
                    size_t len, struct fail *f)
{
    if (*has)
        return fail_set(f, EEXIST, "given twice");
    int err = dwarf_file_open(to, image, len, to == &l->package, l->budget, f);
    dwarf_left_out_add(&l->left_out, &to->image.left_out);
    if (err)
        dwarf_file_release(to);
    *has = !err;
    return err;
}

int lines_set_supplement(struct lines *l, const uint8_t *image, size_t len, struct fail *f)
{
    int err = set_file(l, &l->alt, &l->has_alt, image, len, f);
    if (!err)
        l->file.alt = &l->alt;
    return err;
}

int lines_set_package(struct lines *l, const uint8_t *image, size_t len, struct fail *f)
{
    return set_file(l, &l->package, &l->has_package, image, len, f);
}

void lines_set_split(struct lines *l, lines_split_reader *read, void *arg)
{
    l->read_split = read;
    l->read_split_arg = arg;
}

size_t lines_missing(const struct lines *l, const char **path)
{
    if (path)
        *path = l->splits.first_missing;
    return l->splits.missing;
}

const struct dwarf_left_out *lines_left_out(const struct lines *l)
{
    return &l->left_out;
}
