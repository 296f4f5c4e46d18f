/*
 * lines_module: what the files of lines share.
 */
#pragma once

#include "core/dwarf/lines.h"
#include "lines_unit.h"

enum { LINES_SPLIT_MISSING = 1 };

/* For lines_touched. A unit's tables come from its entries and, about as long, from the other
 * sections. A name is at three places (its entry, the one that this refers to, the string), and a
 * root entry at two, of each of which the system brings in some pages. */
enum { LINES_OTHER_SECTIONS = 2, LINES_NAME_BYTES = 3 << 16, LINES_ROOT_BYTES = 2 << 16 };

struct lines_splits {
    struct imap by_path; /* path -> struct dwarf_file *, or LINES_SPLIT_MISSING */
    size_t missing;
    const char *first_missing;
};

struct lines {
    struct dwarf_file file, alt, package;
    bool has_alt, has_package;
    struct span_map map; /* address -> UINT32_MAX - 1 - index of the unit: the first one counts */
    bool *bare;          /* a unit: its root has no ranges, and .debug_aranges none for it */
    bool searched;       /* the bare ones, for functions */
    struct lines_unit **unit; /* a unit of file: its tables, NULL when they are not there */
    struct lines_unit *newest, *oldest;
    size_t unit_bytes, limit;
    struct budget *budget;
    size_t index_bytes; /* taken of it for unit, bare and what is kept of a unit elsewhere */
    struct dwarf_left_out left_out;
    uint64_t touched; /* bytes of the images, estimated */
    struct lines_paths paths;
    struct lines_splits splits;
    lines_split_reader *read_split;
    void *read_split_arg;
};

/* --- lines_index.c --- */

/* Finds what the units cover. False when memory ends. */
bool lines_map_make(struct lines *l);
/* The index of the unit, SIZE_MAX: none. */
size_t lines_map_find(struct lines *l, uint64_t vaddr);

/* --- lines_unit.c --- */

/* The unit's tables, read on first use; older units are evicted for it. NULL: no memory. */
struct lines_unit *lines_unit_get(struct lines *l, size_t index);
void lines_unit_free(struct lines_unit *u);
const char *lines_unit_name(struct lines *l, struct lines_unit *u, struct lines_scope *s);
const char *lines_unit_path(struct lines *l, struct lines_unit *u, uint64_t file);

/* --- lines_split.c --- */

/* The other half of a skeleton, whose root entry is given; ready. */
bool lines_split_find(struct lines *l, const struct dwarf_unit *skeleton,
                      const struct dwarf_die *root, struct dwarf_unit *out);
void lines_splits_release(struct lines_splits *s);
