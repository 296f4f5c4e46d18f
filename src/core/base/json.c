#include "core/base/json.h"

#include "core/base/buf.h"
#include "core/base/rune.h"
#include "core/base/shown.h"
#include "core/base/utf8.h"

#include <inttypes.h>
#include <math.h>

static void quote(struct buf *out, const char *text)
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
        } else if (!shown_is_safe(rune)) {
            buf_printf(out, "\\u%04" PRIx32, rune);
            s += n;
        } else {
            buf_add(out, s, n);
            s += n;
        }
    }
    buf_addc(out, '"');
}

static struct buf *begin(struct json *j, const char *key)
{
    if (j->comma)
        buf_addc(j->out, ',');
    j->comma = true;
    if (key) {
        quote(j->out, key);
        buf_addc(j->out, ':');
    }
    return j->out;
}

static void open(struct json *j, const char *key, char bracket)
{
    buf_addc(begin(j, key), bracket);
    j->comma = false;
}

static void close(struct json *j, char bracket)
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
    open(j, key, '{');
}

void json_object_end(struct json *j)
{
    close(j, '}');
}

void json_array(struct json *j, const char *key)
{
    open(j, key, '[');
}

void json_array_end(struct json *j)
{
    close(j, ']');
}

void json_str(struct json *j, const char *key, const char *text)
{
    quote(begin(j, key), text);
}

void json_u64(struct json *j, const char *key, uint64_t v)
{
    buf_printf(begin(j, key), "%" PRIu64, v);
}

void json_i64(struct json *j, const char *key, int64_t v)
{
    buf_printf(begin(j, key), "%" PRId64, v);
}

void json_num(struct json *j, const char *key, double v, int decimals)
{
    if (isfinite(v))
        buf_printf(begin(j, key), "%.*f", decimals, v);
    else
        json_null(j, key);
}

void json_decimal(struct json *j, const char *key, uint64_t v, unsigned decimals)
{
    uint64_t one = 1;
    for (unsigned i = 0; i < decimals; i++)
        one *= 10;
    struct buf *out = begin(j, key);
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
    buf_adds(begin(j, key), v ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
    buf_adds(begin(j, key), "null");
}

void json_hex(struct json *j, const char *key, uint64_t address)
{
    buf_printf(begin(j, key), "\"0x%" PRIx64 "\"", address);
}
