/*
 * json: a writer of one JSON value, compact, straight into a buf. Commas and quoting are its
 * business; nesting and balance are the caller's. Bytes that are not UTF-8 are replaced by U+FFFD,
 * so the result is always valid JSON. The buf remembers when memory ran out (buf_error).
 *
 * Every applet's object starts the same: json_start writes {"psuite":1,"applet":NAME. Units are in
 * the names (user_ns, rss_bytes, share_pct); addresses are strings of hex digits behind 0x.
 */
#pragma once

#include "core/text/values.h"

#include <stdbool.h>
#include <stdint.h>

struct buf;

struct json {
    struct buf *out;
    bool comma;         /* a value precedes the next one at this level */
    bool short_escapes; /* \t, \n and \r are written so, and DEL as it is; false: as \u0009 and so
                           on */
};

void json_start(struct json *j, struct buf *out,
                const char *applet); /* opens the applet's object */
void json_end(struct json *j);       /* closes it, newline */

/* key is NULL inside an array. */
void json_object(struct json *j, const char *key);
void json_object_end(struct json *j);
void json_array(struct json *j, const char *key);
void json_array_end(struct json *j);
void json_str(struct json *j, const char *key, const char *text); /* NULL: null */
void json_u64(struct json *j, const char *key, uint64_t v);
void json_i64(struct json *j, const char *key, int64_t v);
void json_num(struct json *j, const char *key, double v, int decimals); /* null when not finite */
/* Exactly v / 10^decimals (at most 18), without zeros at its end. */
void json_decimal(struct json *j, const char *key, uint64_t v, unsigned decimals);
void json_bool(struct json *j, const char *key, bool v);
void json_null(struct json *j, const char *key);
void json_hex(struct json *j, const char *key, uint64_t address);

/* By its type; a double is rounded to a whole number. */
void json_any(struct json *j, const char *key, struct text_value v);

/* Several members, or an object of them: their keys, with blanks between, and as many values, at
 * most 16.
 *
 *     json_members(j, "name share_pct.2 address:x [line] ended?", name, share, start, line, ended);
 *
 * A value is written by its type, unless what stands behind its key says otherwise: `.2' a double
 * with two decimals (json_num), `:x' an address (json_hex), `?' true or false, `/3' a whole number
 * divided by 10 to the third (json_decimal). A double without decimals is rounded to a whole
 * number. A member in brackets is left out if its value is 0, NULL, false or an empty text. Keys
 * have letters, digits and `_'. Another number of values than keys is -EINVAL of the buf. */
#define json_members(j, keys, ...)     json_add_members(j, keys, TEXT_VALUES(__VA_ARGS__))
#define json_record(j, key, keys, ...) json_add_record(j, key, keys, TEXT_VALUES(__VA_ARGS__))
void json_add_members(struct json *j, const char *keys, const struct text_value *values);
void json_add_record(struct json *j, const char *key, const char *keys,
                     const struct text_value *values);

/* Several elements of an array that is open, at most 16, each by its type as by json_any. */
#define json_values(j, ...) json_add_values(j, TEXT_VALUES(__VA_ARGS__))
void json_add_values(struct json *j, const struct text_value *values);

/* Appends a compact JSON value with a line for each member, indented by two blanks a level. */
void json_indent(const char *compact, struct buf *out);
