#include "quoted.h"

#include "core/base/buf.h"
#include "core/base/hex.h"

#include <string.h>

static void add_escaped(struct buf *out, char c, char quote)
{
    static const char letters[] = "\n\r\t", names[] = "nrt";
    const char *letter = c ? strchr(letters, c) : NULL;
    if (c == quote || c == '\\')
        buf_printf(out, "\\%c", c);
    else if (letter)
        buf_printf(out, "\\%c", names[letter - letters]);
    else if ((unsigned char)c < ' ' || c == 0x7f)
        buf_printf(out, "\\x%02x", (unsigned char)c);
    else
        buf_addc(out, c);
}

void quoted_add(struct buf *out, const char *name)
{
    char quote = strchr(name, '\'') && !strchr(name, '"') ? '"' : '\'';
    buf_addc(out, quote);
    for (; *name; name++)
        add_escaped(out, *name, quote);
    buf_addc(out, quote);
}

/* Behind a backslash; *at moves behind the last character of the escape. */
static bool read_escape(const char **at, const char *end, struct buf *out)
{
    static const char letters[] = "\n\r\t\\'\"", names[] = "nrt\\'\"";
    char c = *(*at)++;
    const char *name = c ? strchr(names, c) : NULL;
    if (name) {
        buf_addc(out, letters[name - names]);
        return true;
    }
    if (c != 'x' || end - *at < 2)
        return false;
    unsigned high = hex_digit((*at)[0]), low = hex_digit((*at)[1]);
    if (high > 15 || low > 15 || !(high | low))
        return false;
    buf_addc(out, (char)(high << 4 | low));
    *at += 2;
    return true;
}

bool quoted_read(const char **at, const char *end, struct buf *out)
{
    buf_clear(out);
    if (*at == end || (**at != '\'' && **at != '"'))
        return false;
    char quote = *(*at)++;
    while (*at < end && **at != quote) {
        char c = *(*at)++;
        if (!c || c == '\n' || (c == '\\' && (*at == end || !read_escape(at, end, out))))
            return false;
        if (c != '\\')
            buf_addc(out, c);
    }
    if (*at == end)
        return false;
    ++*at;
    return out->len > 0;
}
