#include "core/stats/meter.h"

#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "core/text/text_fold.h"

#include <stdlib.h>
#include <string.h>

void stats_meter_release(struct stats_meter *m)
{
    free(m->cpu);
    for (size_t i = 0; i < STATS_ROW_FILES; i++)
        stats_rows_release(&m->rows[i]);
    for (size_t i = 0; i < STATS_GRAPHS; i++)
        free(m->part[i].at);
    *m = (struct stats_meter){.cpu = NULL};
}

/* --- sysstat --- */

/* The CPU of that number. A file lists its CPUs in the same order each time. */
static struct stats_cpu *cpu_find(struct stats_meter *m, uint64_t id, size_t hint)
{
    for (size_t i = 0; i < m->cpus; i++) {
        struct stats_cpu *cpu = &m->cpu[(hint + i) % m->cpus];
        if (cpu->id == id)
            return cpu;
    }
    return NULL;
}

static void cpu_count(struct stats_meter *m, struct stats_cpu *cpu,
                      const struct stats_sysstat_row *row, bool new)
{
    uint32_t gone = row->absent >> SYSSTAT_SWITCHES;
    for (size_t i = 0; i < STATS_COUNTERS; i++) {
        struct stats_counter *c = &m->counter[i];
        uint64_t now = row->column[SYSSTAT_SWITCHES + i];
        if (gone & 1u << i)
            continue;
        c->absent = false;
        if (!new && !(cpu->absent & 1u << i)) {
            c->known = true;
            stats_counter_step(c, cpu->count[i], now);
        }
        cpu->count[i] = now;
    }
    cpu->absent = gone;
    cpu->generation = m->generation;
}

static void level_count(struct stats_meter *m, const struct stats_sysstat_row *row)
{
    for (size_t i = SYSSTAT_LOAD; i < SYSSTAT_COLUMNS; i++)
        if (!(row->absent & 1u << i)) {
            m->level[i - SYSSTAT_LOAD].sum += row->column[i];
            m->level[i - SYSSTAT_LOAD].cpus++;
        }
}

static void cpus_forget(struct stats_meter *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->cpus; i++)
        if (m->cpu[i].generation == m->generation)
            m->cpu[kept++] = m->cpu[i];
    m->cpus = kept;
}

/* Why a text is no sysstat file; NULL: it is one. */
static const char *sysstat_error(const char *at, const char *end)
{
    struct stats_sysstat_row row;
    size_t rows = 0;
    int r;
    while ((r = stats_sysstat_row(&at, end, &row)) > 0)
        rows++;
    return r < 0                   ? "no line with ten numbers"
           : rows > STATS_MAX_CPUS ? "too many CPUs"
           : rows == 0             ? "no CPUs"
                                   : NULL;
}

static const char *parse_sysstat(struct stats_meter *m, const char *at, size_t len)
{
    const char *end = at + len, *error = sysstat_error(at, end);
    struct stats_sysstat_row row;
    if (error)
        return error;
    m->generation++;
    memset(&m->level, 0, sizeof m->level);
    for (size_t i = 0; i < STATS_COUNTERS; i++)
        m->counter[i] = (struct stats_counter){.total = m->counter[i].total, .absent = true};
    for (size_t i = 0; stats_sysstat_row(&at, end, &row) > 0; i++) {
        struct stats_cpu *cpu = cpu_find(m, row.column[SYSSTAT_CPU], i);
        bool new = !cpu;
        if (new) {
            if (m->cpus == STATS_MAX_CPUS)
                continue; /* its place is kept by one that is gone since: from the next time on */
            if (!GROW_ADD(m->cpu, m->cpu_cap, m->cpus,
                          (struct stats_cpu){.id = row.column[SYSSTAT_CPU]}))
                return "out of memory";
            cpu = &m->cpu[m->cpus - 1];
        }
        m->has_absent |= row.absent != 0;
        cpu_count(m, cpu, &row, new);
        level_count(m, &row);
    }
    cpus_forget(m);
    return NULL;
}

static void set_absent_why(void *arg, enum dev_sysstat_column column, const char *why, size_t len)
{
    struct stats_meter *m = arg;
    text_cut(m->absent_why[column], STATS_WHY, why, len);
}

void stats_meter_absent(struct stats_meter *m, const char *text, size_t len)
{
    stats_absent_parse(text, len, set_absent_why, m);
}

/* --- the others --- */

static const char *parse_ether(struct stats_meter *m, const char *text, size_t len)
{
    struct stats_ether now;
    bool before = m->file[STATS_ETHER_STATS].at_ns != 0;
    if (!stats_ether_parse(text, len, &now))
        return "not eight numbers";
    m->in = (struct stats_counter){.total = m->in.total, .known = before};
    m->out = (struct stats_counter){.total = m->out.total, .known = before};
    if (before) {
        stats_counter_step(&m->in, m->ether.in, now.in);
        stats_counter_step(&m->out, m->ether.out, now.out);
    }
    m->ether = now;
    return NULL;
}

static const char *parse_file(struct stats_meter *m, enum stats_file file, const char *text,
                              size_t len)
{
    switch (file) {
    case STATS_SYSSTAT:
        return parse_sysstat(m, text, len);
    case STATS_SWAP:
        return stats_swap_parse(text, len, &m->swap) ? NULL : "not the numbers of a swap file";
    case STATS_ETHER_STATS:
        return parse_ether(m, text, len);
    case STATS_IFSTATS:
        return stats_signal_parse(text, len, &m->dbm) ? NULL : "no signal strength";
    case STATS_APM:
    case STATS_BATTERY:
        return stats_battery_parse(text, len, file == STATS_APM, &m->battery) ? NULL : "no number";
    case STATS_CPUTEMP:
        return stats_temp_parse(text, len, &m->celsius) ? NULL : "no lines of two numbers";
    default:
        return stats_rows_add(&m->rows[file - STATS_CPUSTAT], text, len);
    }
}

void stats_meter_add(struct stats_meter *m, enum stats_file file, const char *text, size_t len,
                     uint64_t now_ns)
{
    struct stats_file_state *f = &m->file[file];
    const char *error = parse_file(m, file, text, len);
    if (error)
        return stats_meter_set_missing(m, file, error);
    f->elapsed_ns = f->at_ns ? ns_between(f->at_ns, now_ns) : 0;
    f->at_ns = now_ns;
    f->missing = false;
    f->answered = true;
}

void stats_meter_set_missing(struct stats_meter *m, enum stats_file file, const char *why)
{
    struct stats_file_state *f = &m->file[file];
    f->missing = f->answered = true;
    text_cut(f->why, sizeof f->why, why, strlen(why));
}

void stats_meter_next(struct stats_meter *m)
{
    for (size_t i = 0; i < STATS_FILES; i++)
        m->file[i].answered = false;
}
