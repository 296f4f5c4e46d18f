/*
 * types_json: prototypes and the places of members as JSON, into an object that the caller opens.
 *
 *   of a function  "prototype", "name", "returns", "parameters": [{"name", "type", "bytes"}],
 *                  "variadic", and "altered" where it is a copy with other parameters
 *   of a struct    "kind", "name", "bytes", "members": [{"name", "type", "offset", "bytes"}]; of a
 *                  bit-field "bit" and "bits", too, where the offset is that of its byte; of a
 *                  member without a named type its own "members"
 *   of an enum     "kind", "name", "bytes", "enumerators": [{"name", "value"}]
 *
 * Types are declared as C does. What is not known is missing.
 */
#pragma once

#include "core/types/types.h"

struct json;

/* name: under which it was asked for. */
void types_function_json(const struct types *t, const struct type_function *f, const char *name,
                         struct json *j);

/* Of a struct, union, class or enum, or of a typedef of one. At most 16,384 members are written;
 * "left_out" counts the others. */
void types_layout_json(const struct types *t, uint32_t id, struct json *j);
