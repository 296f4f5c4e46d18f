#include "core/prof/report.h"

#include "build.h"
#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/text/name_fit.h"
#include "core/text/report_fit.h"
#include "core/text/shown.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- sums --- */

struct summing {
    const struct prof_names *names;
    struct prof_row *row;
    uint32_t *on; /* how often a function is on the current path */
};

/* Modular: a damaged file's times mean nothing, but are no crash. */
static void add_wrapping(int64_t *sum, uint64_t by)
{
    *sum = (int64_t)((uint64_t)*sum + by);
}

static bool enter_node(void *arg, uint32_t node, size_t depth)
{
    struct summing *s = arg;
    const struct prof_tree *t = s->names->tree;
    const struct prof_node *n = &t->node[node];
    uint32_t function = prof_function_of(s->names, node);
    struct prof_row *row = &s->row[function];
    uint64_t raw = prof_node_raw_ns(t, n);
    row->calls = prof_add_saturating(row->calls, n->count);
    row->self_ns = prof_add_saturating(row->self_ns, n->self_ns);
    row->error_ns = prof_add_saturating(row->error_ns, n->error_ns);
    add_wrapping(&row->raw_self_ns, raw);
    if (n->parent != PROF_NONE)
        add_wrapping(&s->row[prof_function_of(s->names, n->parent)].raw_self_ns, 0 - raw);
    if (s->on[function]++ == 0)
        row->total_ns = prof_add_saturating(row->total_ns, n->total_ns);
    return true;
}

static void leave_node(void *arg, uint32_t node)
{
    struct summing *s = arg;
    s->on[prof_function_of(s->names, node)]--;
}

/* --- rows --- */

/* What rows are sorted by; small, as sorting moves it often. */
struct sorted {
    uint64_t self_ns, calls;
    const char *name;
    uint32_t function;
};

static int by_self(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    return ORDER(y->self_ns, x->self_ns) ?:
           ORDER(y->calls, x->calls) ?:
           strcmp(x->name, y->name) ?:
           ORDER(x->function, y->function);
}

static bool has_row(const struct prof_flat *f, const struct prof_row *row)
{
    return row->calls &&
           (f->names->tree->about.version != 1 || prof_function_at(f->names, row->function)->known);
}

/* row: of each function. */
static bool sort_rows(struct prof_flat *f, struct prof_row *row, size_t functions)
{
    SCOPED_FREE struct sorted *all = malloc((functions + 1) * sizeof *all);
    for (uint32_t i = 0; all && i < functions; i++) {
        row[i].function = i;
        if (has_row(f, &row[i]))
            all[f->rows++] = (struct sorted){row[i].self_ns, row[i].calls,
                                             prof_function_at(f->names, i)->name, i};
    }
    f->row = all ? malloc((f->rows + 1) * sizeof *f->row) : NULL;
    if (f->row)
        sort_array(all, f->rows, sizeof *all, by_self);
    for (size_t i = 0; f->row && i < f->rows; i++) {
        f->row[i] = row[all[i].function];
        f->total_ns = prof_add_saturating(f->total_ns, f->row[i].self_ns);
        f->error_squares += (double)f->row[i].error_ns * (double)f->row[i].error_ns;
    }
    return f->row;
}

int prof_flat_make(const struct prof_names *n, uint32_t thread, struct prof_flat *out)
{
    size_t functions = n->functions.count;
    SCOPED_FREE struct prof_row *row = calloc(functions + 1, sizeof *row);
    SCOPED_FREE uint32_t *on = calloc(functions + 1, sizeof *on);
    struct summing s = {n, row, on};
    struct prof_walk w = {.enter = enter_node, .leave = leave_node, .arg = &s};
    *out = (struct prof_flat){.names = n};
    bool ok =
        row && on && prof_tree_walk(n->tree, thread, &w) == 0 && sort_rows(out, row, functions);
    return ok ? 0 : -ENOMEM;
}

void prof_flat_release(struct prof_flat *f)
{
    free(f->row);
    *f = (struct prof_flat){0};
}

/* --- text --- */

/* Tenths of a percent, ties up. */
static unsigned share_tenths(uint64_t part, uint64_t whole)
{
    while (whole > UINT64_MAX / 4000) {
        whole /= 2;
        part /= 2;
    }
    return whole ? (unsigned)((part * 2000 + whole) / (whole * 2)) : 0;
}

/* Of the share: what the others are off by changes the whole of which it is a part. */
static uint64_t share_error_ns(const struct prof_flat *f, const struct prof_row *row)
{
    double share = f->total_ns ? (double)row->self_ns / (double)f->total_ns : 0;
    double own = (double)row->error_ns, rest = f->error_squares - own * own;
    double others = rest > 0 ? share * sqrt(rest) : 0;
    return prof_whole_ns(hypot((1 - share) * own, others));
}

/* A column of 8; nothing below 0.1. */
static void add_error(const struct prof_flat *f, const struct prof_row *row, struct buf *out)
{
    char text[16] = "";
    unsigned error = share_tenths(share_error_ns(f, row), f->total_ns);
    if (error)
        snprintf(text, sizeof text, "+-%u.%u", error / 10, error % 10);
    buf_printf(out, " %7s", text);
}

static void add_row(const struct prof_flat *f, const struct prof_row *row, bool errors,
                    struct buf *out)
{
    unsigned pct = share_tenths(row->self_ns, f->total_ns);
    buf_printf(out, "%2u.%u", pct / 10, pct % 10);
    if (errors)
        add_error(f, row, out);
    buf_printf(out, " %8.3f %8" PRIu64 "\t", (double)row->self_ns / 1e9, row->calls);
}

static void add_place(const struct prof_function *f, struct buf *out)
{
    if (*f->file && f->line) {
        buf_addc(out, '\t');
        shown_printf(out, "%s:%" PRIu32, f->file, f->line);
    } else if (*f->file) {
        buf_addc(out, '\t');
        shown_adds(out, f->file);
    }
}

enum { NAME_COLUMN = 24, ERROR_COLUMN = 32, TAB = 8 };

/* The place behind a name keeps its length: it is what a name is shortened for. */
static void add_name(const struct prof_flat *f, uint32_t function,
                     const struct prof_flat_options *options, struct buf *out)
{
    SCOPED_BUF label = BUF_INIT, place = BUF_INIT;
    size_t taken = options->errors ? ERROR_COLUMN : NAME_COLUMN;
    prof_label(f->names, function, &label);
    if (options->lines)
        add_place(prof_function_at(f->names, function), &place);
    taken += place.len ? TAB + text_columns(buf_str(&place) + 1, place.len - 1) : 0;
    name_fit(out, buf_str(&label),
             !options->width          ? 0
             : options->width > taken ? options->width - taken
                                      : 1);
    buf_add(out, buf_str(&place), place.len);
}

static void add_rest(const struct prof_flat *f, size_t from,
                     const struct prof_flat_options *options, struct buf *out)
{
    struct prof_row rest = {0};
    if (from >= f->rows)
        return;
    for (size_t i = from; i < f->rows; i++) {
        rest.self_ns = prof_add_saturating(rest.self_ns, f->row[i].self_ns);
        rest.calls = prof_add_saturating(rest.calls, f->row[i].calls);
        rest.error_ns = prof_add_saturating(rest.error_ns, f->row[i].error_ns);
    }
    add_row(f, &rest, options->errors, out);
    report_rest(out, f->rows - from, options->fitted);
    buf_addc(out, '\n');
}

void prof_flat_text(const struct prof_flat *f, const struct prof_flat_options *options,
                    struct buf *out)
{
    size_t rows = report_shown(f->rows, options->max_rows, options->fitted);
    buf_printf(out, "  %%%s     Time     Calls  Name\n", options->errors ? "    Error" : "");
    for (size_t i = 0; i < rows; i++) {
        add_row(f, &f->row[i], options->errors, out);
        add_name(f, f->row[i].function, options, out);
        buf_addc(out, '\n');
    }
    add_rest(f, rows, options, out);
}
