/*
 * dwarf_file: the units and entries of one .debug_info.
 */
#pragma once

#include "abbrev.h"
#include "core/containers/imap.h"
#include "core/containers/range_map.h"

struct dwarf_file {
    struct dwarf_image image;
    struct dwarf_unit *unit; /* in order of offset, without type units */
    size_t units, unit_room;
    struct imap abbrevs;          /* offset -> struct dwarf_abbrevs *, kept until the end */
    size_t abbrev_budget;         /* bytes of the section not read yet */
    const struct dwarf_file *alt; /* dwz's supplementary file, or NULL */
};

struct dwarf_unit {
    struct dwarf_file *file;
    const struct dwarf_abbrevs *abbrevs; /* NULL until dwarf_unit_ready */
    uint64_t offset, die, end;           /* header, root entry, one past; in .debug_info */
    uint64_t abbrev_offset;
    uint64_t id; /* of split units and their skeletons, else 0 */
    uint64_t low_pc;
    uint64_t str_offsets, rnglists, ranges; /* where this unit's part of the section begins */
    uint64_t addr;                          /* as above, in addrs */
    const struct dwarf_image *addrs;        /* of split units: the image of the skeleton */
    uint8_t version, type, addr_size, offset_size;
    bool skeleton, ready, broken;
};

struct dwarf_value {
    uint16_t form;
    uint64_t n; /* number, offset, index, or for DW_FORM_string where it begins in its section */
};

struct dwarf_die {
    uint64_t offset;
    const struct dwarf_unit *unit;
    const struct dwarf_abbrev *abbrev;
    uint32_t has; /* a bit a slot */
    struct dwarf_value value[DWARF_SLOTS];
};

static inline bool dwarf_has(const struct dwarf_die *d, enum dwarf_slot s)
{
    return d->has >> s & 1;
}

/* --- file.c --- */

/* Finds the units; -EFBIG also when they are over the budget. Errors as of dwarf_image_read.
 * dwarf_file_release either way. */
int dwarf_file_open(struct dwarf_file *f, const uint8_t *image, size_t len, bool split,
                    struct budget *budget, struct fail *why);
void dwarf_file_release(struct dwarf_file *f);

/* The unit that holds an offset of .debug_info, ready; NULL when none does or it is broken. */
struct dwarf_unit *dwarf_unit_holding(const struct dwarf_file *f, uint64_t offset);

/* Reads the header at *offset, which moves to the next one. False at the end, or where no header
 * can be read. */
bool dwarf_unit_read(struct dwarf_file *f, uint64_t *offset, struct dwarf_unit *out);

/* Reads abbreviations and what the root entry says; false when it is broken. */
bool dwarf_unit_ready(struct dwarf_unit *u);

/* --- die.c --- */

struct dwarf_cursor dwarf_unit_cursor(const struct dwarf_unit *u, uint64_t offset);

/* Behind the abbreviation's code: skips the attributes, or reads those that have slots. */
void dwarf_die_skip(const struct dwarf_unit *u, const struct dwarf_abbrev *a,
                    struct dwarf_cursor *c);
void dwarf_die_attributes(const struct dwarf_unit *u, const struct dwarf_abbrev *a,
                          struct dwarf_cursor *c, struct dwarf_die *out);
/* Where DW_AT_sibling leads; 0 when there is none, or it does not lead on from there in the unit.
 */
uint64_t dwarf_die_sibling(const struct dwarf_die *d, uint64_t from);

/* Reads a value of any form; of the unit only the version and the sizes count. The cursor is bad
 * when the form is not known. */
struct dwarf_value dwarf_form_value(const struct dwarf_unit *u, struct dwarf_cursor *c,
                                    uint64_t form);

/* The entry at an offset of .debug_info, in a unit that is ready; false when it is none. */
bool dwarf_die_at(const struct dwarf_unit *u, uint64_t offset, struct dwarf_die *out);

/* --- value.c --- */

/* The string that a value of that section refers to, or NULL. */
const char *dwarf_string(const struct dwarf_unit *u, enum dwarf_section of, struct dwarf_value v);

/* What a value refers to; false or NULL when it is absent or of another kind. */
bool dwarf_value_address(const struct dwarf_die *d, enum dwarf_slot s, uint64_t *out);
bool dwarf_value_number(const struct dwarf_die *d, enum dwarf_slot s, uint64_t *out);
const char *dwarf_value_string(const struct dwarf_die *d, enum dwarf_slot s);
/* An address of .debug_addr. */
bool dwarf_address_at(const struct dwarf_unit *u, uint64_t index, uint64_t *out);

/* The entry that this one specifies or is an instance of; false when it refers to none. */
bool dwarf_die_origin(const struct dwarf_die *d, struct dwarf_die *out);

/* Linkage name, else name, of an entry or of what it is an instance of. NULL: none. */
const char *dwarf_die_name(const struct dwarf_die *d);

/* --- ranges.c --- */

/* Adds what DW_AT_low_pc, high_pc and ranges say, as spans of id. False when it says nothing. */
bool dwarf_die_ranges(const struct dwarf_die *d, struct spans *out, uint32_t id);

/* --- aranges.c: .debug_aranges, which may be incomplete (DWARF 5, 6.1.2) --- */

/* A range of the unit whose header is at that offset of .debug_info. False: stop. */
typedef bool dwarf_arange_handler(void *arg, uint64_t unit, uint64_t start, uint64_t end);
void dwarf_aranges(const struct dwarf_image *d, dwarf_arange_handler *handler, void *arg);

/* --- package.c --- */

/* The unit of that id in a .dwp. */
bool dwarf_package_find(struct dwarf_file *package, uint64_t id, struct dwarf_unit *out);
