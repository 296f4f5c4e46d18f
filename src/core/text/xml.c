#include "core/text/xml.h"

#include "core/text/rune.h"

#include "core/base/buf.h"

#include <stdbool.h>
#include <string.h>

static const char *find_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    }
    return NULL;
}

static bool is_character(const char *s, size_t len)
{
    if (len == 1)
        return (unsigned char)*s >= 0x20 && *s != 0x7f;
    return len != 3 || (memcmp(s, "\xef\xbf\xbe", 3) != 0 && memcmp(s, "\xef\xbf\xbf", 3) != 0);
}

void xml_add(struct buf *out, const char *text, size_t len)
{
    while (len) {
        size_t n = rune_len(text);
        const char *escaped = find_entity(*text);
        if (escaped)
            buf_adds(out, escaped);
        else if (n && n <= len && is_character(text, n))
            buf_add(out, text, n);
        else
            buf_adds(out, "\xef\xbf\xbd");
        n = n && n <= len ? n : 1;
        text += n;
        len -= n;
    }
}

void xml_adds(struct buf *out, const char *text)
{
    xml_add(out, text, strlen(text));
}
