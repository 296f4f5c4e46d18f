/*
 * dwarf_abbrev: the abbreviations of .debug_abbrev: how the entries of .debug_info are laid out.
 */
#pragma once

#include "core/dwarf/image.h"

/* The attributes that matter here; the others are skipped. */
enum dwarf_slot {
    DWARF_SKIPPED,
    DWARF_NAME,
    DWARF_LINKAGE_NAME,
    DWARF_LOW_PC,
    DWARF_HIGH_PC,
    DWARF_AT_RANGES,
    DWARF_SIBLING,
    DWARF_ORIGIN,
    DWARF_SPECIFICATION,
    DWARF_CALL_FILE,
    DWARF_CALL_LINE,
    DWARF_CALL_COLUMN,
    DWARF_DECL_FILE,
    DWARF_DECL_LINE,
    DWARF_DISCRIMINATOR,
    DWARF_STMT_LIST,
    DWARF_COMP_DIR,
    DWARF_DWO_NAME,
    DWARF_DWO_ID,
    DWARF_STR_OFFSETS_BASE,
    DWARF_ADDR_BASE,
    DWARF_RNGLISTS_BASE,
    DWARF_RANGES_BASE, /* DW_AT_GNU_ranges_base */
    DWARF_SLOTS
};

struct dwarf_attribute {
    uint8_t slot;
    int8_t size; /* as of struct dwarf_form */
    uint16_t form;
    int32_t constant; /* of DW_FORM_implicit_const */
};

struct dwarf_abbrev {
    uint64_t code;
    uint16_t tag, attributes; /* attributes: how many */
    bool children, sibling;   /* sibling: has DW_AT_sibling */
    bool fixed_size;          /* all attributes are of fixed size: */
    uint8_t addrs, offsets;   /* so many of an address's and an offset's size, */
    uint16_t bytes;           /* and so many bytes */
    uint32_t first;           /* of dwarf_abbrevs.attribute */
};

struct dwarf_abbrevs { /* a table, sorted by code */
    struct dwarf_abbrev *abbrev;
    struct dwarf_attribute *attribute;
    size_t abbrevs, attributes, abbrev_room, attribute_room;
    struct budget *budget; /* the image's */
};

/* NULL when it is broken or memory ends, or has more than *budget bytes; what was read is taken off
 * *budget. */
struct dwarf_abbrevs *dwarf_abbrevs_new(const struct dwarf_image *d, uint64_t offset,
                                        size_t *budget);
void dwarf_abbrevs_free(struct dwarf_abbrevs *t);

const struct dwarf_abbrev *dwarf_abbrev_search(const struct dwarf_abbrevs *t, uint64_t code);

/* Compilers number them 1, 2, 3 ... */
static inline const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_abbrevs *t,
                                                           uint64_t code)
{
    if (code - 1 < t->abbrevs && t->abbrev[code - 1].code == code)
        return &t->abbrev[code - 1];
    return dwarf_abbrev_search(t, code);
}
