#include "core/base/text_fold.h"

#include "core/base/buf.h"
#include "core/base/name_fit.h"

#include <string.h>

bool text_word(const char **at, const char **word, size_t *len)
{
    *at += strspn(*at, " ");
    *word = *at;
    *len = strcspn(*at, " ");
    *at += *len;
    return *len > 0;
}

void text_fold(struct buf *out, const char *text, size_t room, size_t indent)
{
    const char *word;
    size_t len, used = 0;
    while (text_word(&text, &word, &len)) {
        size_t columns = text_columns(word, len);
        if (room && used && used + 1 + columns > room) {
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
