/*
 * parts: what the files of coredump share.
 */
#pragma once

#include "core/base/bytes.h"
#include "core/coredump/coredump.h"

/* A word of the process: 4 or 8 bytes. */
static inline size_t coredump_word_bytes(const struct coredump *c)
{
    return c->wide ? 8 : 4;
}

static inline uint64_t coredump_word(const struct coredump *c, const uint8_t *at)
{
    return c->wide ? get_u64(at, c->big_endian) : get_u32(at, c->big_endian);
}

/* The len bytes at a file offset; NULL when they are not all there. */
static inline const uint8_t *coredump_bytes(const struct coredump *c, uint64_t offset, uint64_t len)
{
    return offset <= c->len && len <= c->len - offset ? c->image + offset : NULL;
}

/* The notes of a PT_NOTE: what is cut short is passed over. 0 or -ENOMEM. */
int coredump_notes(struct coredump *c, uint64_t offset, uint64_t len);

/* What the first thread says of its process. */
void coredump_first_thread(struct coredump *c);
