#include "core/stats/usage.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "core/procfs/counters.h"
#include "core/text/shown.h"
#include "openmetrics.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- processes --- */

struct usage_row {
    uint64_t processes, threads, resident_bytes; /* of this round */
    uint64_t cpu_ns;                             /* of all rounds */
};

void usage_release(struct usage_processes *u)
{
    intern_release(&u->names);
    usage_times_release(&u->times);
    free(u->row);
    *u = (struct usage_processes){0};
}

void usage_begin(struct usage_processes *u)
{
    usage_times_begin(&u->times);
    for (size_t i = 0; i < u->names.count; i++) {
        u->row[i].processes = u->row[i].threads = 0;
        u->row[i].resident_bytes = 0;
    }
}

static uint32_t name_number(struct usage_processes *u, const char *name)
{
    size_t known = u->names.count;
    if (!grow(&u->row, &u->row_cap, known, sizeof *u->row))
        return INTERN_NONE;
    uint32_t i = intern_string(&u->names, name);
    if (u->names.count > known)
        u->row[i] = (struct usage_row){0};
    return i;
}

/* Row 0 is that of all names over the limit, so that a name which is there keeps its row. */
static struct usage_row *row_of(struct usage_processes *u, const char *text)
{
    SCOPED_BUF name = BUF_INIT;
    uint32_t i = u->names.count ? 0 : name_number(u, "(other)");
    shown_adds(&name, text);
    if (i == 0 && u->names.count <= USAGE_NAMES)
        i = name_number(u, buf_str(&name));
    else
        for (uint32_t n = 1; i == 0 && n < u->names.count; n++)
            i = strcmp(intern_string_at(&u->names, n), buf_str(&name)) == 0 ? n : 0;
    u->failed |= i == INTERN_NONE || buf_error(&name);
    return i == INTERN_NONE ? NULL : &u->row[i];
}

void usage_add(struct usage_processes *u, const struct usage_process *p)
{
    uint64_t since_ns;
    struct usage_row *row = row_of(u, p->name);
    if (!row || !usage_times_add(&u->times, p->pid, p->started, p->cpu_ns, &since_ns)) {
        u->failed = true;
        return;
    }
    row->processes++;
    row->threads += p->threads;
    row->resident_bytes += p->resident_bytes;
    row->cpu_ns += since_ns;
}

void usage_end(struct usage_processes *u)
{
    usage_times_end(&u->times);
}

struct metric {
    const char *name, *type, *help;
    size_t offset;
    int decimals; /* of seconds; 0: it is a number */
    double per_second;
};

static void print_metric(const struct metric *m, const void *record, const char *key,
                         const char *label, struct buf *out)
{
    SCOPED_BUF name = BUF_INIT;
    uint64_t value;
    memcpy(&value, (const char *)record + m->offset, sizeof value);
    if (value == UINT64_MAX)
        return;
    buf_printf(&name, "%s%s", m->name, strcmp(m->type, "counter") == 0 ? "_total" : "");
    openmetrics_label(out, buf_str(&name), key, label);
    if (m->decimals)
        buf_printf(out, "%.*f\n", m->decimals, (double)value / m->per_second);
    else
        buf_printf(out, "%" PRIu64 "\n", value);
}

static const struct metric process_metrics[] = {
    {"psuite_processes", "gauge", "processes of this name",
     .offset = offsetof(struct usage_row, processes)},
    {"psuite_process_threads", "gauge", "their threads",
     .offset = offsetof(struct usage_row, threads)},
    {"psuite_process_resident_bytes", "gauge", "their resident memory, added",
     .offset = offsetof(struct usage_row, resident_bytes)},
    {"psuite_process_cpu_seconds", "counter", "their CPU time since the first reading",
     offsetof(struct usage_row, cpu_ns), 3, NS_PER_S},
};

void usage_openmetrics(const struct usage_processes *u, struct buf *out)
{
    for (size_t k = 0; k < sizeof process_metrics / sizeof *process_metrics; k++) {
        const struct metric *m = &process_metrics[k];
        openmetrics_head(out, m->name, m->type, m->help);
        for (size_t i = 0; i < u->names.count; i++)
            if (i || u->row[i].processes || m->decimals) /* of "(other)" time stays */
                print_metric(m, &u->row[i], "name", intern_string_at(&u->names, i), out);
    }
}

/* --- control groups --- */

/* UINT64_MAX: there is none. */
static uint64_t line_number(const char *text, const char *name)
{
    uint64_t n;
    return text && kernel_count(text, name, &n) ? n : UINT64_MAX;
}

/* All `NAME=NUMBER', added. */
static uint64_t sum_of(const char *text, const char *name)
{
    uint64_t sum = 0;
    if (!text)
        return UINT64_MAX;
    for (const char *at = text; (at = strstr(at, name)); at += strlen(name))
        if (at != text && at[-1] == ' ')
            sum += strtoull(at + strlen(name), NULL, 10);
    return sum;
}

static uint64_t number_of(const char *text)
{
    return text && *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : UINT64_MAX;
}

void usage_cgroup_read(const struct usage_cgroup_texts *from, struct usage_cgroup *out)
{
    out->cpu_us = line_number(from->cpu_stat, "usage_usec");
    out->throttled_us = line_number(from->cpu_stat, "throttled_usec");
    out->memory_bytes = number_of(from->memory_current);
    out->processes = number_of(from->pids_current);
    out->read_bytes = sum_of(from->io_stat, "rbytes=");
    out->written_bytes = sum_of(from->io_stat, "wbytes=");
    out->oom_kills = line_number(from->memory_events, "oom_kill");
}

static const struct metric cgroup_metrics[] = {
    {"psuite_cgroup_cpu_seconds", "counter", "CPU time of the control group",
     offsetof(struct usage_cgroup, cpu_us), 6, 1e6},
    {"psuite_cgroup_throttled_seconds", "counter", "time that its limit of CPU time has cost",
     offsetof(struct usage_cgroup, throttled_us), 6, 1e6},
    {"psuite_cgroup_memory_bytes", "gauge", "its memory, caches of files included",
     .offset = offsetof(struct usage_cgroup, memory_bytes)},
    {"psuite_cgroup_processes", "gauge", "its processes and threads",
     .offset = offsetof(struct usage_cgroup, processes)},
    {"psuite_cgroup_read_bytes", "counter", "bytes that it read from disks",
     .offset = offsetof(struct usage_cgroup, read_bytes)},
    {"psuite_cgroup_written_bytes", "counter", "bytes that it wrote to disks",
     .offset = offsetof(struct usage_cgroup, written_bytes)},
    {"psuite_cgroup_oom_kills", "counter", "processes that were killed for want of memory",
     .offset = offsetof(struct usage_cgroup, oom_kills)},
};

void usage_cgroups_openmetrics(const struct usage_cgroup *group, size_t groups, struct buf *out)
{
    for (size_t i = 0; i < sizeof cgroup_metrics / sizeof *cgroup_metrics && groups; i++) {
        const struct metric *m = &cgroup_metrics[i];
        openmetrics_head(out, m->name, m->type, m->help);
        for (size_t g = 0; g < groups; g++)
            print_metric(m, &group[g], "cgroup", group[g].path, out);
    }
}
