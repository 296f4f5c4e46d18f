#include "core/stacks/format.h"

#include "core/base/buf.h"
#include "core/base/time_unit.h"
#include "core/text/counted.h"
#include "core/text/name_fit.h"
#include "core/text/shown.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool in_units(const struct stacks_value *value, uint64_t total, struct time_unit *out)
{
    bool time = strcmp(value->unit, "nanoseconds") == 0;
    if (!time && strcmp(value->unit, "bytes") != 0)
        return false;
    *out = time_unit_of(time ? KIND_TIME : KIND_BYTES, (double)total);
    return true;
}

struct call_scale call_scale_of(const struct stacks_value *value, uint64_t total)
{
    struct time_unit u = {value->name, 1, 0};
    bool bare = !in_units(value, total, &u);
    struct call_scale c = {u.name, bare, u.size, u.decimals, 0};
    int digits = snprintf(NULL, 0, "%.*f", c.decimals, (double)total / c.size);
    int header = (int)strlen(c.unit);
    c.width = digits > header ? digits : header;
    return c;
}

void call_amount(const struct call_scale *c, int width, double amount, struct buf *out)
{
    buf_printf(out, "%*.*f", width, c->decimals, amount / c->size);
}

static bool counts_samples(const struct stacks_value *v)
{
    return strcmp(v->name, "samples") == 0 && strcmp(v->unit, "count") == 0;
}

uint64_t call_samples(const struct stacks *s)
{
    for (size_t v = 0; v < s->values; v++)
        if (counts_samples(&s->value[v]))
            return stacks_total(s, v);
    return s->origin.period ? stacks_total(s, s->origin.period_value) / s->origin.period : 0;
}

void call_summary(const struct stacks *s, size_t value, uint64_t total, struct buf *out)
{
    struct call_scale c = call_scale_of(&s->value[value], total);
    uint64_t samples = call_samples(s);
    call_amount(&c, 0, (double)total, out);
    shown_printf(out, " %s", c.unit);
    if (samples && !counts_samples(&s->value[value]))
        buf_printf(out, ", %s", counted(samples, "sample").text);
    if (s->origin.lost)
        buf_printf(out, ", %" PRIu64 " lost", s->origin.lost);
    if (s->origin.method[0])
        shown_printf(out, "; %s", s->origin.method);
    buf_addc(out, '\n');
}

/* --- names --- */

static size_t line_width(const struct buf *out)
{
    size_t at = out->len;
    while (at && out->data[at - 1] != '\n')
        at--;
    return out->len ? text_columns(out->data + at, out->len - at) : 0;
}

static void add_fitting(struct buf *out, const char *name, size_t width)
{
    SCOPED_BUF fitting = BUF_INIT;
    name_fit(&fitting, name, width);
    shown_add(out, buf_str(&fitting), fitting.len);
}

static size_t name_width(const struct buf *out, size_t behind, size_t width)
{
    size_t taken = line_width(out) + behind;
    if (!width)
        return 0;
    return width > taken + NAME_FIT_MIN ? width - taken : NAME_FIT_MIN;
}

/* A module takes a third of the line at most. */
static void add_module(struct buf *out, const char *module, size_t width)
{
    if (!*module)
        return;
    buf_adds(out, *module == '[' ? " " : " [");
    add_fitting(out, module, width / 3);
    if (*module != '[')
        buf_addc(out, ']');
}

void call_name(struct buf *out, const char *name, const char *module, size_t width)
{
    SCOPED_BUF behind = BUF_INIT;
    add_module(&behind, module, width);
    add_fitting(out, name, name_width(out, line_width(&behind), width));
    buf_add(out, buf_str(&behind), behind.len);
}
