#include "health.h"

#include "core/stats/top.h"
#include "core/text/shown.h"

#include <stdio.h>

/* By what a value is compared with its limit. */
enum measure { AT_LEAST, SHARE_OVER, SHARE_UNDER, PER_CPU };

static const struct rule {
    enum stats_graph graph;
    enum measure measure;
    double limit;
    const char *before, *behind;
} rules[STATS_HEALTH_RULES] = {
    {STATS_CPU_BUSY, AT_LEAST, 95, "CPUs ", " busy"},
    {STATS_LOAD, PER_CPU, 2, "load ", ""},
    {STATS_CPU_PRESSURE, AT_LEAST, 60, "tasks wait for a CPU ", ""},
    {STATS_CPU_STEAL, AT_LEAST, 10, "", " of CPU time stolen"},
    {STATS_MEM_AVAILABLE, SHARE_UNDER, 0.1, "only ", " of memory available"},
    {STATS_SWAP_USED, SHARE_OVER, 0.5, "swap used ", ""},
    {STATS_MEM_PRESSURE, AT_LEAST, 10, "tasks wait for memory ", ""},
    {STATS_DISK_BUSY, AT_LEAST, 90, "disk ", " busy"},
    {STATS_CPU_IOWAIT, AT_LEAST, 20, "CPUs wait for disks ", ""},
    {STATS_IO_PRESSURE, AT_LEAST, 30, "tasks wait for disks ", ""},
};

static bool is_beyond(const struct rule *r, const struct stats_value *v, uint32_t cpus)
{
    switch (r->measure) {
    case AT_LEAST:
        return v->natural >= r->limit;
    case SHARE_OVER:
        return v->value > v->full * r->limit;
    case SHARE_UNDER:
        return v->value < v->full * r->limit;
    default:
        return cpus && v->natural > r->limit * cpus;
    }
}

static void apply_rule(const struct rule *r, const struct stats_value *v, uint32_t cpus,
                       struct stats_health *h)
{
    char text[STATS_TEXT];
    if (v->why)
        return;
    h->known++;
    if (!is_beyond(r, v, cpus))
        return;
    h->cpus_busy |=
        r->graph == STATS_CPU_BUSY || r->graph == STATS_LOAD || r->graph == STATS_CPU_PRESSURE;
    stats_value_text(v, text);
    snprintf(h->text[h->count++], STATS_HEALTH_TEXT, "%s%s%s", r->before, text, r->behind);
}

bool stats_health(const struct stats_value *value, size_t count, uint32_t cpus,
                  struct stats_health *out)
{
    struct stats_choice there = {.count = 0};
    *out = (struct stats_health){.known = 0};
    for (size_t i = 0; i < count; i++)
        stats_choose(&there, value[i].graph);
    if (!stats_has_overview(&there))
        return false;
    for (size_t i = 0; i < STATS_HEALTH_RULES; i++)
        apply_rule(&rules[i], stats_value_of(value, count, rules[i].graph), cpus, out);
    return true;
}

void stats_health_line(const struct stats_health *h, struct buf *out)
{
    if (!h->known)
        return buf_adds(out, "not known yet");
    bool all = h->known == STATS_HEALTH_RULES;
    buf_adds(out, h->count ? "not well: " : all ? "well: " : "well as far as is known: ");
    for (size_t i = 0; i < h->count; i++)
        buf_printf(out, "%s%s", i ? ", " : "", h->text[i]);
    if (!h->count || !all)
        buf_printf(out, h->count ? " (%zu of %d checks)" : "%zu of %d checks", h->known,
                   STATS_HEALTH_RULES);
}

void stats_health_busiest(const struct stats_health *h, const struct stats_top *top,
                          struct buf *out)
{
    enum { MUCH_PCT = 25 }; /* else it is many short ones, as of a compilation */
    if (!h->cpus_busy || !top || !top->count || stats_top_pct(top, 0) < MUCH_PCT)
        return;
    buf_adds(out, "; busiest: ");
    shown_adds(out, top->process[0].name);
    buf_printf(out, " (%d), %.0f%% of a CPU", top->process[0].pid, stats_top_pct(top, 0));
}
