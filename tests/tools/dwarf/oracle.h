/*
 * oracle: what libdwarf says of a file's lines, ranges and inlined functions, to hold core/dwarf's
 * answers against it. libdwarf reads the file itself, by its own ELF reader. For files of
 * compilers, not for hostile ones.
 */
#pragma once

#include "core/types/dwarf/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_NONE UINT32_MAX

struct oracle_row { /* of the line table: code in [start, end) */
    uint64_t start, end;
    uint64_t file, line, column, discriminator;
};

struct oracle_rows {
    struct oracle_row *row; /* sorted by start */
    size_t count, cap;
    char **listed; /* the unit's list of files, whose first has this number: */
    Dwarf_Signed listed_count, listed_first; /* 0: DWARF 5 */
};

struct oracle_span {
    uint64_t low, high;
    uint32_t scope;
};

struct oracle_scope { /* a function, or one that is inlined */
    uint64_t die, low;
    uint64_t call_file, call_line, call_column;
    uint32_t parent, deep; /* parent: what it is inlined into */
};

struct oracle_scopes {
    struct oracle_scope *scope;
    size_t count, cap;
    struct oracle_span *span;
    size_t spans, span_cap;
    size_t unread; /* lists of ranges that this libdwarf cannot read */
};

/* --- rows.c: false when the unit has no line table --- */
bool oracle_rows_read(struct reader *r, die_t unit, struct oracle_rows *out);
const struct oracle_row *oracle_rows_find(const struct oracle_rows *t, uint64_t address);
/* By the unit's list of files; NULL: none. */
const char *oracle_file(const struct oracle_rows *t, uint64_t number);
void oracle_rows_release(struct oracle_rows *t);

/* --- scopes.c: of the unit's DIE; base: where its code begins --- */
void oracle_scopes_read(struct reader *r, die_t unit, uint64_t base, struct oracle_scopes *out);
/* The innermost scope at an address; ORACLE_NONE. */
uint32_t oracle_scopes_find(const struct oracle_scopes *t, uint64_t address);
/* Linkage name, else name; NULL: none. */
const char *oracle_name(struct reader *r, uint64_t die);
void oracle_scopes_release(struct oracle_scopes *t);

/* --- open.c: libdwarf on a file; split: a .dwo of that file. NULL: it cannot --- */
Dwarf_Debug oracle_open(const char *path, Dwarf_Debug split_from);
void oracle_close(Dwarf_Debug dbg);
