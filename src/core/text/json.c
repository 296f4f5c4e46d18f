#include "core/text/json.h"

#include "core/base/buf.h"
#include "core/text/rune.h"
#include "core/text/shown.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static char escape_letter(unsigned char c)
{
    return c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : '\0';
}

/* Bytes that need no escape in any case. */
static size_t plain_len(const unsigned char *s)
{
    size_t n = 0;
    while (s[n] >= 0x20 && s[n] < 0x7f && s[n] != '"' && s[n] != '\\')
        n++;
    return n;
}

static void add_quoted(struct buf *out, const char *text, bool short_escapes)
{
    const unsigned char *s = (const unsigned char *)text;
    buf_addc(out, '"');
    for (;;) {
        size_t plain = plain_len(s);
        buf_add(out, s, plain);
        s += plain;
        if (!*s)
            break;
        uint32_t rune = *s;
        size_t n = rune_len((const char *)s);
        if (n > 1)
            rune_decode(s, n, &rune);
        if (n == 0) {
            buf_adds(out, "\xef\xbf\xbd");
            s++;
        } else if (*s == '"' || *s == '\\') {
            buf_printf(out, "\\%c", *s++);
        } else if (short_escapes && escape_letter(*s)) {
            buf_printf(out, "\\%c", escape_letter(*s++));
        } else if (short_escapes ? *s < 0x20 : !shown_is_safe(rune)) {
            buf_printf(out, "\\u%04" PRIx32, rune);
            s += n;
        } else {
            buf_add(out, s, n);
            s += n;
        }
    }
    buf_addc(out, '"');
}

enum { MAX_DIGITS = 20 };

/* With zeros in front, as far as least says. */
static void add_digits(struct buf *out, uint64_t v, size_t least)
{
    char digits[MAX_DIGITS];
    size_t at = sizeof digits;
    for (; v || sizeof digits - at < least; v /= 10)
        digits[--at] = (char)('0' + v % 10);
    buf_add(out, digits + at, sizeof digits - at);
}

static struct buf *begin_value(struct json *j, const char *key)
{
    if (j->comma)
        buf_addc(j->out, ',');
    j->comma = true;
    if (key) {
        add_quoted(j->out, key, j->short_escapes);
        buf_addc(j->out, ':');
    }
    return j->out;
}

static void open_bracket(struct json *j, const char *key, char bracket)
{
    buf_addc(begin_value(j, key), bracket);
    j->comma = false;
}

static void close_bracket(struct json *j, char bracket)
{
    buf_addc(j->out, bracket);
    j->comma = true;
}

void json_start(struct json *j, struct buf *out, const char *applet)
{
    *j = (struct json){.out = out};
    json_object(j, NULL);
    json_u64(j, "psuite", 1);
    json_str(j, "applet", applet);
}

void json_end(struct json *j)
{
    json_object_end(j);
    buf_addc(j->out, '\n');
}

void json_object(struct json *j, const char *key)
{
    open_bracket(j, key, '{');
}

void json_object_end(struct json *j)
{
    close_bracket(j, '}');
}

void json_array(struct json *j, const char *key)
{
    open_bracket(j, key, '[');
}

void json_array_end(struct json *j)
{
    close_bracket(j, ']');
}

void json_str(struct json *j, const char *key, const char *text)
{
    struct buf *out = begin_value(j, key);
    if (text)
        add_quoted(out, text, j->short_escapes);
    else
        buf_adds(out, "null");
}

void json_u64(struct json *j, const char *key, uint64_t v)
{
    add_digits(begin_value(j, key), v, 1);
}

void json_i64(struct json *j, const char *key, int64_t v)
{
    struct buf *out = begin_value(j, key);
    if (v < 0)
        buf_addc(out, '-');
    add_digits(out, v < 0 ? -(uint64_t)v : (uint64_t)v, 1);
}

void json_num(struct json *j, const char *key, double v, int decimals)
{
    if (isfinite(v))
        buf_printf(begin_value(j, key), "%.*f", decimals, v);
    else
        json_null(j, key);
}

void json_decimal(struct json *j, const char *key, uint64_t v, unsigned decimals)
{
    uint64_t one = 1;
    for (unsigned i = 0; i < decimals; i++)
        one *= 10;
    struct buf *out = begin_value(j, key);
    add_digits(out, v / one, 1);
    v %= one;
    if (!v)
        return;
    for (; v % 10 == 0; decimals--)
        v /= 10;
    buf_addc(out, '.');
    add_digits(out, v, decimals);
}

void json_bool(struct json *j, const char *key, bool v)
{
    buf_adds(begin_value(j, key), v ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
    buf_adds(begin_value(j, key), "null");
}

void json_hex(struct json *j, const char *key, uint64_t address)
{
    buf_printf(begin_value(j, key), "\"0x%" PRIx64 "\"", address);
}

/* --- members --- */

void json_any(struct json *j, const char *key, struct text_value v)
{
    if (v.type == VALUE_DOUBLE)
        json_num(j, key, v.number, 0);
    else if (v.type == VALUE_TEXT)
        json_str(j, key, v.text);
    else if (v.type == VALUE_BOOL)
        json_bool(j, key, v.u64);
    else if (v.type == VALUE_I64)
        json_i64(j, key, v.i64);
    else
        json_u64(j, key, v.u64);
}

static bool is_absent(const struct text_value *v)
{
    return v->type == VALUE_TEXT ? !v->text || !*v->text : !v->u64;
}

/* format: what stands behind the key. */
static void add_value(struct json *j, const char *format, const struct text_value *v)
{
    if (*format == '?')
        json_bool(j, NULL, v->u64);
    else if (*format == ':')
        json_hex(j, NULL, v->u64);
    else if (*format == '/')
        json_decimal(j, NULL, v->u64, (unsigned)(format[1] - '0'));
    else if (*format == '.' && v->type == VALUE_DOUBLE)
        json_num(j, NULL, v->number, format[1] - '0');
    else
        json_any(j, NULL, *v);
}

/* The first of keys; returns the next one. */
static const char *add_member(struct json *j, const char *keys, const struct text_value *v)
{
    bool optional = *keys == '[';
    const char *key = keys + optional, *end = key;
    while (isalnum((unsigned char)*end) || *end == '_')
        end++;
    if (!optional || !is_absent(v)) {
        struct buf *out = begin_value(j, NULL);
        buf_addc(out, '"');
        buf_add(out, key, (size_t)(end - key));
        buf_adds(out, "\":");
        j->comma = false;
        add_value(j, end, v);
    }
    while (*end && *end++ != ' ')
        ;
    return end;
}

void json_add_members(struct json *j, const char *keys, const struct text_value *values)
{
    for (; *keys && values->type != VALUE_END; values++)
        keys = add_member(j, keys, values);
    if ((*keys || values->type != VALUE_END) && !j->out->err)
        j->out->err = -EINVAL;
}

void json_add_record(struct json *j, const char *key, const char *keys,
                     const struct text_value *values)
{
    json_object(j, key);
    json_add_members(j, keys, values);
    json_object_end(j);
}

void json_add_values(struct json *j, const struct text_value *values)
{
    for (; values->type != VALUE_END; values++)
        json_any(j, NULL, *values);
}

/* --- indented --- */

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
