#include "core/coverage/report.h"

#include "core/base/buf.h"
#include "core/base/share.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/symbol/demangle.h"
#include "core/symbol/module.h"
#include "core/text/json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    char text[24]; /* of a function without a symbol: its address */
    const char *at;
};

static const char *name_of(const struct coverage_view *v, const struct covered_function *f,
                           struct name *to)
{
    snprintf(to->text, sizeof to->text, "0x%" PRIx64, f->start);
    to->at = f->name ? demangled(v->names, f->name) : to->text;
    return to->at;
}

const struct covered_function *coverage_function_named(const struct coverage_view *v,
                                                       const char *name)
{
    const struct covered_function *best = NULL;
    struct name text;
    for (size_t i = 0; i < v->covered->functions; i++) {
        const struct covered_function *f = &v->covered->function[i];
        bool is =
            (f->name && strcmp(f->name, name) == 0) || strcmp(name_of(v, f, &text), name) == 0;
        if (is && (!best || f->calls > best->calls))
            best = f;
    }
    return best;
}

/* --- for people --- */

static int compare_calls(const void *a, const void *b)
{
    const struct covered_function *const *x = a, *const *y = b;
    return ORDER((*y)->calls, (*x)->calls) ?:
           ORDER((*y)->executed, (*x)->executed) ?:
           ORDER(*x, *y);
}

static const struct covered_function **sort_by_calls(const struct covered *c)
{
    const struct covered_function **order = calloc(c->functions + 1, sizeof *order);
    for (size_t i = 0; order && i < c->functions; i++)
        order[i] = &c->function[i];
    if (order)
        sort_array(order, c->functions, sizeof *order, compare_calls);
    return order;
}

static void add_totals(const struct covered_totals *t, struct buf *out)
{
    buf_printf(out, "functions: %zu of %zu executed (%.1f%%)\n", t->called, t->functions,
               share_pct(t->called, t->functions));
    if (t->lines)
        buf_printf(out, "lines: %zu of %zu executed (%.1f%%)\n", t->executed_lines, t->lines,
                   share_pct(t->executed_lines, t->lines));
    buf_printf(out, "instructions: %" PRIu64 " of %" PRIu64 " executed (%.1f%%)\n", t->executed,
               t->instructions, share_pct(t->executed, t->instructions));
}

static void add_row(const struct coverage_view *v, const struct covered_function *f,
                    struct buf *out)
{
    struct name text;
    buf_printf(out, "%12" PRIu64 "\t%5.1f\t%s", f->calls, share_pct(f->executed, f->instructions),
               name_of(v, f, &text));
    if (f->file)
        buf_printf(out, " %s:%u", path_last(f->file), f->line);
    buf_adds(out, "\n");
}

int coverage_report(const struct coverage_view *v, const struct report_part *part, struct buf *out)
{
    struct covered_totals totals;
    const struct covered_function **order = sort_by_calls(v->covered);
    if (!order)
        return -ENOMEM;
    size_t shown = report_shown(v->covered->functions, part->rows, part->fitted);
    covered_count(v->covered, &totals);
    add_totals(&totals, out);
    buf_adds(out, "       calls\t    %\tfunction\n");
    for (size_t i = 0; i < shown; i++)
        add_row(v, order[i], out);
    if (shown < v->covered->functions) {
        buf_adds(out, "            \t     \t");
        report_rest(out, v->covered->functions - shown, part->fitted);
        buf_adds(out, "\n");
    }
    buf_printf(out, "%s\n", v->method);
    free(order);
    return 0;
}

/* --- JSON --- */

static void add_function(const struct coverage_view *v, const struct covered_function *f,
                         struct json *j)
{
    struct name text;
    json_object(j, NULL);
    json_members(j, "function module address:x", name_of(v, f, &text), f->module->path, f->start);
    if (f->file)
        json_members(j, "file line", f->file, f->line);
    json_members(j, "calls instructions executed_instructions", f->calls, f->instructions,
                 f->executed);
    json_object_end(j);
}

static void add_json_totals(const struct covered_totals *t, struct json *j)
{
    json_record(
        j, "totals",
        "functions executed_functions lines executed_lines instructions executed_instructions",
        t->functions, t->called, t->lines, t->executed_lines, t->instructions, t->executed);
}

void coverage_json(const struct coverage_view *v, struct json *j)
{
    struct covered_totals totals;
    covered_count(v->covered, &totals);
    json_str(j, "method", v->method);
    add_json_totals(&totals, j);
    json_array(j, "functions");
    for (size_t i = 0; i < v->covered->functions; i++)
        add_function(v, &v->covered->function[i], j);
    json_array_end(j);
    json_array(j, "lines");
    for (size_t i = 0; i < v->covered->lines; i++) {
        const struct covered_line *l = &v->covered->line[i];
        json_record(j, NULL, "file line count", l->file, l->line, l->count);
    }
    json_array_end(j);
}

/* --- source --- */

enum { AROUND = 2 };

/* Of the function's file: from its first line to the one before the next function's. */
static void range_of(const struct coverage_view *v, const struct covered_function *f,
                     uint32_t *first, uint32_t *last)
{
    const struct covered *c = v->covered;
    uint32_t end = UINT32_MAX;
    for (size_t i = 0; i < c->functions; i++) {
        const struct covered_function *g = &c->function[i];
        if (g->file && strcmp(g->file, f->file) == 0 && g->line > f->line && g->line < end)
            end = g->line;
    }
    *first = *last = f->line;
    for (size_t i = 0; i < c->lines; i++) {
        const struct covered_line *l = &c->line[i];
        if (strcmp(l->file, f->file) == 0 && l->line >= f->line && l->line < end)
            *last = l->line;
    }
    *first = *first > AROUND ? *first - AROUND : 1;
    *last += *last < UINT32_MAX - AROUND ? AROUND : 0;
}

static const struct covered_line *find_line(const struct covered *c, const char *file, uint32_t n)
{
    for (size_t i = 0; i < c->lines; i++)
        if (c->line[i].line == n && strcmp(c->line[i].file, file) == 0)
            return &c->line[i];
    return NULL;
}

static void add_source_line(const struct covered_line *l, uint32_t n, const char *text, size_t len,
                            struct buf *out)
{
    if (!l)
        buf_printf(out, "%12s", "-");
    else if (l->count)
        buf_printf(out, "%12" PRIu64, l->count);
    else
        buf_printf(out, "%12s", "#####");
    buf_printf(out, " %6u  ", n);
    buf_add(out, text, len);
    buf_adds(out, "\n");
}

void coverage_source(const struct coverage_view *v, const struct covered_function *f,
                     const char *source, size_t len, struct buf *out)
{
    uint32_t first, last;
    const char *at = source, *end = source + len;
    range_of(v, f, &first, &last);
    for (uint32_t n = 1; at < end && n <= last; n++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if (n >= first)
            add_source_line(find_line(v->covered, f->file, n), n, at, (size_t)(stop - at), out);
        at = newline ? newline + 1 : end;
    }
}
