/* What a graph shows of a meter: its value, full scale, and why there is none. */
#include "core/base/time_ns.h"
#include "core/stats/meter.h"
#include "value_rows.h"

enum {
    RATE_FULL = 1000,
    INTR_FULL = 10000,
    SLOW_FULL = 10, /* errors, TLB misses and flushes */
    LOAD_FULL = 1000,
    PERCENT_FULL = 100,
    BATTERY_FULL = 184, /* of /dev/battery */
    LEVEL_FULL = 1000,  /* temperature and signal */
    TEMP_ZERO = 20,
    TEMP_UNITS = 27,
    SIGNAL_ZERO = -95,
    SIGNAL_UNITS = 20,
    PAGE_BYTES = 4096 /* of a swap file that does not say */
};

static bool is_counted(enum stats_graph graph, size_t *counter)
{
    static const struct {
        enum stats_graph graph;
        enum stats_column column;
    } columns[] = {
        {STATS_CONTEXT, STATS_COL_CONTEXT},   {STATS_INTR, STATS_COL_INTR},
        {STATS_SYSCALL, STATS_COL_SYSCALL},   {STATS_FAULT, STATS_COL_FAULT},
        {STATS_TLB_MISS, STATS_COL_TLB_MISS}, {STATS_TLB_PURGE, STATS_COL_TLB_PURGE},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (columns[i].graph == graph) {
            *counter = columns[i].column - STATS_COL_CONTEXT;
            return true;
        }
    return false;
}

unsigned stats_graph_files(enum stats_graph graph)
{
    enum stats_file file;
    if (stats_rows_file(graph, &file))
        return 1u << file;
    switch (graph) {
    case STATS_BATTERY_LEFT:
        return 1u << STATS_APM | 1u << STATS_BATTERY;
    case STATS_ETHER:
    case STATS_ETHER_ERR:
    case STATS_ETHER_IN:
    case STATS_ETHER_OUT:
        return 1u << STATS_ETHER_STATS;
    case STATS_MEM:
    case STATS_SWAP_USED:
        return 1u << STATS_SWAP;
    case STATS_SIGNAL:
        return 1u << STATS_IFSTATS;
    case STATS_TEMP:
        return 1u << STATS_CPUTEMP;
    default:
        return 1u << STATS_SYSSTAT;
    }
}

static enum stats_file file_of(const struct stats_meter *m, enum stats_graph graph)
{
    const struct stats_file_state *apm = &m->file[STATS_APM];
    if (graph == STATS_BATTERY_LEFT)
        return apm->at_ns && !apm->missing ? STATS_APM : STATS_BATTERY;
    enum stats_file file = STATS_SYSSTAT;
    while (!(stats_graph_files(graph) & 1u << file))
        file++;
    return file;
}

static double full_by_cpu(enum stats_graph graph, double interval)
{
    switch (graph) {
    case STATS_INTR:
        return INTR_FULL * interval;
    case STATS_LOAD:
        return LOAD_FULL;
    case STATS_ETHER_ERR:
    case STATS_TLB_MISS:
    case STATS_TLB_PURGE:
        return SLOW_FULL * interval;
    default:
        return RATE_FULL * interval;
    }
}

static double full_scale(const struct stats_meter *m, enum stats_graph graph, double interval)
{
    enum stats_file file;
    if (stats_rows_file(graph, &file))
        return stats_rows_full(m, graph, interval);
    if (stats_graph_info(graph)->by_cpu)
        return full_by_cpu(graph, interval) * (m->cpus ? (double)m->cpus : 1);
    switch (graph) {
    case STATS_BATTERY_LEFT:
        return file_of(m, graph) == STATS_APM ? PERCENT_FULL : BATTERY_FULL;
    case STATS_MEM:
        return m->swap.total ? (double)m->swap.total : PERCENT_FULL;
    case STATS_SWAP_USED:
        return m->swap.swap_total ? (double)m->swap.swap_total : PERCENT_FULL;
    case STATS_SIGNAL:
    case STATS_TEMP:
        return LEVEL_FULL * interval;
    default:
        return PERCENT_FULL;
    }
}

static const char *absent_reason(const struct stats_meter *m, enum stats_column column)
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
    size_t counter;
    if (is_counted(graph, &counter)) {
        set_rate(f, &m->counter[counter], absent_reason(m, STATS_COL_CONTEXT + counter), interval,
                 v);
        return;
    }
    if (graph != STATS_ETHER_OUT)
        set_rate(f, &m->in, NULL, interval, v);
    if (graph != STATS_ETHER_IN)
        set_rate(f, &m->out, NULL, interval, v);
}

/* --- levels --- */

static void set_share(uint64_t sum, size_t cpus, const char *absent_why, struct stats_value *v)
{
    if (!cpus)
        v->why = absent_why;
    else
        v->value = v->natural = (double)sum / (double)cpus;
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
        set_share(m->level.idle, m->level.idle_cpus, absent_reason(m, STATS_COL_IDLE), v);
        break;
    case STATS_IN_INTR:
        set_share(m->level.in_intr, m->level.in_intr_cpus, absent_reason(m, STATS_COL_IN_INTR), v);
        break;
    case STATS_LOAD:
        v->why = m->level.load_known ? NULL : absent_reason(m, STATS_COL_LOAD);
        v->value = (double)m->level.load;
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
