/* Where a function is declared. */
#include "lines_module.h"

#include "names.h"

enum { MAX_HOPS = 8 }; /* from an instance to what it is an instance of */

struct declaration {
    const char *name;
    struct dwarf_value file; /* form 0: not found */
    const struct dwarf_unit *file_unit;
    uint64_t line;
    bool has_line;
};

static bool is_implicit(const struct dwarf_die *d, enum dwarf_slot s)
{
    const struct dwarf_attribute *at = d->unit->abbrevs->attribute + d->abbrev->first;
    for (unsigned i = 0; i < d->abbrev->attributes; i++)
        if (at[i].slot == s)
            return at[i].form == DW_FORM_implicit_const;
    return false;
}

static void add_file(const struct dwarf_die *d, struct declaration *out)
{
    if (out->file_unit || !dwarf_has(d, DWARF_DECL_FILE))
        return;
    out->file_unit = d->unit;
    if (!is_implicit(d, DWARF_DECL_FILE))
        out->file = d->value[DWARF_DECL_FILE];
}

/* What one entry says and those before it did not. */
static void add_entry(const struct dwarf_die *d, struct declaration *out)
{
    if (!out->name)
        out->name = dwarf_value_string(d, DWARF_NAME);
    if (!out->has_line)
        out->has_line = dwarf_value_number(d, DWARF_DECL_LINE, &out->line);
    add_file(d, out);
}

static void read_declaration(const struct dwarf_die *die, struct declaration *out)
{
    struct dwarf_die two[2];
    *out = (struct declaration){0};
    for (int i = 0; i < MAX_HOPS; i++) {
        struct dwarf_die *next = &two[i % 2];
        add_entry(die, out);
        if (!dwarf_die_origin(die, next))
            break;
        die = next;
    }
}

/* The files of a unit count by its own line table, which may have to be read; u may be gone then.
 */
static const char *file_path(struct lines *l, struct lines_unit *u, const struct declaration *d)
{
    const struct dwarf_unit *of = d->file_unit;
    if (!of || !d->file.form)
        return NULL;
    if (of != u->entries) {
        if (of->file != &l->file)
            return NULL;
        u = lines_unit_get(l, (size_t)(of - l->file.unit));
    }
    return u ? lines_unit_path(l, u, d->file.n) : NULL;
}

bool lines_declared(struct lines *l, const struct lines_frame *frame, struct lines_function *out)
{
    struct lines_unit *u = frame->has_entry ? lines_unit_get(l, frame->unit) : NULL;
    struct dwarf_die die;
    struct declaration d;
    uint64_t discriminator;
    *out = (struct lines_function){0};
    if (!u || !u->entries || !dwarf_die_at(u->entries, u->entries->offset + frame->entry, &die))
        return false;
    out->has_low_pc = dwarf_value_address(&die, DWARF_LOW_PC, &out->low_pc);
    if (dwarf_value_number(&die, DWARF_DISCRIMINATOR, &discriminator))
        out->call_discriminator = (uint32_t)discriminator;
    read_declaration(&die, &d);
    out->name = d.name;
    out->line = (uint32_t)d.line;
    out->file = file_path(l, u, &d);
    return true;
}
