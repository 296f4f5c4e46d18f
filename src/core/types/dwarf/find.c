#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* Walks the units for functions and structs that were asked for. */

struct search {
    struct reader *r;
    bool functions, structs, addresses; /* what any query is about */
    uint32_t *found;                    /* of each query: how often */
    size_t left;                        /* addresses that are not found yet */
    bool scoped;                        /* the unit's language has scopes */
    bool split;                         /* a unit that may have what was asked is in a .dwo file */
};

/* What stands behind the last "::" that is not inside of <> or (). */
static const char *last_part(const char *name)
{
    const char *part = name;
    int deep = 0;
    for (const char *at = name; *at; at++) {
        deep += *at == '<' || *at == '(';
        deep -= *at == '>' || *at == ')';
        if (deep == 0 && at[0] == ':' && at[1] == ':')
            part = at + 2;
    }
    return part;
}

static const char *without_keyword(const char *name)
{
    static const char *const words[] = {"struct ", "union ", "class ", "enum "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(name, words[i], strlen(words[i])) == 0)
            return name + strlen(words[i]);
    return name;
}

/* The whole name that was asked for, or the end of it behind "::". */
static bool same_name(struct search *s, die_t die, const char *name, const char *asked)
{
    if (!s->scoped || !strstr(asked, "::"))
        return strcmp(name, asked) == 0;
    return strcmp(name, last_part(asked)) == 0 &&
           strcmp(reader_scoped(s->r, die, name), asked) == 0;
}

static void add_found(struct search *s, size_t query, uint32_t id)
{
    s->found[query]++;
    s->left -= s->r->query[query].by_address && s->found[query] == 1;
    s->r->failed |= !types_answer_add(&s->r->answer, (uint32_t)query, id);
}

/* --- functions --- */

/* Its name may be in another file. */
static void note_nameless(struct reader *r, die_t die)
{
    reader_note_elsewhere(r, die, DW_AT_name);
    reader_note_elsewhere(r, die, DW_AT_abstract_origin);
    reader_note_elsewhere(r, die, DW_AT_specification);
}

/* The DIE with the name, which the one with the code may only refer to. NULL: none; else to be
 * freed if it is not die itself. */
static die_t named_of(struct reader *r, die_t die)
{
    uint64_t offset;
    die_t at = die;
    for (int deep = 0; deep < READER_DEEPEST; deep++) {
        if (reader_text(at, DW_AT_name))
            return at;
        bool more = reader_reference(r, at, DW_AT_abstract_origin, &offset) ||
                    reader_reference(r, at, DW_AT_specification, &offset);
        if (!more)
            note_nameless(r, at);
        if (at != die)
            reader_free(&at);
        at = more ? reader_die(r, offset) : NULL;
        if (!at)
            break;
    }
    return NULL;
}

/* A copy's parameters are those of the function that it is a copy of. */
static uint64_t prototype_of(struct reader *r, die_t die)
{
    uint64_t offset;
    return reader_reference(r, die, DW_AT_abstract_origin, &offset) ? offset : reader_offset(die);
}

struct candidate {
    die_t die, named;
    const char *name, *linkage, *own_linkage;
    uint64_t low, high;
    bool has_range, copy;
};

static void found_function(struct search *s, size_t query, const struct candidate *c,
                           uint64_t start)
{
    struct reader *r = s->r;
    struct type_function f = {.name = reader_scoped(r, c->named, c->name), .start = start};
    f.altered = reader_altered(r, c->die);
    if (s->found[query] >= TYPES_MOST_FOUND)
        return;
    f.type = reader_type_at(r, prototype_of(r, c->die), false);
    if (types_add_function(&r->answer.types, &f))
        add_found(s, query, (uint32_t)r->answer.types.functions - 1);
    else
        r->failed = true;
}

static bool is_named(struct search *s, const struct candidate *c, const char *asked)
{
    return same_name(s, c->named, c->name, asked) ||
           (c->linkage && strcmp(c->linkage, asked) == 0) ||
           (c->own_linkage && strcmp(c->own_linkage, asked) == 0);
}

static void match_function(struct search *s, size_t query, const struct candidate *c)
{
    const struct types_query *q = &s->r->query[query];
    uint64_t start = c->low;
    bool match;
    if (q->layout)
        return;
    if (q->by_address)
        match = c->has_range ? q->address >= c->low && q->address < c->high
                             : reader_in_ranges(s->r, c->die, q->address, &start);
    else
        match = !c->copy && is_named(s, c, q->name);
    if (match)
        found_function(s, query, c, start);
}

/* A copy of another function counts by its address alone. */
static void look_at_function(struct search *s, die_t die)
{
    struct candidate c = {.die = die, .copy = reader_has(die, DW_AT_abstract_origin)};
    if (reader_flag(die, DW_AT_declaration) || (c.copy && !s->left))
        return;
    c.named = named_of(s->r, die);
    if (!c.named)
        return;
    c.name = reader_text(c.named, DW_AT_name);
    if (s->scoped) {
        c.linkage = reader_text(c.named, DW_AT_linkage_name);
        c.own_linkage = reader_text(die, DW_AT_linkage_name);
    }
    c.has_range = s->left && reader_range(die, &c.low, &c.high);
    for (size_t i = 0; i < s->r->queries; i++)
        match_function(s, i, &c);
    if (c.named != die)
        reader_free(&c.named);
}

/* --- structs --- */

static bool wants_tag(const char *asked, unsigned tag)
{
    const char *name = without_keyword(asked);
    switch (name == asked ? 0 : asked[0]) {
    case 's':
    case 'c':
        return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
    case 'u':
        return tag == DW_TAG_union_type;
    case 'e':
        return tag == DW_TAG_enumeration_type;
    default:
        return true;
    }
}

/* A typedef counts if it is of a struct and the like that has no name or another. */
static bool is_definition(struct reader *r, die_t die, const char *name)
{
    uint64_t offset;
    reader_note_elsewhere(r, die, DW_AT_signature);
    if (reader_tag(die) != DW_TAG_typedef)
        return !reader_flag(die, DW_AT_declaration);
    if (!reader_reference(r, die, DW_AT_type, &offset))
        return false;
    SCOPED(reader_free) die_t other = reader_die(r, offset);
    unsigned tag = other ? reader_tag(other) : 0;
    const char *other_name = other ? reader_text(other, DW_AT_name) : NULL;
    return (tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
            tag == DW_TAG_enumeration_type) &&
           !reader_flag(other, DW_AT_declaration) && (!other_name || strcmp(other_name, name) != 0);
}

/* The first definition of each name; other units repeat it. */
static void look_at_type(struct search *s, die_t die, unsigned tag)
{
    const char *name = reader_text(die, DW_AT_name);
    for (size_t i = 0; name && i < s->r->queries; i++) {
        const struct types_query *q = &s->r->query[i];
        if (q->layout && !s->found[i] && wants_tag(q->name, tag) &&
            same_name(s, die, name, without_keyword(q->name)) && is_definition(s->r, die, name))
            add_found(s, i, reader_type_at(s->r, reader_offset(die), true));
    }
}

/* --- the walk --- */

static void walk(struct search *s, die_t parent, unsigned deep);

static void look_at(struct search *s, die_t die, unsigned deep)
{
    unsigned tag = reader_tag(die);
    if (tag == DW_TAG_subprogram && s->functions) {
        look_at_function(s, die);
        if (s->scoped && s->left) /* the methods of local classes, and so lambdas */
            walk(s, die, deep + 1);
    } else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
               tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type ||
               tag == DW_TAG_typedef) {
        if (s->structs)
            look_at_type(s, die, tag);
        if (s->scoped && tag != DW_TAG_typedef && tag != DW_TAG_enumeration_type)
            walk(s, die, deep + 1);
    } else if (tag == DW_TAG_namespace || tag == DW_TAG_lexical_block) {
        walk(s, die, deep + 1);
    }
}

static void walk(struct search *s, die_t parent, unsigned deep)
{
    if (deep > READER_DEEPEST)
        return;
    for (die_t die = reader_child(s->r, parent); die; die = reader_next(s->r, die))
        if (!s->r->failed)
            look_at(s, die, deep);
}

/* Whether the unit can have anything that is still looked for. */
static bool may_have(struct search *s, die_t unit)
{
    uint64_t low, high;
    uint64_t language = 0;
    bool may = s->structs;
    if (reader_number(s->r, unit, DW_AT_language, &language) &&
        language == DW_LANG_Mips_Assembler) /* has no types */
        return false;
    for (size_t i = 0; i < s->r->queries && !may; i++) {
        const struct types_query *q = &s->r->query[i];
        may = !q->layout && (!q->by_address || !reader_range(unit, &low, &high) ||
                             (q->address >= low && q->address < high));
    }
    return may;
}

/* A unit of few attributes, which names the .dwo file that has the others. */
static bool is_skeleton(die_t unit)
{
    return reader_tag(unit) == DW_TAG_skeleton_unit || reader_has(unit, DW_AT_dwo_name) ||
           reader_has(unit, DW_AT_GNU_dwo_name);
}

static void look_at_unit(struct search *s)
{
    Dwarf_Error e = NULL;
    SCOPED(reader_free) die_t unit = NULL;
    if (dwarf_siblingof_b(s->r->dbg, NULL, 1, &unit, &e) != DW_DLV_OK)
        return;
    if (may_have(s, unit)) {
        s->split |= is_skeleton(unit);
        s->scoped = reader_is_scoped(s->r, unit);
        walk(s, unit, 0);
    }
}

static bool next_unit(struct reader *r)
{
    Dwarf_Unsigned length, next, type_offset;
    Dwarf_Half version, address_size, length_size, extension_size, type;
    Dwarf_Off abbreviations;
    Dwarf_Sig8 signature;
    Dwarf_Error e = NULL;
    return dwarf_next_cu_header_d(r->dbg, 1, &length, &version, &abbreviations, &address_size,
                                  &length_size, &extension_size, &signature, &type_offset, &next,
                                  &type, &e) == DW_DLV_OK;
}

static bool all_found(const struct search *s)
{
    for (size_t i = 0; i < s->r->queries; i++)
        if (!s->found[i] || (!s->r->query[i].layout && !s->r->query[i].by_address))
            return false;
    return true;
}

static bool any_missing(const struct search *s)
{
    for (size_t i = 0; i < s->r->queries; i++)
        if (!s->found[i])
            return true;
    return false;
}

void reader_find(struct reader *r)
{
    struct search s = {.r = r, .found = calloc(r->queries + 1, sizeof *s.found)};
    for (size_t i = 0; i < r->queries; i++) {
        s.structs |= r->query[i].layout;
        s.functions |= !r->query[i].layout;
        s.left += r->query[i].by_address;
    }
    r->failed |= !s.found;
    while (!r->failed && !all_found(&s) && next_unit(r))
        look_at_unit(&s);
    if (s.found && s.split && any_missing(&s))
        r->answer.elsewhere |= TYPES_SPLIT;
    free(s.found);
}
