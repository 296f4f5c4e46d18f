#include "core/heap/report.h"

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/base/time_unit.h"
#include "core/containers/intern.h"
#include "core/stacks/format.h"
#include "core/text/counted.h"
#include "core/text/shown.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 4 };

struct heap_row {
    uint32_t function, line; /* STACKS_NONE: no frame is known; line 0: not asked for, or unknown */
    uint64_t amount[VALUES]; /* in the order of the stacks' values */
};

struct heap_table {
    const struct heap_view *view;
    struct intern rows;
    uint64_t total[VALUES];
    struct call_scale scale[VALUES];
};

/* --- rows --- */

static struct heap_row *row_of(struct heap_table *t, uint32_t node)
{
    const struct stacks *s = t->view->stacks;
    struct heap_row row = {.function = STACKS_NONE};
    if (node != STACKS_NONE) {
        const struct stacks_frame *f = &s->frame[s->node[node].frame];
        row.function = f->function;
        row.line = t->view->lines ? f->line : 0;
    }
    uint32_t i = intern(&t->rows, &row);
    return i == INTERN_NONE ? NULL : (struct heap_row *)t->rows.record + i;
}

static int add_rows(struct heap_table *t)
{
    const struct stacks *s = t->view->stacks;
    for (size_t i = 0; i < s->samples; i++) {
        struct heap_row *row = row_of(t, s->sample[i].node);
        if (!row)
            return -ENOMEM;
        for (size_t v = 0; v < VALUES; v++) {
            row->amount[v] += s->amount[i * VALUES + v];
            t->total[v] += s->amount[i * VALUES + v];
        }
    }
    return 0;
}

static int compare_rows(const void *pa, const void *pb)
{
    const struct heap_row *a = pa, *b = pb;
    for (size_t v = VALUES; v--;)
        if (a->amount[v] != b->amount[v])
            return a->amount[v] > b->amount[v] ? -1 : 1;
    return ORDER(a->function, b->function) ?: ORDER(a->line, b->line);
}

/* --- the table --- */

struct heap_column {
    const char *value, *title;
};
static const struct heap_column columns[VALUES] = {{"peak_space", "peak"},
                                                   {"inuse_space", "at end"},
                                                   {"alloc_space", "all"},
                                                   {"alloc_objects", "calls"}};

static size_t value_of(const struct stacks *s, const char *name)
{
    size_t v = 0;
    while (v + 1 < VALUES && strcmp(s->value[v].name, name) != 0)
        v++;
    return v;
}

static void print_title(const struct heap_table *t, size_t column, char title[24])
{
    const struct call_scale *c = &t->scale[value_of(t->view->stacks, columns[column].value)];
    snprintf(title, 24, "%s%s%s", columns[column].title, c->bare ? "" : " ",
             c->bare ? "" : c->unit);
}

static int width_of(const struct heap_table *t, size_t column)
{
    char title[24];
    print_title(t, column, title);
    size_t v = value_of(t->view->stacks, columns[column].value);
    const struct call_scale *c = &t->scale[v];
    int amount = snprintf(NULL, 0, "%.*f", c->decimals, (double)t->total[v] / c->size);
    int head = (int)strlen(title);
    return amount > head ? amount : head;
}

static void print_head(const struct heap_table *t, struct buf *out)
{
    char title[24];
    for (size_t i = 0; i < VALUES; i++) {
        print_title(t, i, title);
        buf_printf(out, "%*s  ", width_of(t, i), title);
    }
    buf_adds(out, t->view->lines ? "line that allocated\n" : "function that allocated\n");
}

static void print_amounts(const struct heap_table *t, const uint64_t *amount, struct buf *out)
{
    for (size_t i = 0; i < VALUES; i++) {
        size_t v = value_of(t->view->stacks, columns[i].value);
        call_amount(&t->scale[v], width_of(t, i), (double)amount[v], out);
        buf_adds(out, "  ");
    }
}

static void print_name(const struct heap_table *t, const struct heap_row *r, struct buf *out)
{
    const struct stacks *s = t->view->stacks;
    if (r->function == STACKS_NONE) {
        buf_adds(out, "(unknown)");
        return;
    }
    const struct stacks_function *f = &s->function[r->function];
    if (r->line && *f->file)
        shown_printf(out, "%s:%" PRIu32 " ", path_last(f->file), r->line);
    call_name(out, f->name, stacks_module_name(s, f), t->view->width);
}

static void print_rest(const struct heap_table *t, size_t shown, bool fitted, struct buf *out)
{
    const struct heap_row *row = t->rows.record;
    uint64_t rest[VALUES] = {0};
    for (size_t i = shown; i < t->rows.count; i++)
        for (size_t v = 0; v < VALUES; v++)
            rest[v] += row[i].amount[v];
    print_amounts(t, rest, out);
    report_rest(out, t->rows.count - shown, fitted);
    buf_addc(out, '\n');
}

static void print_table(struct heap_table *t, const struct report_part *part, struct buf *out)
{
    const struct heap_row *row = t->rows.record;
    size_t shown = report_shown(t->rows.count, part->rows, part->fitted);
    for (size_t v = 0; v < VALUES; v++)
        t->scale[v] = call_scale_of(&t->view->stacks->value[v], t->total[v]);
    print_head(t, out);
    for (size_t i = 0; i < shown; i++) {
        print_amounts(t, row[i].amount, out);
        print_name(t, &row[i], out);
        buf_addc(out, '\n');
    }
    if (shown < t->rows.count)
        print_rest(t, shown, part->fitted, out);
}

int heap_report(const struct heap_view *v, const struct report_part *part, struct buf *out)
{
    struct heap_table t = {.view = v,
                           .rows = {.each = sizeof(struct heap_row), .key = 2 * sizeof(uint32_t)}};
    int r = v->stacks->values == VALUES ? add_rows(&t) : -EINVAL;
    if (r == 0) {
        sort_array(t.rows.record, t.rows.count, sizeof(struct heap_row), compare_rows);
        print_table(&t, part, out);
        buf_addc(out, '\n');
        heap_totals_text(v->totals, v->stacks->origin.method, out);
        buf_adds(out, v->notes ? v->notes : "");
    }
    intern_release(&t.rows);
    return r;
}

/* --- sums --- */

/* `16078 bytes (15.70 KiB)': exact, to be compared. */
static void print_bytes(uint64_t bytes, struct buf *out)
{
    struct time_unit u = time_unit_of(KIND_BYTES, (double)bytes);
    buf_adds(out, counted(bytes, "byte").text);
    if (u.size > 1)
        buf_printf(out, " (%.*f %s)", u.decimals, (double)bytes / u.size, u.name);
}

static void print_amount(const struct heap_amount *a, struct buf *out)
{
    print_bytes(a->bytes, out);
    buf_printf(out, " in %s", counted(a->blocks, "block").text);
}

void heap_totals_text(const struct heap_totals *t, const char *method, struct buf *out)
{
    const struct heap_amount *all = &t->sums.allocated;
    buf_adds(out, t->processes > 1 ? "peak (the processes' own, added): " : "peak: ");
    print_amount(&t->sums.peak, out);
    buf_adds(out, "; at the end: ");
    print_amount(&t->sums.now, out);
    buf_printf(out, "\n%s allocated ", counted(all->blocks, "call").text);
    print_bytes(all->bytes, out);
    buf_printf(out, ", %s freed; %s\n", counted(t->frees, "call").text,
               counted(t->processes, "process").text);
    shown_printf(out, "%s\n", method);
    if (t->unknown)
        buf_printf(out, "%s of blocks whose allocation was not seen\n",
                   counted(t->unknown, "free").text);
    if (t->missed)
        buf_printf(out, "%s allocated again, whose free was not seen\n",
                   counted(t->missed, "block").text);
    if (t->lost)
        buf_printf(out, "%s lost: the return was not seen\n", counted(t->lost, "call").text);
}
