/*
 * declare: types as C declares them, and structs with the places of their members.
 *
 * A declaration of a circular or very large type is cut: "..." stands for the rest. Names are safe
 * to print (core/text/shown.h).
 */
#pragma once

#include "core/base/buf.h"
#include "core/types/types.h"

/* Appends the declaration of a variable, `char *(*name)[4]', without `;'. name NULL: that of the
 * type alone. A struct without a name is `struct {...}'. */
void types_declare(const struct types *t, uint32_t id, const char *name, struct buf *out);

/* Appends `int main(int argc, char **argv)', under another name if name is not NULL. */
void types_prototype(const struct types *t, const struct type_function *f, const char *name,
                     struct buf *out);

/* Appends the definition of a struct, union, class or enum, or of a typedef of one, a member a
 * line, with its offset and size in bytes, holes between members, and a last line of sums. The
 * offset of a bit-field is BYTE:BIT. Structs without a name are shown inside it. */
void types_layout(const struct types *t, uint32_t id, struct buf *out);
