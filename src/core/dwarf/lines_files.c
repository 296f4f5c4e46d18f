/* The files of a unit's line table, named when they are first asked. */
#include "core/base/budget.h"
#include "line.h"
#include "lines_unit.h"

bool lines_files_add_dir(struct lines_files *t, const struct dwarf_line_name *dir)
{
    return BUDGET_ADD(t->budget, t->dir, t->dir_cap, t->dirs, dir->text);
}

bool lines_files_add(struct lines_files *t, const struct dwarf_line_name *file)
{
    uint32_t dir = file->dir < UINT32_MAX ? (uint32_t)file->dir : UINT32_MAX;
    struct lines_file one = {file->text.n, NULL, dir, file->text.form, false};
    return BUDGET_ADD(t->budget, t->file, t->file_cap, t->files, one);
}

void lines_files_release(struct lines_files *t)
{
    budget_free(t->budget, t->dir, t->dir_cap, sizeof *t->dir);
    budget_free(t->budget, t->file, t->file_cap, sizeof *t->file);
    *t = (struct lines_files){0};
}

size_t lines_files_bytes(const struct lines_files *t)
{
    return t->dir_cap * sizeof *t->dir + t->file_cap * sizeof *t->file;
}

static const char *text_of(const struct lines_files *t, struct dwarf_value v)
{
    return dwarf_string(t->unit, DWARF_LINE, v);
}

static const char *dir_of(const struct lines_files *t, uint32_t number)
{
    uint32_t at = number - t->first; /* before version 5 number 0 has no entry */
    return at < t->dirs ? text_of(t, t->dir[at]) : NULL;
}

/* Version 5's folder 0 is the compilation directory itself; where that is relative, it appears
 * twice in the path, as all other readers have it. */
static const char *path_of(const struct lines_files *t, const struct lines_file *f,
                           struct lines_paths *paths)
{
    const char *name = text_of(t, (struct dwarf_value){f->form, f->text});
    bool own_dir = paths->relative && !t->first && !f->dir; /* the compilation directory again */
    return name && *name ? lines_path(paths, paths->relative ? NULL : t->comp_dir,
                                      own_dir ? NULL : dir_of(t, f->dir), name)
                         : NULL;
}

const char *lines_files_path(struct lines_files *t, uint64_t number, struct lines_paths *paths)
{
    if (number < t->first || number - t->first >= t->files)
        return NULL;
    struct lines_file *f = &t->file[number - t->first];
    if (!f->path_resolved)
        f->path = path_of(t, f, paths);
    f->path_resolved = true;
    return f->path;
}
