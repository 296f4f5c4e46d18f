/* A sample for people. */
#include "core/stats/sample.h"

#include "core/stats/health.h"
#include "core/text/shown.h"
#include "core/text/table.h"

#include <math.h>

static void add_row(const struct stats_value *v, double scale, struct table *t)
{
    const struct stats_graph_info *info = stats_graph_info(v->graph);
    char text[STATS_TEXT];
    double share = 100 * stats_height(v->value, v->full, scale, false);
    stats_value_text(v, text);
    table_cell(t, "%s", info->name);
    table_cell(t, "%s", text);
    if (v->why || !isfinite(share))
        table_cell(t, "-");
    else
        table_cell(t, "%.0f", share);
    table_cell(t, "%s", v->why ? v->why : info->summary);
}

static void table_of(const struct stats_source_sample *m, double scale, size_t width,
                     struct buf *out)
{
    struct table t;
    if (table_init(&t, "<graph >value >%_of_full <") == 0)
        for (size_t k = 0; k < m->count; k++)
            add_row(&m->value[k], scale, &t);
    if (table_print(&t, out, width) < 0)
        out->err = t.err;
    table_release(&t);
}

static void add_health(const struct stats_source_sample *m, struct buf *out)
{
    struct stats_health h;
    if (!stats_health(m->value, m->count, m->cpus, &h))
        return;
    stats_health_line(&h, out);
    buf_addc(out, '\n');
}

void stats_sample_text(const struct stats_sample *s, double scale, size_t width, struct buf *out)
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
        table_of(m, scale, width, out);
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
