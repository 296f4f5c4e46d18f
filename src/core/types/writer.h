/*
 * types_writer: what declare.c and layout.c have for each other.
 */
#pragma once

#include "core/types/declare.h"

/* As types_declare; nameless stands for a struct without a name, NULL: `struct {...}'. */
void types_declare_as(const struct types *t, uint32_t id, const char *name, const char *nameless,
                      struct buf *out);

/* `struct', `union', `class' or `enum'. */
const char *types_keyword(unsigned kind);

/* layout.c: the struct or union without a name that a member of this type is, has an array of or
 * points to; NULL: it is none. */
const struct type *types_nested(const struct types *t, uint32_t id, bool *pointed);
