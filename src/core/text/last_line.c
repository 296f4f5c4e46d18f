#include "core/text/last_line.h"

#include "core/text/shown.h"

#include <string.h>

/* A line of blanks does not replace one that says something. */
static void end_line(struct last_line *l)
{
    while (l->len && l->pending[l->len - 1] == ' ')
        l->len--;
    l->pending[l->len] = '\0';
    shown_word(l->pending);
    if (l->len)
        memcpy(l->line, l->pending, strlen(l->pending) + 1);
    l->len = 0;
}

void last_line_add(struct last_line *l, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char c = bytes[i] == '\t' ? ' ' : bytes[i];
        if (c == '\n' || c == '\r')
            end_line(l);
        else if (l->len < LAST_LINE_MAX && (l->len || c != ' '))
            l->pending[l->len++] = c ? c : '?';
    }
}

const char *last_line_text(struct last_line *l)
{
    end_line(l);
    return l->line;
}
