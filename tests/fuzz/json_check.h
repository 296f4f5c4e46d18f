/*
 * json_check: whether bytes are one JSON value by RFC 8259, in UTF-8, and nothing behind it but
 * blanks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct json_text {
    const unsigned char *at, *end;
};

static bool json_value(struct json_text *t, int depth);

static bool json_take(struct json_text *t, char c)
{
    if (t->at == t->end || *t->at != (unsigned char)c)
        return false;
    t->at++;
    return true;
}

static bool json_word(struct json_text *t, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(t->end - t->at) < len || memcmp(t->at, word, len) != 0)
        return false;
    t->at += len;
    return true;
}

static size_t json_among(struct json_text *t, const char *set)
{
    const unsigned char *from = t->at;
    while (t->at < t->end && *t->at && strchr(set, *t->at))
        t->at++;
    return (size_t)(t->at - from);
}

static bool json_digits(struct json_text *t)
{
    return json_among(t, "0123456789") > 0;
}

static bool json_number(struct json_text *t)
{
    json_take(t, '-');
    if (!json_take(t, '0') && !json_digits(t))
        return false;
    return !json_take(t, '.') || json_digits(t);
}

static bool json_escape(struct json_text *t)
{
    if (!json_take(t, 'u')) {
        if (t->at == t->end || !*t->at || !strchr("\"\\/bfnrt", *t->at))
            return false;
        t->at++;
        return true;
    }
    for (int i = 0; i < 4; i++, t->at++)
        if (t->at == t->end || !*t->at || !strchr("0123456789abcdefABCDEF", *t->at))
            return false;
    return true;
}

static bool json_utf8(struct json_text *t)
{
    unsigned c = *t->at++, more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1, least, rune;
    if (c < 0x80)
        return true;
    if (c < 0xc2 || c > 0xf4)
        return false;
    rune = c & (0x3f >> more);
    for (unsigned i = 0; i < more; i++, t->at++) {
        if (t->at == t->end || (*t->at & 0xc0) != 0x80)
            return false;
        rune = rune << 6 | (*t->at & 0x3f);
    }
    least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
    return rune >= least && rune <= 0x10ffff && (rune < 0xd800 || rune > 0xdfff);
}

static bool json_string(struct json_text *t)
{
    if (!json_take(t, '"'))
        return false;
    while (!json_take(t, '"')) {
        if (t->at == t->end || *t->at < 0x20)
            return false;
        if (json_take(t, '\\') ? !json_escape(t) : !json_utf8(t))
            return false;
    }
    return true;
}

static bool json_list(struct json_text *t, char end, bool keys, int depth)
{
    if (json_take(t, end))
        return true;
    do {
        if (keys && (!json_string(t) || !json_take(t, ':')))
            return false;
        if (!json_value(t, depth))
            return false;
    } while (json_take(t, ','));
    return json_take(t, end);
}

static bool json_value(struct json_text *t, int depth)
{
    if (t->at == t->end || depth == 0)
        return false;
    if (json_take(t, '{'))
        return json_list(t, '}', true, depth - 1);
    if (json_take(t, '['))
        return json_list(t, ']', false, depth - 1);
    if (*t->at == '"')
        return json_string(t);
    return json_word(t, "true") || json_word(t, "false") || json_word(t, "null") || json_number(t);
}

static bool json_check(const char *text, size_t len)
{
    const unsigned char *from = (const unsigned char *)text;
    struct json_text t = {from, from + len};
    if (!json_value(&t, 64)) /* types nest 16 deep, each an object in an array */
        return false;
    json_among(&t, " \t\r\n");
    return t.at == t.end;
}
