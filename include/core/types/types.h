/*
 * types: what a compiler knew of functions and their arguments, as plain data: types that name each
 * other by number, functions with their prototypes, members, enumerators. It is filled from BTF
 * (core/types/btf.h) or from DWARF (core/types/dwarf.h).
 *
 * Type 0 is void. All numbers inside are valid once types_check was passed; a chain of types may
 * still be circular, as the file is foreign: who follows one counts the steps (TYPES_DEEPEST).
 * Names are C's, or C++'s with their scopes; they point into memory that the source says outlives
 * the types.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type_kind {
    TYPE_UNKNOWN, /* not to be read, or not a type */
    TYPE_VOID,
    TYPE_INTEGER, /* bool and char, too: see encoding */
    TYPE_FLOAT,
    TYPE_POINTER,
    TYPE_REFERENCE,
    TYPE_RVALUE_REFERENCE,
    TYPE_ARRAY,
    TYPE_FUNCTION,
    TYPE_STRUCT,
    TYPE_CLASS,
    TYPE_UNION,
    TYPE_ENUM,
    TYPE_TYPEDEF, /* without a name: it stands for what it is of */
    TYPE_CONST,
    TYPE_VOLATILE,
    TYPE_RESTRICT,
    TYPE_ATOMIC,
    TYPE_KINDS
};

static inline bool type_is_pointer(unsigned kind)
{
    return kind == TYPE_POINTER || kind == TYPE_REFERENCE || kind == TYPE_RVALUE_REFERENCE;
}

enum type_encoding { TYPE_UNSIGNED, TYPE_SIGNED, TYPE_CHAR, TYPE_BOOL };

/* TYPES_DEEPEST: of a chain that is followed. TYPES_MOST: of types, and of members. */
enum { TYPES_DEEPEST = 64, TYPES_MOST = 1 << 24 };

struct type {
    uint8_t kind;
    uint8_t encoding;  /* of an integer; of an enum TYPE_SIGNED if it has negative values */
    bool incomplete;   /* a struct, union or enum that is declared only */
    bool scoped;       /* one of C++, whose name needs no keyword */
    bool variadic;     /* a function: more arguments may follow */
    bool unprototyped; /* a function of C without a list of arguments */
    uint32_t of;       /* what is pointed to, an element, what is returned, renamed or qualified */
    const char *name;  /* NULL: none */
    uint64_t bytes;    /* its size; of an array the number of its elements */
    uint32_t first, count; /* its members, parameters or enumerators */
};

struct type_member {
    const char *name; /* NULL: none */
    uint32_t type;
    uint32_t bits;       /* of a bit-field; else 0 */
    uint64_t bit_offset; /* of an enumerator its value, as int64_t or uint64_t */
};

struct type_function {
    const char *name;
    uint32_t type;  /* of kind TYPE_FUNCTION */
    uint64_t start; /* link-time address; 0: not known */
    bool altered;   /* a copy, whose arguments are not where those of the prototype are */
};

struct types {
    struct type *type;
    size_t count, cap;
    struct type_member *member;
    size_t members, member_cap;
    struct type_function *function;
    size_t functions, function_cap;
    uint32_t pointer_bytes; /* 0: not known */
    uint8_t *owned;         /* bytes that names point into, when they are its own; NULL */
};

void types_release(struct types *t);

/* Appends; false when memory ends or there are TYPES_MOST. The first type must be void. */
bool types_add(struct types *t, const struct type *one);
bool types_add_member(struct types *t, const struct type_member *one);
bool types_add_function(struct types *t, const struct type_function *one);

/* Whether every number inside is of a thing that is there, and type 0 is void. */
bool types_check(const struct types *t);

/* The type without typedefs and qualifiers. */
uint32_t types_plain(const struct types *t, uint32_t id);

/* sizeof; 0 when it has none, or is not known. */
uint64_t types_size(const struct types *t, uint32_t id);

/* The number of the next type after `after' that is defined under this name, without the words
 * `struct', `union', `class' or `enum', which the name may begin with: a struct, union, class or
 * enum with members, or a typedef of one; 0: none. */
uint32_t types_named(const struct types *t, const char *name, uint32_t after);
