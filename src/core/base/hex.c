#include "core/base/hex.h"

unsigned hex_digit(char c)
{
    unsigned number = (unsigned char)c - (unsigned)'0', letter = ((unsigned char)c | 0x20u) - 'a';
    return number < 10 ? number : letter < 6 ? letter + 10 : 16;
}

bool hex_read(const char **s, uint64_t *out)
{
    const char *at = *s;
    if (at[0] == '0' && (at[1] | 0x20) == 'x' && hex_digit(at[2]) < 16)
        at += 2;
    const char *first = at;
    uint64_t v = 0;
    for (unsigned d; (d = hex_digit(*at)) < 16; at++) {
        if (at - first == 16)
            return false;
        v = v << 4 | d;
    }
    if (at == first)
        return false;
    *out = v;
    *s = at;
    return true;
}
