#include "reader.h"

/* A compiler that makes a copy of a function for some of its callers (.constprop, .isra, .part) may
 * leave parameters out or split them. gcc lists those that are left out behind the others, or with
 * a constant value; clang says DW_CC_nocall. */

static die_t parameter(struct reader *r, die_t die)
{
    while (die && reader_tag(die) != DW_TAG_formal_parameter)
        die = reader_next(r, die);
    return die;
}

static die_t first_parameter(struct reader *r, die_t die)
{
    return parameter(r, reader_child(r, die));
}

static die_t next_parameter(struct reader *r, die_t die)
{
    return parameter(r, reader_next(r, die));
}

static bool is_copy_of(struct reader *r, die_t die, die_t original)
{
    uint64_t offset;
    return reader_reference(r, die, DW_AT_abstract_origin, &offset) &&
           offset == reader_offset(original);
}

/* A constructor's copies have no use for some parameters that are not in the source. */
static die_t skip_artificial(struct reader *r, die_t copy, die_t original)
{
    while (original && reader_flag(original, DW_AT_artificial) &&
           !(copy && is_copy_of(r, copy, original)))
        original = next_parameter(r, original);
    return original;
}

static bool same_parameters(struct reader *r, die_t die, die_t of)
{
    SCOPED(reader_free) die_t copy = first_parameter(r, die);
    SCOPED(reader_free) die_t original = first_parameter(r, of);
    bool same = true;
    while (same) {
        original = skip_artificial(r, copy, original);
        if (!copy || !original)
            break;
        same = is_copy_of(r, copy, original) && !reader_has(copy, DW_AT_const_value);
        copy = next_parameter(r, copy);
        original = next_parameter(r, original);
    }
    return same && !copy && !original;
}

bool reader_altered(struct reader *r, die_t die)
{
    uint64_t offset, convention = 0;
    if (reader_number(r, die, DW_AT_calling_convention, &convention) && convention == DW_CC_nocall)
        return true;
    if (!reader_reference(r, die, DW_AT_abstract_origin, &offset))
        return false;
    SCOPED(reader_free) die_t original = reader_die(r, offset);
    return original && !same_parameters(r, die, original);
}
