/* A sample for people. */
#include "core/stats/sample.h"

#include "core/text/report_fit.h"
#include "core/text/shown.h"
#include "core/text/table.h"
#include "health.h"

#include <math.h>
#include <string.h>

enum { PARTS_COLUMNS = 120 };

/* What the value is, and of its parts. */
static void describe(const struct stats_value *v, struct buf *out)
{
    buf_adds(out, stats_graph_info(v->graph)->summary);
    if (v->parts)
        buf_adds(out, ": ");
    stats_parts_text(v, PARTS_COLUMNS, out);
}

static void add_value(const struct stats_value *v, double scale, struct table *t)
{
    char text[STATS_TEXT];
    SCOPED_BUF what = BUF_INIT;
    double share = 100 * stats_height(v->value, v->full, scale, false);
    stats_value_text(v, text);
    describe(v, &what);
    table_cells(t, stats_graph_info(v->graph)->name, text,
                isfinite(share) ? text_value_double(share) : text_value_text(NULL), buf_str(&what));
}

/* --- absent ones --- */

static bool is_same_reason(const struct stats_value *a, const struct stats_value *b)
{
    return a->why && b->why && strcmp(a->why, b->why) == 0;
}

/* The first one of its reason. */
static bool begins_reason(const struct stats_source_sample *m, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (is_same_reason(&m->value[i], &m->value[at]))
            return false;
    return m->value[at].why;
}

static void add_absent(const struct stats_source_sample *m, size_t at, struct table *t)
{
    const struct stats_value *v = &m->value[at];
    SCOPED_BUF why = BUF_INIT;
    size_t others = 0;
    buf_adds(&why, v->why);
    for (size_t i = at + 1; i < m->count; i++)
        if (is_same_reason(v, &m->value[i]))
            buf_printf(&why, "%s%s", others++ ? ", " : " (also ",
                       stats_graph_info(m->value[i].graph)->name);
    buf_adds(&why, others ? ")" : "");
    table_cells(t, stats_graph_info(v->graph)->name, "-", "-", buf_str(&why));
}

/* --- the table --- */

static size_t count_rows(const struct stats_source_sample *m)
{
    size_t rows = 0;
    for (size_t k = 0; k < m->count; k++)
        rows += !m->value[k].why || begins_reason(m, k);
    return rows;
}

static void fill_table(const struct stats_source_sample *m, double scale, size_t rows,
                       struct table *t)
{
    for (size_t k = 0; k < m->count && rows; k++)
        if (!m->value[k].why) {
            add_value(&m->value[k], scale, t);
            rows--;
        }
    for (size_t k = 0; k < m->count && rows; k++)
        if (begins_reason(m, k)) {
            add_absent(m, k, t);
            rows--;
        }
}

static void add_table(const struct stats_source_sample *m, const struct stats_text *how,
                      struct buf *out)
{
    struct table t;
    size_t rows = count_rows(m), shown = report_shown(rows, how->rows, how->fitted);
    table_init(&t, "<graph >value >%_of_full <");
    fill_table(m, how->scale, shown, &t);
    table_print(&t, out, how->width);
    if (shown < rows) {
        report_rest(out, rows - shown, how->fitted);
        buf_addc(out, '\n');
    }
}

static void add_health(const struct stats_source_sample *m, struct buf *out)
{
    struct stats_health h;
    if (!stats_health(m->value, m->count, m->cpus, &h))
        return;
    stats_health_line(&h, out);
    stats_health_busiest(&h, m->top, out);
    buf_addc(out, '\n');
}

static void add_processes(const struct stats_source_sample *m, const struct stats_text *how,
                          struct buf *out)
{
    size_t rows = how->rows && how->rows < how->processes ? how->rows : how->processes;
    if (m->top)
        stats_top_text(m->top, rows, how->width, out);
}

void stats_sample_text(const struct stats_sample *s, const struct stats_text *how, struct buf *out)
{
    for (size_t i = 0; i < s->sources; i++) {
        const struct stats_source_sample *m = &s->source[i];
        buf_adds(out, i ? "\n" : "");
        shown_printf(out, "%s, %u CPU%s", m->name, (unsigned)m->cpus, m->cpus == 1 ? "" : "s");
        if (m->age_ms)
            buf_printf(out, ", %.1f s ago", (double)m->age_ms / 1000);
        if (m->why)
            shown_printf(out, ": %s", m->why);
        buf_addc(out, '\n');
        add_health(m, out);
        add_table(m, how, out);
        add_processes(m, how, out);
    }
}

void stats_sample_lines(const struct stats_sample *s, struct buf *out)
{
    unsigned day_s = (unsigned)(s->time_ms / 1000 % 86400);
    char text[STATS_TEXT];
    for (size_t i = 0; i < s->sources; i++) {
        const struct stats_source_sample *m = &s->source[i];
        shown_printf(out, "%02u:%02u:%02u %s", day_s / 3600, day_s / 60 % 60, day_s % 60, m->name);
        for (size_t k = 0; k < m->count; k++) {
            stats_value_text(&m->value[k], text);
            buf_printf(out, "  %s %s", stats_graph_info(m->value[k].graph)->name, text);
        }
        if (m->why)
            shown_printf(out, "  %s", m->why);
        buf_addc(out, '\n');
    }
}
