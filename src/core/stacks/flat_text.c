/* The flat profile of stacks as lines. */
#include "core/stacks/flat.h"

#include "core/stacks/format.h"

#include "core/base/buf.h"
#include "core/text/report_fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Widths of the columns. */
struct columns {
    struct call_scale scale;
    int self, cumulative, wait, calls; /* 0: no such column */
    uint64_t total;
};

static int max_width(int a, int b)
{
    return a > b ? a : b;
}

static struct columns columns_of(const struct stacks *s, const struct stacks_flat *f)
{
    struct columns c = {.scale = call_scale_of(&s->value[f->value], f->total), .total = f->total};
    int unit = (int)strlen(c.scale.unit);
    uint64_t calls = 0;
    for (size_t i = 0; i < f->rows; i++)
        calls += f->row[i].calls;
    c.self = max_width(unit + (int)sizeof "self", c.scale.width);
    c.cumulative = max_width(unit + (int)sizeof "cumulative", c.scale.width);
    if (f->waits)
        c.wait = max_width(unit + (int)sizeof "wait", c.scale.width);
    if (f->calls)
        c.calls = max_width((int)sizeof "calls" - 1, snprintf(NULL, 0, "%" PRIu64, calls));
    return c;
}

static void print_header(const struct columns *c, struct buf *out)
{
    int unit = (int)strlen(c->scale.unit);
    buf_printf(out, "%*s %s      %%  %*s %s      %%  ", c->self - unit - 1, "self", c->scale.unit,
               c->cumulative - unit - 1, "cumulative", c->scale.unit);
    if (c->wait)
        buf_printf(out, "%*s %s  ", c->wait - unit - 1, "wait", c->scale.unit);
    if (c->calls)
        buf_printf(out, "%*s  ", c->calls, "calls");
    buf_adds(out, "function\n");
}

static void print_amount(const struct columns *c, int width, uint64_t part, struct buf *out)
{
    call_amount(&c->scale, width, (double)part, out);
    buf_printf(out, "  %5.1f  ", share_pct(part, c->total));
}

static void print_row(const struct columns *c, const struct stacks_flat_row *r, size_t width,
                      struct buf *out)
{
    print_amount(c, c->self, r->self, out);
    print_amount(c, c->cumulative, r->cumulative, out);
    if (c->wait) {
        call_amount(&c->scale, c->wait, (double)r->wait, out);
        buf_adds(out, "  ");
    }
    if (c->calls)
        buf_printf(out, "%*" PRIu64 "  ", c->calls, r->calls);
    call_name(out, r->name, r->module, width);
    buf_addc(out, '\n');
}

/* Cumulative amounts have no sum: they hold each other. */
static void print_rest(const struct columns *c, const struct stacks_flat *f, size_t from,
                       bool fitted, struct buf *out)
{
    uint64_t self = 0, calls = 0;
    for (size_t i = from; i < f->rows; i++) {
        self += f->row[i].self;
        calls += f->row[i].calls;
    }
    print_amount(c, c->self, self, out);
    buf_printf(out, "%*s", c->cumulative + 9 + (c->wait ? c->wait + 2 : 0), "");
    if (c->calls)
        buf_printf(out, "%*" PRIu64 "  ", c->calls, calls);
    report_rest(out, f->rows - from, fitted);
    buf_addc(out, '\n');
}

int stacks_flat_text(const struct stacks *s, const struct stacks_flat_options *o, struct buf *out)
{
    SCOPED(stacks_flat_release) struct stacks_flat f;
    int r = stacks_flat_make(s, o->cumulative, &f);
    if (r == 0) {
        struct columns c = columns_of(s, &f);
        size_t shown = report_shown(f.rows, o->max_rows, o->fitted);
        call_summary(s, f.value, f.total, out);
        print_header(&c, out);
        for (size_t i = 0; i < shown; i++)
            print_row(&c, &f.row[i], o->width, out);
        if (shown < f.rows)
            print_rest(&c, &f, shown, o->fitted, out);
    }
    return r ? r : buf_error(out);
}
