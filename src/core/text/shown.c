#include "core/text/shown.h"

#include "core/base/buf.h"
#include "core/text/rune.h"

#include <stdarg.h>
#include <string.h>

bool shown_is_safe(uint32_t rune)
{
    static const uint32_t unsafe[][2] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                         {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}};
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
        if (rune >= unsafe[i][0] && rune <= unsafe[i][1])
            return false;
    return true;
}

size_t shown_character(const char *text, size_t len, bool *safe)
{
    uint32_t rune = RUNE_BAD;
    size_t n = rune_decode(text, len, &rune);
    bool decoded = n > 1 || (n == 1 && rune != RUNE_BAD);
    *safe = decoded && shown_is_safe(rune);
    return n ? n : 1;
}

/* --- in place --- */

enum kind { WORD, MESSAGE, LINES };

/* What of text[at], with what follows, may stay as it is. */
static bool is_kept(const char *text, size_t at, size_t len, enum kind kind)
{
    if (text[at] == '\n')
        return kind == LINES || (kind == MESSAGE && at + 1 < len && text[at + 1] == ' ');
    return text[at] == '\t' && kind == LINES;
}

/* '?' is never longer than what it replaces. */
static size_t clean_text(char *text, size_t len, enum kind kind)
{
    size_t to = 0;
    for (size_t at = 0, n; at < len; at += n) {
        bool safe;
        n = shown_character(text + at, len - at, &safe);
        if (safe || is_kept(text, at, len, kind)) {
            memmove(text + to, text + at, n);
            to += n;
        } else {
            text[to++] = '?';
        }
    }
    return to;
}

static void clean_buf(struct buf *b, size_t from, size_t to, enum kind kind)
{
    if (buf_error(b) || to <= from)
        return;
    size_t shorter = to - from - clean_text(b->data + from, to - from, kind);
    memmove(b->data + to - shorter, b->data + to, b->len - to + 1);
    b->len -= shorter;
}

void shown_word(char *text)
{
    text[clean_text(text, strlen(text), WORD)] = '\0';
}

void shown_lines(struct buf *text, size_t from)
{
    clean_buf(text, from, text->len, LINES);
}

void shown_message(struct buf *text)
{
    clean_buf(text, 0, text->len, MESSAGE);
}

/* --- appended --- */

void shown_add(struct buf *out, const char *text, size_t len)
{
    size_t from = out->len;
    buf_add(out, text, len);
    clean_buf(out, from, out->len, WORD);
}

void shown_adds(struct buf *out, const char *text)
{
    shown_add(out, text, strlen(text));
}

static size_t newlines_at_end(const char *fmt)
{
    size_t len = strlen(fmt), n = 0;
    while (n < len && fmt[len - 1 - n] == '\n')
        n++;
    return n;
}

void shown_printf(struct buf *out, const char *fmt, ...)
{
    size_t from = out->len + strspn(fmt, "\n"), end = newlines_at_end(fmt);
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(out, fmt, ap);
    va_end(ap);
    if (out->len >= from + end)
        clean_buf(out, from, out->len - end, WORD);
}
