#include "core/base/varint.h"

#include "core/base/bytes.h"

/* The 7 low bits of each byte, without the gaps between them. */
static uint64_t join_sevens(uint64_t w)
{
    w = (w & 0x007f007f007f007f) | (w & 0x7f007f007f007f00) >> 1;
    w = (w & 0x00003fff00003fff) | (w & 0x3fff00003fff0000) >> 2;
    return (w & 0x000000000fffffff) | (w & 0x0fffffff00000000) >> 4;
}

static uint64_t get_byte_by_byte(struct varints *c)
{
    uint64_t v = 0;
    for (unsigned shift = 0; c->at < c->end; shift += 7) {
        uint8_t b = *c->at++;
        if (shift < 64)
            v |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80))
            return v;
    }
    c->bad = true;
    return 0;
}

uint64_t get_long_varint(struct varints *c)
{
    if (c->end - c->at < 8)
        return get_byte_by_byte(c);
    uint64_t word = get_le64(c->at), ends = ~word & 0x8080808080808080;
    if (!ends)
        return get_byte_by_byte(c);
    c->at += __builtin_ctzll(ends) / 8 + 1;
    return join_sevens(word & (ends ^ (ends - 1)));
}
