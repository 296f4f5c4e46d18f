#include "core/base/budget.h"
#include "core/base/scope.h"
#include "lines_unit.h"

#include "names.h"

/* What an entry's tag means for the search of code. A class holds code only inside a function: gcc
 * gives methods of local classes, and so lambdas, no entry but the one in their class. */
enum kind { IS_FUNCTION, HOLDS_FUNCTIONS, IS_CLASS, IS_OTHER };

static enum kind kind_of(unsigned tag)
{
    switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
        return IS_FUNCTION;
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_skeleton_unit:
    case DW_TAG_lexical_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
        return HOLDS_FUNCTIONS;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
        return IS_CLASS;
    default:
        return IS_OTHER;
    }
}

struct walk {
    const struct dwarf_unit *u;
    struct lines_scopes *t;
    struct spans spans;
    struct dwarf_cursor c;
    uint32_t *inside; /* a level of nesting: the scope that the entries there belong to */
    size_t depth, cap;
    size_t function; /* the depth inside the outermost function; 0: in none */
};

static void fill_call(struct lines_scope *s, const struct dwarf_die *d)
{
    uint64_t n;
    if (dwarf_value_number(d, DWARF_CALL_LINE, &n))
        s->call_line = n <= UINT32_MAX ? (uint32_t)n : 0;
    if (dwarf_value_number(d, DWARF_CALL_FILE, &n))
        s->call_file = n <= UINT32_MAX ? (uint32_t)n : 0;
    if (dwarf_value_number(d, DWARF_CALL_COLUMN, &n))
        s->call_column = n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

static uint64_t lowest_start(const struct spans *s, size_t from)
{
    uint64_t low = from < s->count ? s->span[from].start : 0;
    for (size_t i = from; i < s->count; i++)
        low = s->span[i].start < low ? s->span[i].start : low;
    return low;
}

/* The scope that an entry makes; SPAN_NONE when it has no code. A body inlined into code always
 * makes one: others may be inlined into it. */
static uint32_t add_scope(struct walk *w, const struct dwarf_die *d, uint32_t parent)
{
    struct lines_scopes *t = w->t;
    bool function = d->abbrev->tag == DW_TAG_subprogram;
    size_t before = w->spans.count;
    dwarf_die_ranges(d, &w->spans, (uint32_t)t->scopes);
    if (w->spans.count == before && (function || parent == (uint32_t)SPAN_NONE))
        return (uint32_t)SPAN_NONE;
    if (t->scopes >= UINT32_MAX - 1 || d->offset - w->u->offset > UINT32_MAX ||
        !budget_grow(t->budget, (void **)&t->scope, &t->cap, t->scopes, sizeof *t->scope)) {
        w->spans.count = before;
        return (uint32_t)SPAN_NONE;
    }
    struct lines_scope s = {.low = lowest_start(&w->spans, before),
                            .die = (uint32_t)(d->offset - w->u->offset),
                            .parent = function ? (uint32_t)SPAN_NONE : parent};
    fill_call(&s, d);
    t->scope[t->scopes] = s;
    return (uint32_t)t->scopes++;
}

static bool enter_level(struct walk *w, uint32_t scope)
{
    return BUDGET_ADD(w->t->budget, w->inside, w->cap, w->depth, scope);
}

static bool enter_function(struct walk *w, uint32_t scope)
{
    bool entered = enter_level(w, scope);
    if (!w->function)
        w->function = w->depth;
    return entered;
}

static void leave_level(struct walk *w)
{
    w->depth -= w->depth != 0;
    if (w->depth < w->function)
        w->function = 0;
}

/* Goes on behind what is below an entry: by its DW_AT_sibling, else by going through it. */
static bool pass_by(struct walk *w, uint64_t sibling, uint32_t scope)
{
    if (!sibling)
        return enter_level(w, scope);
    w->c.at = (size_t)sibling;
    return true;
}

static bool visit_function(struct walk *w, const struct dwarf_abbrev *a, uint64_t offset)
{
    struct dwarf_die d;
    uint32_t around = w->depth ? w->inside[w->depth - 1] : (uint32_t)SPAN_NONE;
    d.offset = offset;
    dwarf_die_attributes(w->u, a, &w->c, &d);
    if (w->c.bad)
        return false;
    uint32_t scope = add_scope(w, &d, around);
    if (!a->children)
        return true;
    return enter_function(w, scope);
}

static bool holds_functions(const struct walk *w, unsigned tag)
{
    enum kind kind = kind_of(tag);
    return kind == HOLDS_FUNCTIONS || (kind == IS_CLASS && w->function);
}

static bool visit_other(struct walk *w, const struct dwarf_abbrev *a)
{
    uint32_t around = w->depth ? w->inside[w->depth - 1] : (uint32_t)SPAN_NONE;
    struct dwarf_die d;
    if (!a->children || !a->sibling || holds_functions(w, a->tag)) {
        dwarf_die_skip(w->u, a, &w->c);
        return !w->c.bad && (!a->children || enter_level(w, around));
    }
    dwarf_die_attributes(w->u, a, &w->c, &d);
    return !w->c.bad && pass_by(w, dwarf_die_sibling(&d, w->c.at), around);
}

/* One entry, or the end of a level. False at the end of the unit, or where it is broken. */
static bool read_entry(struct walk *w)
{
    uint64_t offset = w->c.at;
    if (offset >= w->u->end)
        return false;
    uint64_t code = dwarf_uleb(&w->c);
    if (!code) {
        leave_level(w);
        return w->depth != 0;
    }
    const struct dwarf_abbrev *a = dwarf_abbrev_find(w->u->abbrevs, code);
    return a &&
           (kind_of(a->tag) == IS_FUNCTION ? visit_function(w, a, offset) : visit_other(w, a)) &&
           w->depth;
}

/* A forged file may name a long list of ranges in every entry: no more spans than such a unit and
 * such lists can have bytes. */
static size_t max_spans(const struct dwarf_unit *u)
{
    const struct dwarf_bytes *s = u->file->image.section, *other = u->addrs->section;
    return (size_t)(u->end - u->offset) + s[DWARF_RNGLISTS].len / 2 + s[DWARF_RANGES].len / 4 +
           other[DWARF_RANGES].len / 4;
}

static void walk_unit(struct walk *w)
{
    w->c = dwarf_unit_cursor(w->u, w->u->die);
    while (read_entry(w))
        ;
    budget_free(w->t->budget, w->inside, w->cap, sizeof *w->inside);
}

void lines_scopes_read(struct lines_scopes *t, const struct dwarf_unit *u)
{
    t->budget = u->file->image.budget;
    struct walk w = {.u = u, .t = t, .spans = {.max = max_spans(u), .budget = t->budget}};
    walk_unit(&w);
    span_map_make(&t->map, &w.spans);
    spans_release(&w.spans);
    budget_shrink(t->budget, (void **)&t->scope, &t->cap, t->scopes, sizeof *t->scope);
}

void lines_scopes_release(struct lines_scopes *t)
{
    budget_free(t->budget, t->scope, t->cap, sizeof *t->scope);
    span_map_release(&t->map);
    *t = (struct lines_scopes){0};
}

size_t lines_scopes_bytes(const struct lines_scopes *t)
{
    return t->cap * sizeof *t->scope + t->map.cap * sizeof *t->map.at;
}

bool lines_scopes_ranges(const struct dwarf_unit *u, struct spans *out, uint32_t id)
{
    SCOPED(lines_scopes_release) struct lines_scopes t = {.budget = u->file->image.budget};
    size_t limit = out->max - out->count;
    struct walk w = {.u = u, .t = &t, .spans = {.max = limit, .budget = t.budget}};
    walk_unit(&w);
    bool ok = true;
    for (size_t i = 0; i < w.spans.count && ok; i++) {
        const struct span *s = &w.spans.span[i];
        bool function = t.scope[s->id].parent == (uint32_t)SPAN_NONE;
        ok = function ? spans_add(out, s->start, s->end, id) : spans_spend(out);
    }
    out->max -= limit - w.spans.max < out->max ? limit - w.spans.max : out->max;
    spans_release(&w.spans);
    return ok;
}
