#include "lines_module.h"

#include <stdlib.h>

static void read_entries(struct lines *l, struct lines_unit *u, const struct dwarf_die *root)
{
    const struct dwarf_unit *of = root->unit;
    if (!of->skeleton)
        u->entries = of;
    else if (lines_split_find(l, of, root, &u->split))
        u->entries = &u->split;
    if (u->entries)
        lines_scopes_read(&u->scopes, u->entries);
}

static size_t denied(const struct lines *l)
{
    return l->budget ? l->budget->denied : 0;
}

static struct lines_unit *read_unit(struct lines *l, struct dwarf_unit *of)
{
    struct dwarf_die root;
    struct lines_unit *u = budget_take(l->budget, sizeof *u) ? calloc(1, sizeof *u) : NULL;
    if (!u)
        return NULL;
    u->budget = l->budget;
    l->touched += LINES_OTHER_SECTIONS * (of->end - of->offset);
    if (dwarf_unit_ready(of) && dwarf_die_at(of, of->die, &root)) {
        read_entries(l, u, &root);
        lines_rows_read(&u->rows, &root);
    }
    u->bytes = sizeof *u + lines_rows_bytes(&u->rows) + lines_scopes_bytes(&u->scopes);
    return u;
}

void lines_unit_free(struct lines_unit *u)
{
    if (!u)
        return;
    lines_rows_release(&u->rows);
    lines_scopes_release(&u->scopes);
    budget_free(u->budget, u, 1, sizeof *u);
}

/* --- by their last use --- */

static void unlink_unit(struct lines *l, struct lines_unit *u)
{
    *(u->newer ? &u->newer->older : &l->newest) = u->older;
    *(u->older ? &u->older->newer : &l->oldest) = u->newer;
    u->newer = u->older = NULL;
}

static void link_newest(struct lines *l, struct lines_unit *u)
{
    u->older = l->newest;
    *(l->newest ? &l->newest->newer : &l->oldest) = u;
    l->newest = u;
}

/* Until what is there fits; the new one is not there yet. */
static void evict_units(struct lines *l, size_t bytes, size_t limit)
{
    struct lines_unit *u;
    while (l->unit_bytes + bytes > limit && (u = l->oldest)) {
        unlink_unit(l, u);
        l->unit_bytes -= u->bytes;
        l->unit[u->index] = NULL;
        lines_unit_free(u);
    }
}

/* What does not fit into the budget is read again without the others; then it counts as it is. */
static struct lines_unit *read_within(struct lines *l, size_t index)
{
    size_t before = denied(l);
    struct lines_unit *u = read_unit(l, &l->file.unit[index]);
    if (denied(l) == before || !l->unit_bytes)
        return u;
    lines_unit_free(u);
    evict_units(l, 0, 0);
    l->budget->denied = before;
    return read_unit(l, &l->file.unit[index]);
}

struct lines_unit *lines_unit_get(struct lines *l, size_t index)
{
    if (!l->unit[index]) {
        struct lines_unit *u = read_within(l, index);
        if (!u)
            return NULL;
        evict_units(l, u->bytes, l->limit);
        l->unit_bytes += u->bytes;
        l->unit[index] = u;
        u->index = index;
        link_newest(l, u);
    } else if (l->unit[index] != l->newest) {
        unlink_unit(l, l->unit[index]);
        link_newest(l, l->unit[index]);
    }
    return l->unit[index];
}

const char *lines_unit_name(struct lines *l, struct lines_unit *u, struct lines_scope *s)
{
    struct dwarf_die d;
    if (!s->named) {
        l->touched += LINES_NAME_BYTES;
        if (dwarf_die_at(u->entries, u->entries->offset + s->die, &d))
            s->name = dwarf_die_name(&d);
        s->named = true;
    }
    return s->name;
}

const char *lines_unit_path(struct lines *l, struct lines_unit *u, uint64_t file)
{
    return lines_files_path(&u->rows.files, file, &l->paths);
}
