#include "core/symbol/perfmap.h"

#include "core/base/hex.h"
#include "core/base/line.h"

static void parse_line(const char *s, struct jit_code *out)
{
    uint64_t start, size;
    if (hex_read(&s, &start) && *s++ == ' ' && hex_read(&s, &size) && *s++ == ' ')
        jit_code_add(out, start, size, s);
}

void perfmap_read(char *text, size_t len, struct jit_code *out)
{
    char *line, *end;
    for (char *at = text; (line = line_cut(&at, text + len, &end));) {
        if (end > line && end[-1] == '\r')
            end[-1] = '\0';
        parse_line(line, out);
    }
}
