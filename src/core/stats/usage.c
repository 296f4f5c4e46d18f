#include "core/stats/usage.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/base/time_ns.h"
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

static void print_values(const struct usage_processes *u, const char *name, size_t offset,
                         struct buf *out)
{
    for (size_t i = 0; i < u->names.count; i++) {
        uint64_t value;
        if (i == 0 && !u->row[i].processes)
            continue;
        memcpy(&value, (const char *)&u->row[i] + offset, sizeof value);
        openmetrics_label(out, name, "name", intern_string_at(&u->names, i));
        buf_printf(out, "%" PRIu64 "\n", value);
    }
}

void usage_openmetrics(const struct usage_processes *u, struct buf *out)
{
    openmetrics_head(out, "psuite_processes", "gauge", "processes of this name");
    print_values(u, "psuite_processes", offsetof(struct usage_row, processes), out);
    openmetrics_head(out, "psuite_process_threads", "gauge", "their threads");
    print_values(u, "psuite_process_threads", offsetof(struct usage_row, threads), out);
    openmetrics_head(out, "psuite_process_resident_bytes", "gauge", "their resident memory, added");
    print_values(u, "psuite_process_resident_bytes", offsetof(struct usage_row, resident_bytes),
                 out);
    openmetrics_head(out, "psuite_process_cpu_seconds", "counter",
                     "their CPU time since the first reading");
    for (size_t i = 0; i < u->names.count; i++) {
        openmetrics_label(out, "psuite_process_cpu_seconds_total", "name",
                          intern_string_at(&u->names, i));
        buf_printf(out, "%.3f\n", (double)u->row[i].cpu_ns / NS_PER_S);
    }
}

/* --- control groups --- */

/* `NAME NUMBER' in lines; UINT64_MAX: there is none. */
static uint64_t line_number(const char *text, const char *name)
{
    size_t len = strlen(name);
    for (; text && *text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL)
        if (strncmp(text, name, len) == 0 && text[len] == ' ')
            return strtoull(text + len, NULL, 10);
    return UINT64_MAX;
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

struct cgroup_metric {
    const char *name, *type, *help;
    size_t offset;
    bool microseconds;
};

static const struct cgroup_metric metrics[] = {
    {"psuite_cgroup_cpu_seconds", "counter", "CPU time of the control group",
     offsetof(struct usage_cgroup, cpu_us), true},
    {"psuite_cgroup_throttled_seconds", "counter", "time that its limit of CPU time has cost",
     offsetof(struct usage_cgroup, throttled_us), true},
    {"psuite_cgroup_memory_bytes", "gauge", "its memory, caches of files included",
     offsetof(struct usage_cgroup, memory_bytes), false},
    {"psuite_cgroup_processes", "gauge", "its processes and threads",
     offsetof(struct usage_cgroup, processes), false},
    {"psuite_cgroup_read_bytes", "counter", "bytes that it read from disks",
     offsetof(struct usage_cgroup, read_bytes), false},
    {"psuite_cgroup_written_bytes", "counter", "bytes that it wrote to disks",
     offsetof(struct usage_cgroup, written_bytes), false},
    {"psuite_cgroup_oom_kills", "counter", "processes that were killed for want of memory",
     offsetof(struct usage_cgroup, oom_kills), false},
};

static void print_group(const struct cgroup_metric *m, const struct usage_cgroup *g,
                        struct buf *out)
{
    SCOPED_BUF name = BUF_INIT;
    uint64_t value;
    memcpy(&value, (const char *)g + m->offset, sizeof value);
    if (value == UINT64_MAX)
        return;
    buf_printf(&name, "%s%s", m->name, strcmp(m->type, "counter") == 0 ? "_total" : "");
    openmetrics_label(out, buf_str(&name), "cgroup", g->path);
    if (m->microseconds)
        buf_printf(out, "%.6f\n", (double)value / 1e6);
    else
        buf_printf(out, "%" PRIu64 "\n", value);
}

void usage_cgroups_openmetrics(const struct usage_cgroup *group, size_t groups, struct buf *out)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics && groups; i++) {
        openmetrics_head(out, metrics[i].name, metrics[i].type, metrics[i].help);
        for (size_t g = 0; g < groups; g++)
            print_group(&metrics[i], &group[g], out);
    }
}
