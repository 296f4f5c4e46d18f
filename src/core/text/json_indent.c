#include "core/base/buf.h"
#include "core/text/json.h"

#include <string.h>

static void new_line(struct buf *out, int depth)
{
    buf_printf(out, "\n%*s", depth * 2, "");
}

static const char *add_string(const char *at, struct buf *out)
{
    const char *end = at + 1;
    while (*end && *end != '"')
        end += 1 + (end[0] == '\\' && end[1]);
    end += *end == '"';
    buf_add(out, at, (size_t)(end - at));
    return end;
}

static void add_mark(const char *at, int *depth, struct buf *out)
{
    bool opens = strchr("{[", *at), closes = strchr("}]", *at),
         empty = opens && strchr("}]", at[1]);
    *depth += opens - closes;
    if (closes && !strchr("{[", at[-1]))
        new_line(out, *depth);
    buf_addc(out, *at);
    if ((opens && !empty) || *at == ',')
        new_line(out, *depth);
    else if (*at == ':')
        buf_addc(out, ' ');
}

void json_indent(const char *compact, struct buf *out)
{
    int depth = 0;
    for (const char *at = compact; *at;)
        if (*at == '"')
            at = add_string(at, out);
        else
            add_mark(at++, &depth, out);
}
