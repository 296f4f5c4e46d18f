#include "core/symbol/perfmap.h"

#include "core/base/hex.h"

#include <string.h>

static void take_line(const char *s, struct jit_code *out)
{
    uint64_t start, size;
    if (hex_read(&s, &start) && *s++ == ' ' && hex_read(&s, &size) && *s++ == ' ')
        jit_code_add(out, start, size, s);
}

void perfmap_read(char *text, size_t len, struct jit_code *out)
{
    for (char *s = text, *stop = text + len; s < stop;) {
        char *end = memchr(s, '\n', (size_t)(stop - s));
        if (!end)
            end = stop;
        *end = '\0';
        if (end > s && end[-1] == '\r')
            end[-1] = '\0';
        take_line(s, out);
        s = end + 1;
    }
}
