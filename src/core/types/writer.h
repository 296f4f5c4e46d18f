/*
 * types_writer: what declare.c and layout.c write with.
 */
#pragma once

#include "core/types/declare.h"

/* Types that one declaration visits, and its bytes and those of a name, about. */
enum { TYPES_MOST_STEPS = 4096, TYPES_MOST_TEXT = 1 << 16 };

struct types_writer {
    const struct types *types;
    struct buf *out;
    const char *nameless; /* stands for a struct without a name; NULL: `struct {...}' */
    unsigned steps, deep;
};

/* A declaration, as types_declare. */
void types_write(struct types_writer *w, uint32_t id, const char *name);

/* `struct', `union', `class' or `enum'. */
const char *types_keyword(unsigned kind);

/* layout.c: the struct or union without a name that a member of this type is, has an array of or
 * points to; NULL: it is none. */
const struct type *types_nested(const struct types *t, uint32_t id, bool *pointed);
