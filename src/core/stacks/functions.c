#include "core/stacks/functions.h"

#include "core/base/scope.h"
#include "core/base/sort.h"
#include "core/containers/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    uint32_t module;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* A module's name, the same pointer for equal names: of modules names. */
static const char **module_names(const struct stacks *s)
{
    SCOPED_FREE struct named *all = malloc((s->modules + 1) * sizeof *all);
    const char **name = all ? malloc((s->modules + 1) * sizeof *name) : NULL;
    if (!name)
        return NULL;
    for (uint32_t i = 0; i < s->modules; i++)
        all[i] = (struct named){s->module[i].name, i};
    sort_array(all, s->modules, sizeof *all, by_name);
    for (size_t i = 0; i < s->modules; i++) {
        if (i && strcmp(all[i].name, all[i - 1].name) == 0)
            all[i].name = all[i - 1].name;
        name[all[i].module] = all[i].name;
    }
    return name;
}

static const char *module_of(const struct stacks_function *f, const char *const *module_name)
{
    if (f->kind == STACKS_JIT)
        return "JIT";
    return f->module == STACKS_NONE ? "" : module_name[f->module];
}

static bool add_rows(const struct stacks *s, const char *const *module_name, struct intern *table,
                     uint32_t *of_function)
{
    for (uint32_t i = 0; i < s->functions; i++) {
        const struct stacks_function *f = &s->function[i];
        struct call_row row = {f->name, module_of(f, module_name), i};
        of_function[i] = intern(table, &row);
        if (of_function[i] == INTERN_NONE)
            return false;
    }
    return true;
}

static bool add_unknown(struct intern *table, struct call_rows *out)
{
    struct call_row row = {"(unknown)", "", STACKS_NONE};
    out->unknown = intern(table, &row);
    return out->unknown != INTERN_NONE;
}

int call_rows_make(const struct stacks *s, struct call_rows *out)
{
    struct intern table = {
        .each = sizeof(struct call_row), .key = offsetof(struct call_row, function), .step = 3};
    SCOPED_FREE const char **module_name = module_names(s);
    *out = (struct call_rows){.of_function = malloc((s->functions + 1) * sizeof *out->of_function)};
    bool ok = module_name && out->of_function &&
              add_rows(s, module_name, &table, out->of_function) && add_unknown(&table, out);
    out->row = table.record;
    out->rows = table.count;
    out->cap = table.cap;
    free(table.slot);
    return ok ? 0 : -ENOMEM;
}

void call_rows_release(struct call_rows *rows)
{
    free(rows->row);
    free(rows->of_function);
    *rows = (struct call_rows){0};
}
