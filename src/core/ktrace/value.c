#include "value.h"

#include "core/base/errno_name.h"
#include "core/ktrace/where.h"
#include "core/text/shown.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_PLAIN = 0xffffff };

static bool is_error(int64_t number)
{
    return number < 0 && number >= -ERRNO_MOST;
}

static void add_number(struct buf *out, int64_t number, bool returned)
{
    const char *name = returned && is_error(number) ? errno_name((int)-number) : NULL;
    buf_printf(out, "%" PRId64 "%s%s", number, name ? " " : "", name ? name : "");
}

/* Small numbers are decimal; others are addresses or flags, as far as anyone can know. */
static void add_raw(struct buf *out, uint64_t value, bool returned)
{
    int64_t number = ktrace_signed(value);
    if (number >= -ERRNO_MOST && number <= MAX_PLAIN)
        add_number(out, number, returned);
    else
        buf_printf(out, "0x%" PRIx64, value);
}

static void add_unsigned(struct buf *out, uint64_t value)
{
    buf_printf(out, value <= MAX_PLAIN ? "%" PRIu64 : "0x%" PRIx64, value);
}

static void add_pointer(struct buf *out, uint64_t value)
{
    if (!value)
        buf_adds(out, "NULL");
    else if (is_error((int64_t)value))
        add_number(out, (int64_t)value, true);
    else
        buf_printf(out, "0x%" PRIx64, value);
}

/* --- characters --- */

static const char *escape(char c)
{
    static const char from[] = "\n\t\r\"\\";
    static const char *const to[] = {"\\n", "\\t", "\\r", "\\\"", "\\\\"};
    const char *at = c ? strchr(from, c) : NULL;
    return at ? to[at - from] : NULL;
}

static void add_quoted(struct buf *out, const char *text)
{
    size_t len = strlen(text);
    buf_addc(out, '"');
    for (const char *at = text; *at;) {
        const char *escaped = escape(*at);
        size_t plain = strcspn(at, "\n\t\r\"\\");
        if (escaped)
            buf_adds(out, escaped);
        else
            shown_add(out, at, plain);
        at += escaped ? 1 : plain;
    }
    buf_adds(out, len == KTRACE_TEXT_BYTES ? "\"..." : "\"");
}

static void add_character(struct buf *out, uint64_t value)
{
    bool printable = value >= ' ' && value < 0x7f;
    buf_printf(out, printable ? "'%c'" : "%d", (int)(int8_t)value);
}

/* --- names --- */

static const char *enumerator(const struct ktrace_shown *show, const struct ktrace_type *type,
                              uint64_t value)
{
    for (uint32_t i = 0; i < type->count; i++) {
        const struct ktrace_enumerator *e = &show->signatures->enumerator[type->first + i];
        if (ktrace_value(type, e->value) == value)
            return e->name;
    }
    return NULL;
}

void ktrace_code_text(const struct ktrace_shown *show, uint64_t address, struct buf *out)
{
    uint64_t offset = 0;
    const char *name = show->code ? show->code(show->arg, address, &offset) : NULL;
    if (name)
        shown_adds(out, name);
    else
        buf_printf(out, "0x%" PRIx64, address);
    if (name && offset)
        buf_printf(out, "+0x%" PRIx64, offset);
}

static void add_code(const struct ktrace_shown *show, struct buf *out, uint64_t value)
{
    if (!value || is_error((int64_t)value))
        add_pointer(out, value);
    else
        ktrace_code_text(show, value, out);
}

static void add_enum(const struct ktrace_shown *show, const struct ktrace_type *type,
                     struct buf *out, uint64_t value)
{
    const char *name = enumerator(show, type, value);
    if (name)
        shown_adds(out, name);
    else if (type->is_signed)
        buf_printf(out, "%" PRId64, (int64_t)value);
    else
        add_unsigned(out, value);
}

void ktrace_value_text(const struct ktrace_shown *show, const struct ktrace_type *type,
                       uint64_t reg, const char *text, bool returned, struct buf *out)
{
    uint64_t value = ktrace_value(type, reg);
    switch (type->kind) {
    case KTRACE_SIGNED:
        add_number(out, (int64_t)value, returned);
        break;
    case KTRACE_UNSIGNED:
        add_unsigned(out, value);
        break;
    case KTRACE_CHAR:
        add_character(out, value);
        break;
    case KTRACE_BOOL:
        buf_adds(out, value ? "true" : "false");
        break;
    case KTRACE_ENUM:
        add_enum(show, type, out, value);
        break;
    case KTRACE_TEXT:
        if (text)
            add_quoted(out, text);
        else
            add_pointer(out, value);
        break;
    case KTRACE_POINTER:
        add_pointer(out, value);
        break;
    case KTRACE_CODE:
        add_code(show, out, value);
        break;
    default:
        add_raw(out, value, returned);
    }
}

void ktrace_value_json(const struct ktrace_shown *show, const struct ktrace_type *type,
                       uint64_t reg, const char *text, const char *key, struct json *j)
{
    uint64_t value = ktrace_value(type, reg);
    SCOPED_BUF name = BUF_INIT;
    if (type->kind == KTRACE_BOOL)
        json_bool(j, key, value != 0);
    else if (type->kind == KTRACE_UNSIGNED || type->kind == KTRACE_CHAR)
        json_u64(j, key, value);
    else if (type->kind == KTRACE_SIGNED)
        json_i64(j, key, (int64_t)value);
    else if (type->kind == KTRACE_TEXT && text)
        json_str(j, key, text);
    else if (type->kind == KTRACE_ENUM || (type->kind == KTRACE_CODE && value)) {
        ktrace_value_text(show, type, reg, text, false, &name);
        json_str(j, key, buf_str(&name));
    } else
        json_hex(j, key, value);
}
