/* What a graph shows of a meter: its value, full scale, and why there is none. */
#include "core/base/time_ns.h"
#include "core/stats/meter.h"
#include "value_rows.h"

enum {
    LOAD_FULL = 1000,
    PERCENT_FULL = 100,
    BATTERY_FULL = 184, /* of /dev/battery */
    TEMP_ZERO = 20,
    TEMP_UNITS = 27,
    SIGNAL_ZERO = -95,
    SIGNAL_UNITS = 20,
    PAGE_BYTES = 4096 /* of a swap file that does not say */
};

/* What a graph is made from, but for those of files of rows. */
static const struct source {
    enum stats_file file;
    enum dev_sysstat_column column; /* of sysstat */
    double full;                    /* scale, if nothing else is known */
    bool timed;                     /* for an interval of one second */
} sources[STATS_GRAPHS] = {
    [STATS_BATTERY_LEFT] = {STATS_BATTERY, 0, BATTERY_FULL, false},
    [STATS_CONTEXT] = {STATS_SYSSTAT, SYSSTAT_SWITCHES, 1000, true},
    [STATS_ETHER] = {STATS_ETHER_STATS, 0, 1000, true},
    [STATS_ETHER_ERR] = {STATS_ETHER_STATS, 0, 10, true},
    [STATS_ETHER_IN] = {STATS_ETHER_STATS, 0, 1000, true},
    [STATS_ETHER_OUT] = {STATS_ETHER_STATS, 0, 1000, true},
    [STATS_FAULT] = {STATS_SYSSTAT, SYSSTAT_FAULTS, 1000, true},
    [STATS_IDLE] = {STATS_SYSSTAT, SYSSTAT_IDLE_PCT, PERCENT_FULL, false},
    [STATS_IN_INTR] = {STATS_SYSSTAT, SYSSTAT_INTERRUPT_PCT, PERCENT_FULL, false},
    [STATS_INTR] = {STATS_SYSSTAT, SYSSTAT_INTERRUPTS, 10000, true},
    [STATS_LOAD] = {STATS_SYSSTAT, SYSSTAT_LOAD, LOAD_FULL, false},
    [STATS_MEM] = {STATS_SWAP, 0, PERCENT_FULL, false},
    [STATS_SWAP_USED] = {STATS_SWAP, 0, PERCENT_FULL, false},
    [STATS_SYSCALL] = {STATS_SYSSTAT, SYSSTAT_SYSCALLS, 1000, true},
    [STATS_TLB_MISS] = {STATS_SYSSTAT, SYSSTAT_TLB_MISSES, 10, true},
    [STATS_TLB_PURGE] = {STATS_SYSSTAT, SYSSTAT_TLB_FLUSHES, 10, true},
    [STATS_SIGNAL] = {STATS_IFSTATS, 0, 1000, true},
    [STATS_TEMP] = {STATS_CPUTEMP, 0, 1000, true},
};

unsigned stats_graph_files(enum stats_graph graph)
{
    enum stats_file file;
    if (graph == STATS_BATTERY_LEFT)
        return 1u << STATS_APM | 1u << STATS_BATTERY;
    return 1u << (stats_rows_file(graph, &file) ? file : sources[graph].file);
}

static enum stats_file file_of(const struct stats_meter *m, enum stats_graph graph)
{
    const struct stats_file_state *apm = &m->file[STATS_APM];
    enum stats_file file;
    if (graph == STATS_BATTERY_LEFT && apm->at_ns && !apm->missing)
        return STATS_APM;
    return stats_rows_file(graph, &file) ? file : sources[graph].file;
}

static double full_scale(const struct stats_meter *m, enum stats_graph graph, double interval)
{
    enum stats_file file = file_of(m, graph);
    const struct source *s = &sources[graph];
    uint64_t pages = graph == STATS_MEM         ? m->swap.total
                     : graph == STATS_SWAP_USED ? m->swap.swap_total
                                                : 0;
    if (file >= STATS_CPUSTAT)
        return stats_rows_full(m, graph, interval);
    if (file == STATS_APM || pages)
        return file == STATS_APM ? PERCENT_FULL : (double)pages;
    bool by_cpu = stats_graph_info(graph)->by_cpu && m->cpus;
    return s->full * (s->timed ? interval : 1) * (by_cpu ? (double)m->cpus : 1);
}

static const char *absent_reason(const struct stats_meter *m, enum dev_sysstat_column column)
{
    const char *why = m->absent_why[column];
    return *why ? why : "not available on this machine";
}

/* --- rates --- */

/* absent_why: why the counter is not there, if it is not. */
static void set_rate(const struct stats_file_state *f, const struct stats_counter *c,
                     const char *absent_why, double interval, struct stats_value *v)
{
    v->total += c->total;
    if (c->absent)
        v->why = absent_why;
    else if (!f->answered)
        return; /* 0 */
    else if (!c->known || !f->elapsed_ns)
        v->why = "first reading: no rate yet";
    else if (c->fell)
        v->why = "the counter went backwards";
    else
        v->natural += (double)c->since * NS_PER_S / (double)f->elapsed_ns;
    v->value = v->natural * interval;
}

static void set_rates(const struct stats_meter *m, enum stats_graph graph, double interval,
                      struct stats_value *v)
{
    const struct stats_file_state *f = &m->file[file_of(m, graph)];
    enum dev_sysstat_column column = sources[graph].column;
    if (column)
        return set_rate(f, &m->counter[column - SYSSTAT_SWITCHES], absent_reason(m, column),
                        interval, v);
    if (graph != STATS_ETHER_OUT)
        set_rate(f, &m->in, NULL, interval, v);
    if (graph != STATS_ETHER_IN)
        set_rate(f, &m->out, NULL, interval, v);
}

/* --- levels --- */

static void set_share(const struct stats_meter *m, enum dev_sysstat_column column,
                      struct stats_value *v)
{
    const struct stats_level *l = &m->level[column - SYSSTAT_LOAD];
    if (!l->cpus)
        v->why = absent_reason(m, column);
    else
        v->value = v->natural = (double)l->sum / (double)l->cpus;
}

static void set_pages(const struct stats_meter *m, uint64_t used, struct stats_value *v)
{
    uint64_t page = m->swap.page_bytes ? m->swap.page_bytes : PAGE_BYTES;
    v->value = (double)used;
    v->natural = v->value * (double)page;
}

/* From where the graph starts, in steps; never below. */
static void set_above_zero(int raw, int zero, int unit, struct stats_value *v)
{
    v->natural = raw;
    v->value = raw > zero ? (double)(raw - zero) * unit : 0;
}

static void set_level(const struct stats_meter *m, enum stats_graph graph, struct stats_value *v)
{
    switch (graph) {
    case STATS_BATTERY_LEFT:
        v->value = v->natural = (double)m->battery;
        break;
    case STATS_ETHER_ERR:
        v->value = v->natural = (double)m->ether.errors;
        break;
    case STATS_IDLE:
    case STATS_IN_INTR:
        set_share(m, sources[graph].column, v);
        break;
    case STATS_LOAD:
        v->why = m->level[0].cpus ? NULL : absent_reason(m, SYSSTAT_LOAD);
        v->value = (double)m->level[0].sum;
        v->natural = v->value / LOAD_FULL;
        break;
    case STATS_MEM:
        set_pages(m, m->swap.used, v);
        break;
    case STATS_SWAP_USED:
        set_pages(m, m->swap.swap_used, v);
        break;
    case STATS_SIGNAL:
        set_above_zero(m->dbm, m->dbm ? SIGNAL_ZERO : 0, SIGNAL_UNITS, v);
        break;
    default:
        set_above_zero(m->celsius, TEMP_ZERO, TEMP_UNITS, v);
        break;
    }
}

void stats_meter_value(struct stats_meter *m, enum stats_graph graph, double interval,
                       struct stats_value *v)
{
    enum stats_file file = file_of(m, graph);
    const struct stats_file_state *f = &m->file[file];
    *v = (struct stats_value){.graph = graph, .full = full_scale(m, graph, interval)};
    if (f->missing)
        v->why = f->why;
    else if (!f->at_ns)
        v->why = "not read yet";
    else if (file >= STATS_CPUSTAT)
        stats_rows_value(m, graph, interval, v);
    else if (stats_graph_info(graph)->rate)
        set_rates(m, graph, interval, v);
    else
        set_level(m, graph, v);
}
