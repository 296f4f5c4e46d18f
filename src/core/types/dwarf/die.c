#include "reader.h"

#include <string.h>

/* Without a Dwarf_Error and a handler libdwarf would abort: each call has one, and it is freed. */
static int checked(struct reader *r, int result, Dwarf_Error e)
{
    if (result == DW_DLV_ERROR)
        dwarf_dealloc_error(r->dbg, e);
    return result;
}

die_t reader_die(struct reader *r, uint64_t offset)
{
    die_t die = NULL;
    Dwarf_Error e = NULL;
    return checked(r, dwarf_offdie_b(r->dbg, offset, 1, &die, &e), e) == DW_DLV_OK ? die : NULL;
}

die_t reader_child(struct reader *r, die_t die)
{
    die_t child = NULL;
    Dwarf_Error e = NULL;
    return checked(r, dwarf_child(die, &child, &e), e) == DW_DLV_OK ? child : NULL;
}

die_t reader_next(struct reader *r, die_t die)
{
    die_t next = NULL;
    Dwarf_Error e = NULL;
    bool there = checked(r, dwarf_siblingof_b(r->dbg, die, 1, &next, &e), e) == DW_DLV_OK;
    reader_free(&die);
    return there ? next : NULL;
}

void reader_free(die_t *die)
{
    if (*die)
        dwarf_dealloc_die(*die);
}

/* --- attributes --- */

unsigned reader_tag(die_t die)
{
    Dwarf_Half tag = 0;
    Dwarf_Error e = NULL;
    return dwarf_tag(die, &tag, &e) == DW_DLV_OK ? tag : 0;
}

uint64_t reader_offset(die_t die)
{
    Dwarf_Off offset = 0;
    Dwarf_Error e = NULL;
    return dwarf_dieoffset(die, &offset, &e) == DW_DLV_OK ? offset : 0;
}

uint64_t reader_unit(die_t die)
{
    Dwarf_Off offset = 0;
    Dwarf_Error e = NULL;
    return dwarf_CU_dieoffset_given_die(die, &offset, &e) == DW_DLV_OK ? offset : 0;
}

bool reader_has(die_t die, unsigned attribute)
{
    Dwarf_Bool has = 0;
    Dwarf_Error e = NULL;
    return dwarf_hasattr(die, (Dwarf_Half)attribute, &has, &e) == DW_DLV_OK && has;
}

static Dwarf_Attribute find(struct reader *r, die_t die, unsigned attribute)
{
    Dwarf_Attribute a = NULL;
    Dwarf_Error e = NULL;
    int result = dwarf_attr(die, (Dwarf_Half)attribute, &a, &e);
    return checked(r, result, e) == DW_DLV_OK ? a : NULL;
}

static void drop(Dwarf_Attribute *a)
{
    if (*a)
        dwarf_dealloc_attribute(*a);
}

bool reader_flag(die_t die, unsigned attribute)
{
    SCOPED(drop) Dwarf_Attribute a = NULL;
    Dwarf_Error e = NULL;
    Dwarf_Bool flag = 0;
    return dwarf_attr(die, (Dwarf_Half)attribute, &a, &e) == DW_DLV_OK &&
           dwarf_formflag(a, &flag, &e) == DW_DLV_OK && flag;
}

const char *reader_text(die_t die, unsigned attribute)
{
    char *text = NULL;
    Dwarf_Error e = NULL;
    int result = dwarf_die_text(die, (Dwarf_Half)attribute, &text, &e);
    bool fine = result == DW_DLV_OK && text && text[0];
    return fine && strncmp(text, "<DW_FORM_", 9) != 0 ? text
                                                      : NULL; /* of a file it does not have */
}

/* Only sdata and implicit_const have a sign of their own. */
static bool is_signed(Dwarf_Attribute a)
{
    Dwarf_Half form = 0;
    Dwarf_Error e = NULL;
    return dwarf_whatform(a, &form, &e) == DW_DLV_OK &&
           (form == DW_FORM_sdata || form == DW_FORM_implicit_const);
}

bool reader_signed(struct reader *r, die_t die, unsigned attribute, int64_t *out)
{
    SCOPED(drop) Dwarf_Attribute a = find(r, die, attribute);
    Dwarf_Signed number;
    Dwarf_Error e = NULL;
    bool fine = a && is_signed(a) && checked(r, dwarf_formsdata(a, &number, &e), e) == DW_DLV_OK;
    if (fine)
        *out = number;
    return fine;
}

bool reader_number(struct reader *r, die_t die, unsigned attribute, uint64_t *out)
{
    SCOPED(drop) Dwarf_Attribute a = find(r, die, attribute);
    Dwarf_Unsigned number;
    Dwarf_Signed as_signed;
    Dwarf_Error e = NULL;
    if (a && checked(r, dwarf_formudata(a, &number, &e), e) == DW_DLV_OK)
        *out = number;
    else if (a && checked(r, dwarf_formsdata(a, &as_signed, &e), e) == DW_DLV_OK)
        *out = (uint64_t)as_signed;
    else
        return false;
    return true;
}

/* Which of enum types_elsewhere an attribute points to; 0: to this file. */
static uint32_t elsewhere(Dwarf_Attribute a)
{
    Dwarf_Half form = 0;
    Dwarf_Error e = NULL;
    if (dwarf_whatform(a, &form, &e) != DW_DLV_OK)
        return 0;
    switch (form) {
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
    case DW_FORM_strp_sup:
        return TYPES_SUPPLEMENT;
    case DW_FORM_ref_sig8:
        return TYPES_UNITS;
    default:
        return 0;
    }
}

void reader_note_elsewhere(struct reader *r, die_t die, unsigned attribute)
{
    SCOPED(drop) Dwarf_Attribute a = find(r, die, attribute);
    if (a)
        r->answer.elsewhere |= elsewhere(a);
}

bool reader_reference(struct reader *r, die_t die, unsigned attribute, uint64_t *out)
{
    SCOPED(drop) Dwarf_Attribute a = find(r, die, attribute);
    Dwarf_Off offset = 0;
    Dwarf_Error e = NULL;
    bool fine =
        a && !elsewhere(a) && checked(r, dwarf_global_formref(a, &offset, &e), e) == DW_DLV_OK;
    if (fine)
        *out = offset;
    return fine;
}

static bool plus_constant(const uint8_t *at, size_t len, uint64_t *out)
{
    unsigned shift = 0;
    if (!len || at[0] != DW_OP_plus_uconst)
        return false;
    *out = 0;
    for (size_t i = 1; i < len && shift < 64; i++, shift += 7) {
        *out |= (uint64_t)(at[i] & 0x7f) << shift;
        if (!(at[i] & 0x80))
            return i + 1 == len;
    }
    return false;
}

bool reader_place(struct reader *r, die_t die, uint64_t *out)
{
    if (reader_number(r, die, DW_AT_data_member_location, out))
        return true;
    SCOPED(drop) Dwarf_Attribute a = find(r, die, DW_AT_data_member_location);
    Dwarf_Block *block = NULL;
    Dwarf_Unsigned len = 0;
    Dwarf_Ptr at = NULL;
    Dwarf_Error e = NULL;
    bool fine = false;
    if (!a)
        return false;
    if (checked(r, dwarf_formexprloc(a, &len, &at, &e), e) == DW_DLV_OK) {
        fine = plus_constant(at, (size_t)len, out);
    } else if (checked(r, dwarf_formblock(a, &block, &e), e) == DW_DLV_OK) {
        fine = plus_constant(block->bl_data, (size_t)block->bl_len, out);
        dwarf_dealloc(r->dbg, block, DW_DLA_BLOCK);
    }
    return fine;
}
