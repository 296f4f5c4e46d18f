#include "core/text/json.h"

#include "core/base/buf.h"
#include "core/text/rune.h"
#include "core/text/shown.h"
#include "core/text/utf8.h"

#include <inttypes.h>
#include <math.h>

static char escape_letter(unsigned char c)
{
    return c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : '\0';
}

static void add_quoted(struct buf *out, const char *text, bool short_escapes)
{
    const unsigned char *s = (const unsigned char *)text;
    buf_addc(out, '"');
    while (*s) {
        uint32_t rune = *s;
        size_t n = utf8_len((const char *)s);
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
    add_quoted(begin_value(j, key), text, j->short_escapes);
}

void json_u64(struct json *j, const char *key, uint64_t v)
{
    buf_printf(begin_value(j, key), "%" PRIu64, v);
}

void json_i64(struct json *j, const char *key, int64_t v)
{
    buf_printf(begin_value(j, key), "%" PRId64, v);
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
    buf_printf(out, "%" PRIu64, v / one);
    v %= one;
    for (const char *point = "."; v; point = "") {
        one /= 10;
        buf_printf(out, "%s%" PRIu64, point, v / one);
        v %= one;
    }
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
