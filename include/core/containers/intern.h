/*
 * intern: a set that keeps equal things once and numbers them from 0 in order of insertion. A set
 * holds either records of one fixed size or strings; all zeros is an empty set of strings.
 *
 *     struct intern nodes = INTERN_OF(struct node);      records that are equal in all their bytes
 *     struct intern sums = {.each = sizeof(struct sum),  records with a key, their first bytes
 *                           .key = offsetof(struct sum, amount)};
 *     struct intern names = {0};                         strings
 *
 * Record i is record[i] of the array `record', which moves as it grows. String i is
 * intern_string_at(t, i); the strings themselves do not move until the release, so equal strings
 * are equal pointers. The hash table takes 4 to 8 bytes an element, a string another 8.
 *
 * Records whose first eight bytes, as a number, differ by little are near each other in the table.
 * So what is inserted or found in an order finds most of its slots in the cache. A key should begin
 * with the index or the address that follows the order most closely.
 *
 * When memory or the budget ends, nothing is inserted, what is in the set stays, and err is
 * -ENOMEM until the release: a writer may insert many and look at err once.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { INTERN_NONE = UINT32_MAX };

struct budget;
struct intern_block;

struct intern {
    size_t each, key;      /* bytes of a record; of these the key's, padding included; 0: strings */
    unsigned step;         /* log2 of the distance of neighbours: 0 of indices, more of addresses */
    struct budget *budget; /* what memory is taken from (core/base/budget.h); NULL: no limit */
    void *record;          /* of strings: their addresses */
    size_t count, cap;
    uint32_t *slot;             /* index + 1; 0 free */
    size_t slots;               /* 0 or a power of two, at most half full */
    struct intern_block *block; /* the strings' bytes, newest block first */
    size_t block_bytes;
    int err; /* 0 or -ENOMEM */
};

#define INTERN_OF(type)                                                                            \
    {                                                                                              \
        .each = sizeof(type), .key = sizeof(type)                                                  \
    }

/* Frees what the set holds and leaves it empty, of the same kind. */
void intern_release(struct intern *t);

/* Gives back the hash table, and the room for more elements: elements are read by their index from
 * now on. Until the next insertion, which makes the table anew, intern_find finds nothing. */
void intern_settle(struct intern *t);

/* --- records: compared byte by byte, so clear padding before --- */

/* The index of the record with this key; inserted when there is none. INTERN_NONE: no memory. */
uint32_t intern(struct intern *t, const void *record);

/* The index of the record with this key, or INTERN_NONE. */
uint32_t intern_find(const struct intern *t, const void *record);

/* Appends a record that is known to be new and that will not be looked for. INTERN_NONE: no
 * memory. */
uint32_t intern_append(struct intern *t, const void *record);

/* --- strings --- */

/* The index of the equal string; a copy is inserted when there is none. INTERN_NONE: no memory. */
uint32_t intern_string(struct intern *t, const char *string);

/* The set's own copy of the string, inserted when there is none. NULL: no memory. */
const char *intern_copy(struct intern *t, const char *string);

/* A copy for as long as the set's strings, of a string that is no element. NULL: no memory. */
const char *intern_append_copy(struct intern *t, const char *string);

static inline const char *intern_string_at(const struct intern *t, size_t i)
{
    return ((const char **)t->record)[i];
}
