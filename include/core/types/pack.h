/*
 * types_pack: answers as bytes, to be sent by a process that may have been taken over by the file
 * that it read. In little-endian order:
 *
 *     "pstypes1"; six words: types, members, functions, found, bytes of text,
 *                bytes of a pointer | elsewhere << 8
 *     types      5 words: kind | encoding << 8 | flags << 16, of, first, count, name; 8 bytes
 *     members    3 words: type, bits, name; 8 bytes
 *     functions  2 words: type | altered << 31, name; 8 bytes
 *     found      2 words: query, id
 *     text       strings; a name is its offset in the text + 1, or 0
 */
#pragma once

#include "core/base/buf.h"
#include "core/types/answer.h"

/* Appends to out, which remembers when memory ended. */
void types_pack(const struct types_answer *a, struct buf *out);

/* Every number is checked; of `queries' questions. 0; -EBADMSG, -ENOMEM. types_answer_release
 * either way. */
int types_unpack(const uint8_t *bytes, size_t len, const struct types_query *query, size_t queries,
                 struct types_answer *out);
