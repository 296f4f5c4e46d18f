#include "core/base/grow.h"
#include "reader.h"

/* Types get a number when they are first met and are described later, one after the other: so
 * nothing recurses, and the members of one type follow each other. */

enum { VOID, UNKNOWN, MAX_DIMENSIONS = 16 };

/* --- numbers --- */

static void add_work(struct reader *r, uint32_t id, uint64_t die, bool members)
{
    r->failed |= !GROW_ADD_WITHIN(r->work, r->work_cap, r->works, READER_MOST_TYPES,
                                  (struct reader_work){id, members, die});
}

static uint32_t add_type(struct reader *r, const struct type *one)
{
    struct types *t = &r->answer.types;
    if (t->count >= READER_MOST_TYPES || !types_add(t, one)) {
        r->failed = true;
        return UNKNOWN;
    }
    return (uint32_t)t->count - 1;
}

uint32_t reader_type_at(struct reader *r, uint64_t die, bool members)
{
    uint64_t *number = imap_at(&r->number_of, die);
    if (!number) {
        r->failed = true;
        return UNKNOWN;
    }
    if (!*number) {
        *number = add_type(r, &(struct type){.kind = TYPE_UNKNOWN});
        add_work(r, (uint32_t)*number, die, members);
    } else if (members && !r->answer.types.type[*number].count) {
        add_work(r, (uint32_t)*number, die, true);
    }
    return (uint32_t)*number;
}

static uint32_t reader_type(struct reader *r, die_t die, unsigned attribute)
{
    uint64_t offset;
    if (!reader_has(die, attribute))
        return VOID;
    if (reader_reference(r, die, attribute, &offset))
        return reader_type_at(r, offset, false);
    reader_note_elsewhere(r, die, attribute);
    return UNKNOWN;
}

/* --- what a DIE or the one that it completes says --- */

static bool completed(struct reader *r, die_t die, uint64_t *offset)
{
    return reader_reference(r, die, DW_AT_abstract_origin, offset) ||
           reader_reference(r, die, DW_AT_specification, offset);
}

static uint32_t type_of(struct reader *r, die_t die)
{
    uint64_t offset;
    uint32_t type = VOID;
    SCOPED(reader_free) die_t other = NULL;
    for (int deep = 0; deep < READER_DEEPEST; deep++) {
        die_t at = other ? other : die;
        type = reader_type(r, at, DW_AT_type);
        if (type || !completed(r, at, &offset))
            break;
        reader_free(&other);
        other = reader_die(r, offset);
        if (!other)
            break;
    }
    return type;
}

static const char *name_of(struct reader *r, die_t die)
{
    uint64_t offset;
    const char *name = reader_text(die, DW_AT_name);
    if (name || !completed(r, die, &offset))
        return name;
    SCOPED(reader_free) die_t other = reader_die(r, offset);
    return other ? reader_text(other, DW_AT_name) : NULL;
}

/* --- members --- */

static void add_member(struct reader *r, const struct type_member *m)
{
    r->failed |= !types_add_member(&r->answer.types, m);
}

static uint64_t bits_of_storage(struct reader *r, die_t die)
{
    uint64_t bytes = 0, type;
    if (reader_number(r, die, DW_AT_byte_size, &bytes) ||
        !reader_reference(r, die, DW_AT_type, &type))
        return bytes * 8;
    for (int deep = 0; deep < READER_DEEPEST; deep++) {
        SCOPED(reader_free) die_t at = reader_die(r, type);
        bool more = at && !reader_number(r, at, DW_AT_byte_size, &bytes) &&
                    reader_reference(r, at, DW_AT_type, &type);
        if (!more)
            break;
    }
    return bytes * 8;
}

/* The first bit of a bit-field, as DWARF 4 and 5 or as DWARF 2 and 3 say it. */
static uint64_t bit_of(struct reader *r, die_t die, uint64_t byte, uint64_t bits)
{
    uint64_t at = 0;
    if (reader_number(r, die, DW_AT_data_bit_offset, &at))
        return at;
    if (!reader_number(r, die, DW_AT_bit_offset, &at))
        return byte * 8;
    return r->image.big_endian ? byte * 8 + at : byte * 8 + bits_of_storage(r, die) - at - bits;
}

static void describe_member(struct reader *r, die_t die)
{
    uint64_t byte = 0, bits = 0;
    bool is_static = reader_flag(die, DW_AT_external) || reader_flag(die, DW_AT_declaration);
    bool is_virtual = reader_has(die, DW_AT_data_member_location) && !reader_place(r, die, &byte);
    if (is_static || is_virtual)
        return;
    if (reader_number(r, die, DW_AT_bit_size, &bits))
        byte = bit_of(r, die, byte, bits);
    else
        byte *= 8;
    add_member(r, &(struct type_member){.name = reader_text(die, DW_AT_name),
                                        .type = reader_type(r, die, DW_AT_type),
                                        .bits = (uint32_t)bits,
                                        .bit_offset = byte});
}

static void describe_enumerator(struct reader *r, die_t die, struct type *type)
{
    int64_t value = 0;
    uint64_t number = 0;
    if (reader_signed(r, die, DW_AT_const_value, &value))
        number = (uint64_t)value;
    else
        reader_number(r, die, DW_AT_const_value, &number);
    if (value < 0)
        type->encoding = TYPE_SIGNED;
    add_member(r,
               &(struct type_member){.name = reader_text(die, DW_AT_name), .bit_offset = number});
}

static void describe_child(struct reader *r, die_t die, struct type *type)
{
    unsigned tag = reader_tag(die);
    if (type->kind == TYPE_ENUM && tag == DW_TAG_enumerator)
        describe_enumerator(r, die, type);
    else if (type->kind == TYPE_FUNCTION && tag == DW_TAG_formal_parameter)
        add_member(r, &(struct type_member){.name = name_of(r, die), .type = type_of(r, die)});
    else if (type->kind == TYPE_FUNCTION && tag == DW_TAG_unspecified_parameters)
        type->variadic = true;
    else if (type->kind >= TYPE_STRUCT && type->kind <= TYPE_UNION &&
             (tag == DW_TAG_member || tag == DW_TAG_inheritance))
        describe_member(r, die);
}

static void describe_children(struct reader *r, die_t parent, struct type *type)
{
    size_t first = r->answer.types.members;
    for (die_t die = reader_child(r, parent); die; die = reader_next(r, die))
        if (!r->failed)
            describe_child(r, die, type);
    type->first = (uint32_t)first;
    type->count = (uint32_t)(r->answer.types.members - first);
}

/* --- types --- */

static uint64_t dimension_of(struct reader *r, die_t die)
{
    uint64_t count = 0, low = 0;
    if (reader_number(r, die, DW_AT_count, &count))
        return count;
    if (!reader_number(r, die, DW_AT_upper_bound, &count))
        return 0;
    reader_number(r, die, DW_AT_lower_bound, &low);
    return count - low + 1;
}

/* An array of several dimensions is one of arrays. */
static void describe_array(struct reader *r, die_t parent, struct type *type)
{
    uint64_t dimension[MAX_DIMENSIONS] = {0};
    size_t count = 0;
    for (die_t die = reader_child(r, parent); die; die = reader_next(r, die))
        if (reader_tag(die) == DW_TAG_subrange_type && count < MAX_DIMENSIONS)
            dimension[count++] = dimension_of(r, die);
    type->of = reader_type(r, parent, DW_AT_type);
    type->bytes = dimension[0];
    while (count-- > 1)
        type->of = add_type(
            r, &(struct type){.kind = TYPE_ARRAY, .of = type->of, .bytes = dimension[count]});
}

static void describe_base(struct reader *r, die_t die, struct type *type)
{
    uint64_t encoding = 0;
    reader_number(r, die, DW_AT_encoding, &encoding);
    bool is_float = encoding == DW_ATE_float || encoding == DW_ATE_complex_float;
    type->kind = is_float ? TYPE_FLOAT : TYPE_INTEGER;
    type->encoding = encoding == DW_ATE_boolean         ? TYPE_BOOL
                     : encoding == DW_ATE_signed_char   ? TYPE_CHAR
                     : encoding == DW_ATE_unsigned_char ? TYPE_CHAR
                     : encoding == DW_ATE_signed        ? TYPE_SIGNED
                                                        : TYPE_UNSIGNED;
}

static void describe_compound(struct reader *r, die_t die, struct type *type, bool members)
{
    const char *name = type->name;
    type->incomplete = reader_flag(die, DW_AT_declaration);
    type->scoped = reader_is_scoped(r, die);
    type->name = reader_scoped(r, die, name);
    if (members || !name)
        describe_children(r, die, type);
}

static void describe_function(struct reader *r, die_t die, struct type *type)
{
    type->of = type_of(r, die);
    describe_children(r, die, type);
    type->unprototyped =
        !type->count && !reader_flag(die, DW_AT_prototyped) && !reader_is_scoped(r, die);
}

static const struct {
    unsigned tag;
    uint8_t kind;
} kinds[] = {
    {DW_TAG_base_type, TYPE_INTEGER},        {DW_TAG_pointer_type, TYPE_POINTER},
    {DW_TAG_reference_type, TYPE_REFERENCE}, {DW_TAG_rvalue_reference_type, TYPE_RVALUE_REFERENCE},
    {DW_TAG_array_type, TYPE_ARRAY},         {DW_TAG_subroutine_type, TYPE_FUNCTION},
    {DW_TAG_subprogram, TYPE_FUNCTION},      {DW_TAG_structure_type, TYPE_STRUCT},
    {DW_TAG_class_type, TYPE_CLASS},         {DW_TAG_union_type, TYPE_UNION},
    {DW_TAG_enumeration_type, TYPE_ENUM},    {DW_TAG_typedef, TYPE_TYPEDEF},
    {DW_TAG_unspecified_type, TYPE_TYPEDEF}, {DW_TAG_const_type, TYPE_CONST},
    {DW_TAG_volatile_type, TYPE_VOLATILE},   {DW_TAG_restrict_type, TYPE_RESTRICT},
    {DW_TAG_atomic_type, TYPE_ATOMIC},
};

static uint8_t kind_of(unsigned tag)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].tag == tag)
            return kinds[i].kind;
    return TYPE_UNKNOWN;
}

static void describe_die(struct reader *r, die_t die, bool members, struct type *type)
{
    *type = (struct type){.kind = kind_of(reader_tag(die)), .name = reader_text(die, DW_AT_name)};
    if (type->kind != TYPE_ARRAY)
        reader_number(r, die, DW_AT_byte_size, &type->bytes);
    if (type->kind == TYPE_INTEGER)
        describe_base(r, die, type);
    else if (type->kind == TYPE_ARRAY)
        describe_array(r, die, type);
    else if (type->kind == TYPE_FUNCTION)
        describe_function(r, die, type);
    else if (type->kind >= TYPE_STRUCT && type->kind <= TYPE_ENUM)
        describe_compound(r, die, type, members);
    else if (type->kind != TYPE_UNKNOWN)
        type->of = reader_type(r, die, DW_AT_type);
    if (type->kind == TYPE_TYPEDEF)
        type->name = reader_scoped(r, die, type->name);
}

/* A struct that a typedef stands for, whose members are wanted. */
static void follow_typedef(struct reader *r, die_t die)
{
    uint64_t offset;
    if (reader_reference(r, die, DW_AT_type, &offset))
        reader_type_at(r, offset, true);
}

static void describe(struct reader *r, const struct reader_work *w)
{
    struct type type;
    SCOPED(reader_free) die_t die = reader_die(r, w->die);
    if (!die)
        return;
    describe_die(r, die, w->members, &type);
    r->answer.types.type[w->id] = type;
    if (w->members && type.kind == TYPE_TYPEDEF)
        follow_typedef(r, die);
}

void reader_finish(struct reader *r)
{
    for (size_t i = 0; i < r->works && !r->failed; i++) {
        struct reader_work work = r->work[i];
        describe(r, &work);
    }
    r->works = 0;
}
