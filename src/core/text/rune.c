#include "core/text/rune.h"

#include <stdbool.h>

static size_t length_by_lead(uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead < 0xE0)
        return 2;
    if (lead >= 0xE0 && lead < 0xF0)
        return 3;
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

static bool is_scalar(uint32_t rune)
{
    return rune <= RUNE_LAST && (rune < 0xD800 || rune > 0xDFFF);
}

static bool is_shortest(uint32_t rune, size_t len)
{
    return len < 3 || rune >= (len == 3 ? 0x800u : 0x10000u);
}

static size_t reject_byte(uint32_t *rune)
{
    *rune = RUNE_BAD;
    return 1;
}

size_t rune_decode(const void *bytes, size_t len, uint32_t *rune)
{
    const uint8_t *b = bytes;
    size_t want = length_by_lead(b[0]);
    uint32_t r = want == 1 ? b[0] : b[0] & (0x7Fu >> want);
    if (want == 0)
        return reject_byte(rune);
    for (size_t i = 1; i < want; i++) {
        if (i == len)
            return 0;
        if ((b[i] & 0xC0) != 0x80)
            return reject_byte(rune);
        r = r << 6 | (b[i] & 0x3F);
    }
    if (!is_scalar(r) || !is_shortest(r, want))
        return reject_byte(rune);
    *rune = r;
    return want;
}

size_t rune_len(const char *text)
{
    uint32_t rune;
    size_t len = rune_decode(text, RUNE_BYTES, &rune);
    return len == 1 && rune == RUNE_BAD ? 0 : len;
}

size_t rune_encode(uint32_t rune, char out[static RUNE_BYTES])
{
    if (!is_scalar(rune))
        rune = RUNE_BAD;
    if (rune < 0x80) {
        out[0] = (char)rune;
        return 1;
    }
    size_t len = rune < 0x800 ? 2 : rune < 0x10000 ? 3 : 4;
    for (size_t i = len; --i; rune >>= 6)
        out[i] = (char)(0x80 | (rune & 0x3F));
    out[0] = (char)(0xF00u >> len | rune);
    return len;
}
