#include "core/stats/view.h"

#include "view_private.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void statsview_release(struct statsview *v)
{
    for (size_t i = 0; i < v->sources; i++)
        for (size_t k = 0; k < STATS_GRAPHS; k++)
            free(v->source[i].point[k]);
    free(v->source);
    v->source = NULL;
    v->sources = 0;
}

void statsview_forget(struct statsview *v)
{
    v->samples = v->held = 0;
}

uint64_t statsview_remembered(const struct statsview *v)
{
    return v->samples < STATSVIEW_HISTORY ? v->samples : STATSVIEW_HISTORY;
}

static int sources_open(struct statsview *v, const struct stats_sample *s)
{
    size_t n = s->sources < STATSVIEW_SOURCES ? s->sources : STATSVIEW_SOURCES;
    if (v->sources == n)
        return 0;
    statsview_release(v);
    v->source = calloc(n, sizeof *v->source);
    if (!v->source)
        return -ENOMEM;
    v->sources = n;
    return 0;
}

/* A ring as it would be had it been there from the start: all absent. */
static struct statsview_point *ring_new(void)
{
    struct statsview_point *ring = malloc(STATSVIEW_HISTORY * sizeof *ring);
    for (size_t i = 0; ring && i < STATSVIEW_HISTORY; i++)
        ring[i] = (struct statsview_point){NAN, NAN};
    return ring;
}

static int add_value(struct statsview *v, struct statsview_source *to, const struct stats_value *x)
{
    struct statsview_point **ring = &to->point[x->graph];
    if (!*ring && stats_chosen(&v->choice, x->graph) && !(*ring = ring_new()))
        return -ENOMEM;
    to->newest[x->graph] = *x;
    if (*ring && !x->why)
        (*ring)[v->samples % STATSVIEW_HISTORY] =
            (struct statsview_point){(float)x->value, (float)x->natural};
    return 0;
}

static void clear_source(struct statsview *v, struct statsview_source *to)
{
    for (size_t k = 0; k < STATS_GRAPHS; k++) {
        to->newest[k] = (struct stats_value){.graph = (enum stats_graph)k, .why = "not read yet"};
        if (to->point[k])
            to->point[k][v->samples % STATSVIEW_HISTORY] = (struct statsview_point){NAN, NAN};
    }
}

int statsview_add_sample(struct statsview *v, const struct stats_sample *s)
{
    int r = sources_open(v, s);
    for (size_t i = 0; r == 0 && i < v->sources; i++) {
        const struct stats_source_sample *from = &s->source[i];
        struct statsview_source *to = &v->source[i];
        snprintf(to->name, sizeof to->name, "%s", from->name);
        to->cpus = from->cpus;
        to->age_ms = from->age_ms;
        snprintf(to->why, sizeof to->why, "%s", from->why ? from->why : "");
        clear_source(v, to);
        for (size_t k = 0; r == 0 && k < from->count; k++)
            r = add_value(v, to, &from->value[k]);
    }
    if (r < 0)
        return r;
    v->top = s->sources ? s->source->top : NULL;
    v->time_ms = s->time_ms;
    v->interval = s->interval;
    v->samples++;
    if (v->paused && !v->replay && v->held + 1 < STATSVIEW_HISTORY)
        v->held++;
    return 0;
}

struct statsview_point statsview_ago(const struct statsview *v, const struct statsview_source *s,
                                     enum stats_graph graph, uint64_t ago)
{
    const struct statsview_point *ring = s->point[graph];
    if (!ring || ago >= statsview_remembered(v))
        return (struct statsview_point){NAN, NAN};
    return ring[(v->samples - 1 - ago) % STATSVIEW_HISTORY];
}

struct stats_value statsview_now(const struct statsview *v, const struct statsview_source *s,
                                 enum stats_graph graph, int columns)
{
    struct stats_value now = s->newest[graph];
    now.full = statsview_full(v, s, graph, columns);
    if (!v->held)
        return now;
    struct statsview_point p = statsview_ago(v, s, graph, v->held);
    now.value = (double)p.value;
    now.natural = (double)p.natural;
    now.why = isnan(p.value) ? "nothing here" : NULL;
    now.parts = 0;
    return now;
}

bool statsview_is_dead(const struct statsview *v, enum stats_graph graph)
{
    for (size_t i = 0; i < v->sources; i++)
        for (uint64_t ago = 0; ago < statsview_remembered(v); ago++)
            if (!isnan(statsview_ago(v, &v->source[i], graph, ago).value))
                return false;
    return v->samples > 1;
}

/* --- exact values --- */

/* The name without what leads there; how long up to its first dot. A folder's name may begin with
 * one. */
static int short_name(const char **name)
{
    const char *s = strrchr(*name, '!');
    s = s ? s + 1 : *name;
    const char *end = s + strlen(s), *slash;
    while (end > s + 1 && end[-1] == '/')
        end--;
    slash = memrchr(s, '/', (size_t)(end - s));
    *name = slash && slash + 1 < end ? slash + 1 : s;
    const char *dot = memchr(*name, '.', (size_t)(end - *name));
    return (int)((dot && (dot > *name || !slash) ? dot : end) - *name);
}

void statsview_heading(const char *name, uint32_t cpus, int columns, char out[STATSVIEW_NAME])
{
    char count[16];
    int len = short_name(&name);
    int behind = snprintf(count, sizeof count, "(%u)", (unsigned)cpus);
    if (cpus < 2 || columns < behind + 1)
        count[behind = 0] = '\0';
    if (len > columns - behind)
        len = columns > behind ? columns - behind : 0;
    snprintf(out, STATSVIEW_NAME, "%.*s%s", len < 40 ? len : 40, name, count);
}

size_t statsview_labels(const struct stats_value *v, uint32_t cpus, double scale, bool log,
                        struct statsview_label out[3])
{
    double full = v->full * scale;
    if (stats_graph_info(v->graph)->by_cpu && cpus)
        full /= cpus;
    if (log) {
        out[0] = (struct statsview_label){full / 10, 1.0 / 3};
        out[1] = (struct statsview_label){full, 2.0 / 3};
        return 2;
    }
    for (int i = 0; i < 3; i++)
        out[i] = (struct statsview_label){full * (i + 1) / 4, (i + 1) / 4.0};
    return 3;
}

/* --- full scales that fit what is visible --- */

static double most_visible(const struct statsview *v, enum stats_graph graph, int columns)
{
    double most = 0;
    for (size_t i = 0; i < v->sources; i++)
        for (int x = 0; x < columns; x++) {
            double value =
                (double)statsview_ago(v, &v->source[i], graph, v->held + (uint64_t)x).value;
            if (value > most)
                most = value;
        }
    return most;
}

static double round_up(double most)
{
    double power = pow(10, floor(log10(most)));
    double times = most / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

double statsview_full(const struct statsview *v, const struct statsview_source *s,
                      enum stats_graph graph, int columns)
{
    double full = s->newest[graph].full;
    if (!v->fit || strcmp(stats_graph_info(graph)->unit, "%") == 0)
        return full;
    double most = most_visible(v, graph, columns);
    return most > 0 && isfinite(most) ? round_up(most) : full;
}
