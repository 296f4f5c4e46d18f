/* What a graph shows of a file of rows. */
#include "value_rows.h"

#include "core/base/grow.h"
#include "core/base/time_ns.h"

enum { SECTOR_BYTES = 512, PERCENT = 100, BYTES_FULL = 100000000, OPERATIONS_FULL = 10000 };
/* Columns, as bits. */
enum {
    USER = 1 << 0,
    NICE = 1 << 1,
    SYSTEM = 1 << 2,
    IDLE = 1 << 3,
    IOWAIT = 1 << 4,
    IRQ = 1 << 5,
    SOFTIRQ = 1 << 6,
    STEAL = 1 << 7,
    READS = 1 << 0,
    WRITES = 1 << 1,
    READ = 1 << 2,
    WRITTEN = 1 << 3,
    BUSY = 1 << 4,
    IN = 1 << 0,
    OUT = 1 << 1,
    SOME = 1 << 0,
    FULL = 1 << 1
};

enum measure {
    SHARE,  /* of what all columns of the row counted: %, by CPU */
    RATE,   /* units a second, of all rows together */
    PASSED, /* of the time between the readings: %, the largest of all rows */
    LEVEL   /* the number itself */
};

static const struct formula {
    enum stats_file file;
    enum measure measure;
    unsigned columns;
    unsigned units;  /* bytes, or ns, of a count */
    const char *row; /* which one; NULL: all of them are parts */
} formulas[STATS_GRAPHS] = {
    [STATS_CPU_BUSY] = {STATS_CPUSTAT, SHARE, USER | NICE | SYSTEM | IRQ | SOFTIRQ | STEAL},
    [STATS_CPU_USER] = {STATS_CPUSTAT, SHARE, USER | NICE},
    [STATS_CPU_SYSTEM] = {STATS_CPUSTAT, SHARE, SYSTEM},
    [STATS_CPU_IOWAIT] = {STATS_CPUSTAT, SHARE, IOWAIT},
    [STATS_CPU_IRQ] = {STATS_CPUSTAT, SHARE, IRQ | SOFTIRQ},
    [STATS_CPU_STEAL] = {STATS_CPUSTAT, SHARE, STEAL},
    [STATS_DISK_READ] = {STATS_DISKSTAT, RATE, READ, SECTOR_BYTES},
    [STATS_DISK_WRITE] = {STATS_DISKSTAT, RATE, WRITTEN, SECTOR_BYTES},
    [STATS_DISK_OPS] = {STATS_DISKSTAT, RATE, READS | WRITES, 1},
    [STATS_DISK_BUSY] = {STATS_DISKSTAT, PASSED, BUSY, NS_PER_MS},
    [STATS_NET_IN] = {STATS_NETSTAT, RATE, IN, 1},
    [STATS_NET_OUT] = {STATS_NETSTAT, RATE, OUT, 1},
    [STATS_MEM_AVAILABLE] = {STATS_MEMSTAT, LEVEL, 1, 1, "available"},
    [STATS_MEM_PROGRAMS] = {STATS_MEMSTAT, LEVEL, 1, 1, "programs"},
    [STATS_MEM_CACHED] = {STATS_MEMSTAT, LEVEL, 1, 1, "cached"},
    [STATS_MEM_KERNEL] = {STATS_MEMSTAT, LEVEL, 1, 1, "kernel"},
    [STATS_MEM_FREE] = {STATS_MEMSTAT, LEVEL, 1, 1, "free"},
    [STATS_CPU_PRESSURE] = {STATS_PRESSURE, PASSED, SOME, NS_PER_US, "cpu"},
    [STATS_MEM_PRESSURE] = {STATS_PRESSURE, PASSED, SOME, NS_PER_US, "memory"},
    [STATS_MEM_STALL] = {STATS_PRESSURE, PASSED, FULL, NS_PER_US, "memory"},
    [STATS_IO_PRESSURE] = {STATS_PRESSURE, PASSED, SOME, NS_PER_US, "io"},
    [STATS_IO_STALL] = {STATS_PRESSURE, PASSED, FULL, NS_PER_US, "io"},
};
static const char all_cpus[] = "all";
_Static_assert((int)STATS_PART_NAME == (int)STATS_ROW_NAME, "a part has its row's name");

bool stats_rows_file(enum stats_graph graph, enum stats_file *file)
{
    *file = formulas[graph].file;
    return formulas[graph].columns != 0;
}

double stats_rows_full(const struct stats_meter *m, enum stats_graph graph, double interval)
{
    const struct formula *f = &formulas[graph];
    if (f->measure == RATE)
        return interval * (graph == STATS_DISK_OPS ? OPERATIONS_FULL : BYTES_FULL);
    const struct stats_row *total =
        f->measure == LEVEL ? stats_rows_find(&m->rows[f->file - STATS_CPUSTAT], "total") : NULL;
    return total && total->now[0] ? (double)total->now[0] : PERCENT;
}

static double sum_columns(const uint64_t n[STATS_ROW_COLUMNS], unsigned columns)
{
    double sum = 0;
    for (size_t i = 0; i < STATS_ROW_COLUMNS; i++)
        if (columns & 1u << i)
            sum += (double)n[i];
    return sum;
}

/* A value of one row, in units of daily life. False: it has none. */
static bool measure_row(const struct formula *f, const struct stats_row *row, uint64_t elapsed_ns,
                        double *out)
{
    double counted = sum_columns(row->since, f->columns), all = sum_columns(row->since, ~0u);
    switch (f->measure) {
    case LEVEL:
        *out = (double)row->now[0];
        return true;
    case SHARE: /* iowait goes backwards at times */
        *out = all > 0 ? counted * PERCENT / all : 0;
        return row->known && all > 0;
    case RATE:
        *out = elapsed_ns ? counted * f->units * NS_PER_S / (double)elapsed_ns : 0;
        break;
    default: /* the kernel's time and ours are a little apart */
        *out = elapsed_ns ? counted * f->units * PERCENT / (double)elapsed_ns : 0;
        *out = *out < PERCENT ? *out : PERCENT;
        break;
    }
    return row->known && elapsed_ns && !(row->fell & f->columns);
}

/* --- parts --- */

static uint64_t total_of(const struct formula *f, const uint64_t total[STATS_ROW_COLUMNS])
{
    double sum = sum_columns(total, f->columns) * f->units;
    return f->measure != RATE ? 0 : sum < (double)UINT64_MAX ? (uint64_t)sum : UINT64_MAX;
}

static void add_part(struct stats_meter *m, const struct formula *f, const struct stats_row *row,
                     double natural, struct stats_value *v)
{
    if (!grow(&m->part[v->graph].at, &m->part[v->graph].cap, v->parts, sizeof(struct stats_part)))
        return; /* the sum is there, its parts are not */
    struct stats_part *p = &m->part[v->graph].at[v->parts++];
    *p = (struct stats_part){.natural = natural, .total = total_of(f, row->total)};
    memcpy(p->name, row->name, sizeof p->name);
    v->part = m->part[v->graph].at;
}

/* The value of all of them: shares have a row of their own for it. False: no row has one. */
static bool measure_parts(struct stats_meter *m, const struct formula *f,
                          const struct stats_rows *rows, uint64_t elapsed_ns, struct stats_value *v)
{
    bool known = false;
    for (size_t i = 0; i < rows->count; i++) {
        const struct stats_row *row = &rows->row[i];
        double natural;
        if (strcmp(row->name, all_cpus) == 0 || !measure_row(f, row, elapsed_ns, &natural))
            continue;
        add_part(m, f, row, natural, v);
        known = true;
        if (f->measure == RATE)
            v->natural += natural;
        else if (natural > v->natural)
            v->natural = natural;
    }
    const struct stats_row *all = f->measure == SHARE ? stats_rows_find(rows, all_cpus) : NULL;
    return all ? measure_row(f, all, elapsed_ns, &v->natural) : known;
}

void stats_rows_value(struct stats_meter *m, enum stats_graph graph, double interval,
                      struct stats_value *v)
{
    const struct formula *f = &formulas[graph];
    const struct stats_file_state *state = &m->file[f->file];
    const struct stats_rows *rows = &m->rows[f->file - STATS_CPUSTAT];
    bool known, rate = f->measure == RATE;
    v->total = total_of(f, rows->total);
    if (rate && !state->answered)
        return; /* 0 */
    if (f->row) {
        const struct stats_row *row = stats_rows_find(rows, f->row);
        known = row && measure_row(f, row, state->elapsed_ns, &v->natural);
        v->why = row ? NULL : "not in the file";
    } else {
        known = measure_parts(m, f, rows, state->elapsed_ns, v);
    }
    if (!known && !v->why)
        v->why = state->elapsed_ns ? "nothing to compare with yet" : "first reading: no rate yet";
    v->value = rate ? v->natural * interval : v->natural;
}
