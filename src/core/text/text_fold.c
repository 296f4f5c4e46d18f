#include "core/text/text_fold.h"

#include "core/base/buf.h"
#include "core/text/name_fit.h"

#include <stdio.h>
#include <string.h>

bool text_word(const char **at, const char **word, size_t *len)
{
    *at += strspn(*at, " ");
    *word = *at;
    *len = strcspn(*at, " ");
    *at += *len;
    return *len > 0;
}

void text_cut(char *out, size_t size, const char *text, size_t len)
{
    static const char more[] = " ...";
    if (len < size) {
        snprintf(out, size, "%.*s", (int)len, text);
        return;
    }
    size_t avail = size > sizeof more ? size - sizeof more : 0, cut = avail;
    while (cut && text[cut] != ' ')
        cut--;
    snprintf(out, size, "%.*s%s", (int)(cut ? cut : avail), text, more);
}

void text_fold(struct buf *out, const char *text, size_t width, size_t indent)
{
    const char *word;
    size_t len, used = 0;
    while (text_word(&text, &word, &len)) {
        size_t columns = text_columns(word, len);
        if (width && used && used + 1 + columns > width) {
            buf_printf(out, "\n%*s", (int)indent, "");
            used = 0;
        } else if (used) {
            buf_addc(out, ' ');
            used++;
        }
        buf_add(out, word, len);
        used += columns;
    }
}
