#include "core/dwarf/image.h"

#include <stdlib.h>
#include <zlib.h>

/* Deflate makes at most 1032 bytes of one (zlib's technical notes): who claims more lies, and gets
 * no memory for it. */
static bool is_plausible(size_t len, uint64_t inflated)
{
    return inflated && inflated < (uint64_t)1 << 32 && inflated < SIZE_MAX &&
           inflated / 1032 <= len;
}

size_t dwarf_inflate_limit(size_t len)
{
    size_t limit;
    if (__builtin_mul_overflow(len, DWARF_INFLATE_RATIO, &limit) || limit > DWARF_INFLATE_MAX)
        return DWARF_INFLATE_MAX;
    return limit < DWARF_INFLATE_MIN ? DWARF_INFLATE_MIN : limit;
}

uint8_t *dwarf_inflate(const uint8_t *bytes, size_t len, uint64_t inflated)
{
    uint8_t *out = is_plausible(len, inflated) ? malloc((size_t)inflated) : NULL;
    uLongf got = (uLongf)inflated;
    if (out && uncompress(out, &got, bytes, (uLong)len) == Z_OK && got == inflated)
        return out;
    free(out);
    return NULL;
}
