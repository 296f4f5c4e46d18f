#include "core/stats/sample.h"

#include "core/text/json.h"
#include "health.h"
#include "openmetrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Plan 9's scales of the two graphs that start elsewhere than at zero. */
enum { TEMP_UNITS = 27, TEMP_ZERO = 20, SIGNAL_UNITS = 20, SIGNAL_ZERO = -95 };
enum { LOAD_UNITS = 1000, PAGE_BYTES = 4096 /* of a machine that uses none */ };

/* What a step of the graph's unit is in those of `value'. */
static double value_units(const struct stats_sample *s, enum stats_graph graph)
{
    if (stats_graph_info(graph)->rate)
        return s->interval;
    return graph == STATS_TEMP ? TEMP_UNITS : graph == STATS_SIGNAL ? SIGNAL_UNITS : 1;
}

static double full_units(const struct stats_sample *s, enum stats_graph graph)
{
    bool timed = graph == STATS_TEMP || graph == STATS_SIGNAL || graph == STATS_ETHER_ERR;
    return value_units(s, graph) * (timed ? s->interval : 1);
}

static void json_parts(struct json *j, const struct stats_value *v)
{
    if (v->why || !v->parts)
        return;
    json_object(j, "parts");
    for (size_t i = 0; i < v->parts; i++)
        json_num(j, v->part[i].name, v->part[i].natural, 3);
    json_object_end(j);
}

static void json_value(struct json *j, const struct stats_sample *s, const struct stats_value *v)
{
    const struct stats_graph_info *info = stats_graph_info(v->graph);
    char text[STATS_TEXT] = "";
    if (!v->why)
        stats_value_text(v, text);
    json_object(j, NULL);
    json_members(j, "graph value.3 full.3 unit [why] [text]", info->name,
                 v->why ? (double)NAN : v->value / value_units(s, v->graph),
                 v->full / full_units(s, v->graph), info->unit, v->why, text);
    json_parts(j, v);
    json_object_end(j);
}

static void json_health(struct json *j, const struct stats_source_sample *m)
{
    struct stats_health h;
    if (!stats_health(m->value, m->count, m->cpus, &h))
        return;
    json_array(j, "health");
    for (size_t i = 0; i < h.count; i++)
        json_str(j, NULL, h.text[i]);
    json_array_end(j);
    json_u64(j, "health_known", h.known);
}

void stats_sample_json(const struct stats_sample *s, struct buf *out)
{
    struct json j;
    json_start(&j, out, "stats");
    json_members(&j, "time.3 interval.3", (double)s->time_ms / 1000, s->interval);
    json_array(&j, "sources");
    for (size_t i = 0; i < s->sources; i++) {
        const struct stats_source_sample *m = &s->source[i];
        json_object(&j, NULL);
        json_members(&j, "source cpus age_ms [why]", m->name, m->cpus, m->age_ms, m->why);
        json_health(&j, m);
        json_array(&j, "graphs");
        for (size_t k = 0; k < m->count; k++)
            json_value(&j, s, &m->value[k]);
        json_array_end(&j);
        if (m->top)
            stats_top_json(m->top, &j);
        json_object_end(&j);
    }
    json_array_end(&j);
    json_end(&j);
}

/* --- CSV --- */

static void csv_text(struct buf *out, const char *s)
{
    buf_addc(out, '"');
    for (; *s; s++) {
        if (*s == '"')
            buf_addc(out, '"');
        buf_addc(out, (unsigned char)*s < ' ' ? ' ' : *s);
    }
    buf_addc(out, '"');
}

void stats_sample_csv_head(const struct stats_sample *s, struct buf *out)
{
    buf_adds(out, "time,source,cpus,age_ms");
    for (size_t k = 0; s->sources && k < s->source->count; k++)
        buf_printf(out, ",%s", stats_graph_info(s->source->value[k].graph)->name);
    buf_addc(out, '\n');
}

void stats_sample_csv(const struct stats_sample *s, struct buf *out)
{
    for (size_t i = 0; i < s->sources; i++) {
        const struct stats_source_sample *m = &s->source[i];
        buf_printf(out, "%" PRIu64 ".%03u,", s->time_ms / 1000, (unsigned)(s->time_ms % 1000));
        csv_text(out, m->name);
        buf_printf(out, ",%" PRIu32 ",%" PRIu64, m->cpus, m->age_ms);
        for (size_t k = 0; k < m->count; k++)
            if (m->value[k].why)
                buf_addc(out, ',');
            else
                buf_printf(out, ",%.10g", m->value[k].natural);
        buf_addc(out, '\n');
    }
}

/* --- OpenMetrics --- */

static void print_number(struct buf *out, const struct stats_graph_info *info, double natural,
                         uint64_t total)
{
    if (info->rate)
        buf_printf(out, "%" PRIu64 "\n", total);
    else
        buf_printf(out, "%.10g\n", natural);
}

static void print_values(struct buf *out, const char *source, const struct stats_value *v)
{
    const struct stats_graph_info *info = stats_graph_info(v->graph);
    char name[96];
    snprintf(name, sizeof name, "%s%s", info->metric, info->rate ? "_total" : "");
    if (!v->parts) {
        openmetrics_label(out, name, "source", source);
        print_number(out, info, v->natural, v->total);
    }
    for (size_t i = 0; i < v->parts; i++) {
        openmetrics_labels(out, name, 2,
                           (const char *[]){"source", source, info->part, v->part[i].name});
        print_number(out, info, v->part[i].natural, v->part[i].total);
    }
}

const struct stats_value *stats_value_of(const struct stats_value *value, size_t count,
                                         enum stats_graph graph)
{
    for (size_t i = 0; i < count; i++)
        if (value[i].graph == graph)
            return &value[i];
    return NULL;
}

static void print_metric(const struct stats_sample *s, enum stats_graph graph, struct buf *out)
{
    const struct stats_graph_info *info = stats_graph_info(graph);
    bool printed = false;
    for (size_t i = 0; i < s->sources; i++) {
        const struct stats_source_sample *m = &s->source[i];
        const struct stats_value *v = stats_value_of(m->value, m->count, graph);
        if (!v || v->why)
            continue;
        if (!printed)
            openmetrics_head(out, info->metric, info->rate ? "counter" : "gauge", info->summary);
        printed = true;
        print_values(out, m->name, v);
    }
}

void stats_sample_openmetrics(const struct stats_sample *s, struct buf *out)
{
    openmetrics_head(out, "psuite_cpus", "gauge", "CPUs of the source");
    for (size_t i = 0; i < s->sources; i++) {
        openmetrics_label(out, "psuite_cpus", "source", s->source[i].name);
        buf_printf(out, "%" PRIu32 "\n", s->source[i].cpus);
    }
    openmetrics_head(out, "psuite_age_seconds", "gauge", "time since the source last answered");
    for (size_t i = 0; i < s->sources; i++) {
        openmetrics_label(out, "psuite_age_seconds", "source", s->source[i].name);
        buf_printf(out, "%.3f\n", (double)s->source[i].age_ms / 1000);
    }
    for (int graph = 0; graph < STATS_GRAPHS; graph++)
        print_metric(s, (enum stats_graph)graph, out);
    buf_adds(out, "# EOF\n");
}

/* --- heights --- */

double stats_natural(const struct stats_value *v, double interval, double value)
{
    switch (v->graph) {
    case STATS_LOAD:
        return value / LOAD_UNITS;
    case STATS_MEM:
    case STATS_SWAP_USED:
        return value * (v->value > 0 ? v->natural / v->value : PAGE_BYTES);
    case STATS_TEMP:
        return TEMP_ZERO + value / TEMP_UNITS;
    case STATS_SIGNAL:
        return SIGNAL_ZERO + value / SIGNAL_UNITS;
    default:
        return stats_graph_info(v->graph)->rate ? value / interval : value;
    }
}

double stats_height(double value, double full, double scale, bool log)
{
    double share = value / (full * scale);
    if (!isfinite(share))
        return NAN;
    if (!log)
        return share;
    return share > 0 ? (2 + log10(share)) / 3 : 0;
}
