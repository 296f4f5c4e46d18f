#include "flame_text.h"

#include "core/base/time_unit.h"
#include "core/text/rune.h"
#include "core/text/xml.h"

#include "core/base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void flame_number(struct buf *out, uint64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, n);
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            buf_addc(out, ',');
        buf_addc(out, digits[i]);
    }
}

void flame_pct(struct buf *out, uint64_t n, uint64_t of)
{
    buf_printf(out, "%.*f%%", of ? 2 : 0, of ? 100.0 * (double)n / (double)of : 0);
}

static void add_scaled(struct buf *out, enum time_kind kind, uint64_t n)
{
    struct time_unit unit = time_unit_of(kind, (double)n);
    buf_printf(out, "%.*f %s", unit.decimals, (double)n / unit.size, unit.name);
}

static void add_counted(struct buf *out, const char *name, uint64_t n)
{
    size_t len = strlen(name);
    flame_number(out, n);
    buf_addc(out, ' ');
    xml_add(out, name, len - (n == 1 && len > 1 && name[len - 1] == 's'));
}

void flame_amount(struct buf *out, const struct stacks_value *value, uint64_t n)
{
    if (strcmp(value->unit, "nanoseconds") == 0)
        add_scaled(out, KIND_TIME, n);
    else if (strcmp(value->unit, "bytes") == 0)
        add_scaled(out, KIND_BYTES, n);
    else
        add_counted(out, strcmp(value->unit, "count") == 0 ? value->name : value->unit, n);
}

void flame_amounts(struct buf *out, const struct stacks *s, uint64_t count, uint64_t weight)
{
    flame_amount(out, &s->value[0], count);
    if (s->values > 1) {
        buf_adds(out, ", ");
        flame_amount(out, &s->value[s->values - 1], weight);
    }
}

/* How many columns the character at text takes, and in *len its bytes. */
static size_t columns_of(const char *text, size_t *len)
{
    *len = rune_len(text);
    *len += !*len;
    return *len > 2 && (unsigned char)*text > 0xe0 ? 2 : 1;
}

size_t flame_fit(struct buf *out, const char *text, double px)
{
    size_t max_columns = px > 0 ? (size_t)(px / FLAME_CHARACTER) : 0;
    size_t columns = 0, end = 0, cut = 0, len;
    while (text[end] && columns <= max_columns) {
        columns += columns_of(text + end, &len);
        end += len;
        if (columns + 2 <= max_columns)
            cut = end;
    }
    if (columns <= max_columns)
        cut = end;
    if (cut < end && max_columns < 4)
        return 0;
    xml_add(out, text, cut);
    if (cut < end)
        buf_adds(out, "..");
    return cut;
}
