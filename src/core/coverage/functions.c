/* The functions of a module: its symbols, and its entries without one. */
#include "functions.h"

#include "core/base/grow.h"
#include "core/base/scope.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/coverage/code.h"
#include "core/symbol/module.h"

#include <errno.h>
#include <stdlib.h>

static bool add_range(struct coverage_functions *t, uint64_t start, uint64_t end, const char *name)
{
    return GROW_ADD(t->range, t->cap, t->count, (struct coverage_range){start, end, name});
}

static bool add_symbols(struct coverage_functions *t, const struct symtab *symbols, uint64_t start,
                        uint64_t end)
{
    for (size_t i = 0; i < symtab_count(symbols); i++) {
        const struct symbol *s = symtab_at(symbols, i);
        if (s->start >= start && s->start < end && !text_ends(s->name, "@plt") &&
            !add_range(t, s->start, s->end < end ? s->end : end, s->name))
            return false;
    }
    return true;
}

/* Starts without a symbol; their ends are not known yet. */
static bool add_nameless(struct coverage_functions *t, struct elf_module *elf,
                         const struct symtab *symbols, uint64_t end)
{
    SCOPED(coverage_entries_release) struct coverage_entries entries;
    bool added = coverage_entries_make(elf, &entries) == 0;
    for (size_t i = 0; i < entries.count && added; i++) {
        uint64_t at = coverage_insn_address(elf, entries.vaddr[i]);
        added = symtab_find(symbols, at) || add_range(t, at, end, NULL);
    }
    return added;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct coverage_range *x = a, *y = b;
    return ORDER(x->start, y->start);
}

static void cut_ends(struct coverage_functions *t)
{
    for (size_t i = 0; i + 1 < t->count; i++)
        if (t->range[i].end > t->range[i + 1].start)
            t->range[i].end = t->range[i + 1].start;
}

int coverage_functions_make(const struct module *m, struct coverage_functions *out)
{
    uint64_t start, end;
    *out = (struct coverage_functions){0};
    if (!m->elf || !elf_text(m->elf, &start, &end))
        return 0;
    const struct symtab *symbols = elf_symbols(m->debug ? m->debug : m->elf);
    if (!add_symbols(out, symbols, start, end) || !add_nameless(out, m->elf, symbols, end))
        return -ENOMEM;
    sort_array(out->range, out->count, sizeof *out->range, compare_ranges);
    cut_ends(out);
    return 0;
}

void coverage_functions_release(struct coverage_functions *t)
{
    free(t->range);
    *t = (struct coverage_functions){0};
}
