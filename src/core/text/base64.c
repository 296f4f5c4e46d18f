#include "base64.h"

#include "core/base/buf.h"

#include <stdint.h>

/* Three bytes are four letters. */
void base64_line(struct buf *out, const void *bytes, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *at = bytes;
    for (size_t i = 0; i < len; i += 3) {
        size_t left = len - i;
        uint32_t v = (uint32_t)at[i] << 16 | (left > 1 ? (uint32_t)at[i + 1] << 8 : 0) |
                     (left > 2 ? at[i + 2] : 0);
        char text[4] = {digits[v >> 18], digits[v >> 12 & 63], left > 1 ? digits[v >> 6 & 63] : '=',
                        left > 2 ? digits[v & 63] : '='};
        buf_add(out, text, sizeof text);
    }
    buf_addc(out, '\n');
}
