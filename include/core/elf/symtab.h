/*
 * symtab: the functions of one module, sorted, each address answered in O(log n).
 * Addresses are the module's own (link-time) ones, 64 bits wide whatever the target.
 */
#pragma once

#include "core/base/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
    uint64_t start;   /* first byte; on ARM without the Thumb bit */
    uint64_t end;     /* one past the last byte; ranges do not overlap */
    const char *name; /* as in the file, or NAME@plt; lives as long as the table */
};

/* The name of those that have none: known without reading names, which may be in a mapped file. */
extern const char symtab_unnamed[];
static inline bool symbol_is_named(const struct symbol *s)
{
    return s->name != symtab_unnamed;
}

struct symtab;

/* The symbol that covers addr, NULL when none does (below the first, in a gap, past the last). */
const struct symbol *symtab_find(const struct symtab *t, uint64_t addr);

/* The first symbol that starts above addr, NULL when none does. */
const struct symbol *symtab_next(const struct symtab *t, uint64_t addr);

/* All of them in order of address. */
size_t symtab_count(const struct symtab *t);
/* How many were over SYMTAB_MAX or the budget; 0 of NULL. */
size_t symtab_left_out(const struct symtab *t);
const struct symbol *symtab_at(const struct symtab *t, size_t i);
/* The first of that name, of len bytes; NULL when none has it. Walks them all. */
const struct symbol *symtab_named(const struct symtab *t, const char *name, size_t len);

/* --- building ---
 * Of several symbols at one address the best is kept: a function before an untyped one, one with a
 * size before one without, global before weak before local, then the plainer name (fewer leading
 * underscores, no '.' or '@', shorter), then the one added later. A symbol without a size ends at
 * the next one or at limit; a sized one is cut where the next begins. An untyped symbol without a
 * size inside a sized function is a label: it is left out, and cuts nothing. The last symbol
 * reaches to the end of the address space when it has neither size nor limit.
 */
enum {
    SYMTAB_MAX = 4 << 20,        /* of a table: more are counted, and left out */
    SYMTAB_NAMES_MOST = 1 << 28, /* bytes of its copied names: as above */
};

struct symbol_found {
    uint64_t addr, size, limit; /* size 0 = unknown; limit = end of its section, 0 = none */
    const char *name; /* copied only when copy_name, and once if the one copied last ends with it */
    bool copy_name, function;
    uint8_t binding; /* 0 local, 1 weak, 2 global */
};

struct symtab_builder;
/* What it and its table hold is taken from b, which must outlive both. NULL when out of memory. */
struct symtab_builder *symtab_builder_new(struct budget *b);
void symtab_builder_free(struct symtab_builder *b);
void symtab_add(struct symtab_builder *b, const struct symbol_found *s);
/* Counts symbols that were not even read. */
void symtab_leave_out(struct symtab_builder *b, size_t symbols);
/* Sorts and settles; b is empty afterwards. NULL when out of memory. */
struct symtab *symtab_build(struct symtab_builder *b);
void symtab_free(struct symtab *t);
