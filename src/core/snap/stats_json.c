#include "stats_json.h"

#include "core/base/time_ns.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const enum stats_graph shown[] = {STATS_CPU_BUSY,   STATS_CPU_PRESSURE,  STATS_DISK_READ,
                                         STATS_DISK_WRITE, STATS_IO_PRESSURE,   STATS_NET_IN,
                                         STATS_NET_OUT,    STATS_MEM_AVAILABLE, STATS_MEM_PRESSURE};
enum { SHOWN = sizeof shown / sizeof *shown };

enum { WHY = 160 };

/* A column a point of time, a row a graph: the mean of the samples that are one point. */
struct table {
    size_t step, columns;
    double *value; /* NAN: none */
    double *time_ms;
    bool any[SHOWN];
    char why[SHOWN][WHY]; /* there is none */
};

static const struct stats_value *value_of(const struct stats_sample *s, enum stats_graph graph)
{
    for (size_t i = 0; s->sources && i < s->source[0].count; i++)
        if (s->source[0].value[i].graph == graph)
            return &s->source[0].value[i];
    return NULL;
}

static void add_value(struct table *t, size_t graph, const struct stats_sample *s, double *sum,
                      size_t *count)
{
    const struct stats_value *v = value_of(s, shown[graph]);
    if (v && !v->why) {
        *sum += v->natural;
        ++*count;
        t->any[graph] = true;
    } else {
        snprintf(t->why[graph], WHY, "%s", v ? v->why : "not recorded");
    }
}

static void fill_column(struct table *t, const struct snap_contents *c, size_t column)
{
    double sum[SHOWN] = {0};
    size_t count[SHOWN] = {0};
    struct stats_sample s;
    for (size_t i = column * t->step; i < (column + 1) * t->step && i < c->stats->samples; i++) {
        stats_replay_sample(c->stats, i, &s);
        for (size_t g = 0; g < SHOWN; g++)
            add_value(t, g, &s, &sum[g], &count[g]);
        t->time_ms[column] = (double)snap_stats_time(c, s.time_ms) / (double)NS_PER_MS;
    }
    for (size_t g = 0; g < SHOWN; g++)
        t->value[g * t->columns + column] = count[g] ? sum[g] / (double)count[g] : NAN;
}

static bool make_table(struct table *t, const struct snap_contents *c)
{
    size_t samples = c->stats ? c->stats->samples : 0;
    *t = (struct table){.step = (samples + SNAP_STATS_MAX - 1) / SNAP_STATS_MAX};
    t->columns = t->step ? (samples + t->step - 1) / t->step : 0;
    t->value = malloc((t->columns * SHOWN + 1) * sizeof *t->value);
    t->time_ms = malloc((t->columns + 1) * sizeof *t->time_ms);
    for (size_t i = 0; t->value && t->time_ms && i < t->columns; i++)
        fill_column(t, c, i);
    return t->value && t->time_ms;
}

static void add_graph(const struct table *t, size_t graph, struct json *j)
{
    const struct stats_graph_info *info = stats_graph_info(shown[graph]);
    json_object(j, NULL);
    json_members(j, "name summary", info->name, info->summary);
    if (!t->any[graph]) {
        json_str(j, "why", t->why[graph]);
    } else {
        json_str(j, "unit", info->unit);
        json_array(j, "values");
        for (size_t i = 0; i < t->columns; i++)
            json_num(j, NULL, t->value[graph * t->columns + i], 3);
        json_array_end(j);
    }
    json_object_end(j);
}

int snap_stats_json(const struct snap_contents *c, struct json *j)
{
    struct table t;
    bool made = make_table(&t, c);
    json_object(j, "graphs");
    json_num(j, "interval_s", c->stats ? c->stats->interval : 0, 3);
    json_array(j, "time_ms");
    for (size_t i = 0; made && i < t.columns; i++)
        json_num(j, NULL, t.time_ms[i], 3);
    json_array_end(j);
    json_array(j, "graph");
    for (size_t g = 0; made && c->stats && g < SHOWN; g++)
        add_graph(&t, g, j);
    json_array_end(j);
    json_object_end(j);
    free(t.value);
    free(t.time_ms);
    return made ? 0 : -ENOMEM;
}
