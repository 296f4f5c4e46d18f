/*
 * dwarf_cursor: reads DWARF's numbers one after the other. Reading past the end gives 0, sets bad
 * and stays at the end, so that a caller may check once after several reads.
 */
#pragma once

#include "core/base/bytes.h"

#include <stdbool.h>
#include <stddef.h>

struct dwarf_cursor {
    const uint8_t *base;
    size_t at, end; /* offsets from base; at <= end */
    bool big_endian, bad;
};

static inline bool dwarf_fits(struct dwarf_cursor *c, uint64_t bytes)
{
    if (__builtin_expect(bytes <= c->end - c->at, 1))
        return true;
    c->at = c->end;
    c->bad = true;
    return false;
}

static inline void dwarf_skip(struct dwarf_cursor *c, uint64_t bytes)
{
    if (dwarf_fits(c, bytes))
        c->at += bytes;
}

static inline uint64_t dwarf_read_be(const uint8_t *p, unsigned size)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < size; i++)
        n = n << 8 | p[i];
    return n;
}

static inline uint64_t dwarf_read_le(const uint8_t *p, unsigned size)
{
    switch (size) {
    case 1:
        return p[0];
    case 2:
        return get_le16(p);
    case 4:
        return get_le32(p);
    case 8:
        return get_le64(p);
    default:
        return get_le16(p) | (uint64_t)p[2] << 16; /* DW_FORM_strx3 and addrx3 */
    }
}

/* size is 1, 2, 3, 4 or 8. */
static inline uint64_t dwarf_number(struct dwarf_cursor *c, unsigned size)
{
    if (!dwarf_fits(c, size))
        return 0;
    const uint8_t *p = c->base + c->at;
    c->at += size;
    return c->big_endian ? dwarf_read_be(p, size) : dwarf_read_le(p, size);
}

/* Bits beyond the 64th are dropped. */
static inline uint64_t dwarf_uleb(struct dwarf_cursor *c)
{
    uint64_t n = 0;
    for (unsigned shift = 0; dwarf_fits(c, 1); shift += 7) {
        uint8_t b = c->base[c->at++];
        if (shift < 64)
            n |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80))
            return n;
    }
    return 0;
}

static inline int64_t dwarf_sleb(struct dwarf_cursor *c)
{
    uint64_t n = 0;
    for (unsigned shift = 0; dwarf_fits(c, 1);) {
        uint8_t b = c->base[c->at++];
        if (shift < 64)
            n |= (uint64_t)(b & 0x7f) << shift;
        shift += 7;
        if (b & 0x80)
            continue;
        if (b & 0x40 && shift < 64)
            n |= ~(uint64_t)0 << shift;
        return (int64_t)n;
    }
    return 0;
}

static inline void dwarf_skip_leb(struct dwarf_cursor *c)
{
    while (dwarf_fits(c, 1) && c->base[c->at++] & 0x80)
        ;
}

static inline void dwarf_skip_string(struct dwarf_cursor *c)
{
    const uint8_t *nul = memchr(c->base + c->at, 0, c->end - c->at);
    if (nul)
        c->at = (size_t)(nul - c->base) + 1;
    else
        dwarf_fits(c, UINT64_MAX);
}
