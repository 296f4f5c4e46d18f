#include "plat/cluster.h"

#include "core/base/buf.h"
#include "core/base/scan.h"
#include "plat/sysfile.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PMUS "/sys/bus/event_source/devices"

enum { MAX_CPUS = 1024, MAX_PMUS = 256 };

/* What distinguishes kinds of CPUs. */
struct cpu_kind {
    uint64_t capacity, model;
    uint32_t type;
    char pmu[32];
};

/* --- numbers and lists of /sys --- */

static bool read_text(struct buf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool read_text(struct buf *out, const char *fmt, ...)
{
    char path[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(path, sizeof path, fmt, ap);
    va_end(ap);
    buf_clear(out);
    return sysfile_text(path, out, NULL) == 0;
}

/* Whether a list such as "0-3,6" has the CPU. */
static bool list_has(const char *list, uint64_t cpu)
{
    uint64_t first, last;
    while (scan_u64(&list, &first)) {
        last = first;
        if (*list == '-' && (list++, !scan_u64(&list, &last)))
            return false;
        if (cpu >= first && cpu <= last)
            return true;
        if (*list++ != ',')
            return false;
    }
    return false;
}

/* --- the kind of a CPU --- */

static void find_pmu(unsigned cpu, struct cpu_kind *out)
{
    SCOPED_BUF names = BUF_INIT, text = BUF_INIT;
    sysfile_names(PMUS, MAX_PMUS, &names, NULL);
    for (size_t at = 0; at < names.len; at += strlen(names.data + at) + 1) {
        const char *name = names.data + at;
        if (!read_text(&text, PMUS "/%.64s/cpus", name) || !list_has(buf_str(&text), cpu))
            continue;
        if (read_text(&text, PMUS "/%.64s/type", name))
            out->type = (uint32_t)strtoul(buf_str(&text), NULL, 10);
        snprintf(out->pmu, sizeof out->pmu, "%s", name);
        break;
    }
}

/* Its lines of /proc/cpuinfo follow `processor : CPU'. */
static uint64_t part_of(const char *cpuinfo, unsigned cpu)
{
    for (const char *s = scan_after(cpuinfo, "processor"); s; s = scan_after(s, "processor")) {
        const char *number = strchr(s, ':'), *part = scan_after(s, "CPU part");
        const char *value = part ? strchr(part, ':') : NULL;
        if (number && value && strtoul(number + 1, NULL, 10) == cpu)
            return strtoull(value + 1, NULL, 16);
        s = scan_next(s);
        if (!s)
            return 0;
    }
    return 0;
}

static struct cpu_kind kind_of(unsigned cpu, const char *cpuinfo)
{
    struct cpu_kind k = {0};
    SCOPED_BUF text = BUF_INIT;
    if (read_text(&text, "/sys/devices/system/cpu/cpu%u/cpu_capacity", cpu))
        k.capacity = strtoull(buf_str(&text), NULL, 10);
    if (read_text(&text, "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1", cpu))
        k.model = strtoull(buf_str(&text), NULL, 16);
    else
        k.model = part_of(cpuinfo, cpu);
    find_pmu(cpu, &k);
    return k;
}

static bool same_kind(const struct cpu_kind *a, const struct cpu_kind *b)
{
    return a->capacity == b->capacity && a->model == b->model && strcmp(a->pmu, b->pmu) == 0;
}

/* --- clusters --- */

/* CPUs come in order: a range is extended, or begun. */
static void add_cpu(struct cluster *c, unsigned cpu, unsigned *last)
{
    size_t len = strlen(c->cpus);
    char *range = strrchr(c->cpus, ',') ? strrchr(c->cpus, ',') + 1 : c->cpus;
    if (len && cpu == *last + 1) {
        size_t digits = strcspn(range, "-");
        snprintf(range + digits, sizeof c->cpus - (size_t)(range - c->cpus) - digits, "-%u", cpu);
    } else {
        snprintf(c->cpus + len, sizeof c->cpus - len, "%s%u", len ? "," : "", cpu);
    }
    *last = cpu;
}

static bool several_pmus(const struct cpu_kind *kind, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (strcmp(kind[i].pmu, kind[0].pmu) != 0)
            return true;
    return false;
}

enum { MAX_CLUSTERS = 16 };

static size_t find_clusters(const cpu_set_t *may, struct cluster *out, size_t max)
{
    struct cpu_kind kind[MAX_CLUSTERS];
    unsigned last[MAX_CLUSTERS];
    SCOPED_BUF cpuinfo = BUF_INIT;
    size_t n = 0, at;
    sysfile_text("/proc/cpuinfo", &cpuinfo, NULL);
    for (unsigned cpu = 0; cpu < CPU_SETSIZE && cpu < MAX_CPUS; cpu++) {
        if (!CPU_ISSET(cpu, may))
            continue;
        struct cpu_kind k = kind_of(cpu, buf_str(&cpuinfo));
        for (at = 0; at < n && !same_kind(&kind[at], &k); at++)
            ;
        if (at == n && (n == max || n == MAX_CLUSTERS))
            continue;
        if (at == n) {
            kind[n] = k;
            out[n++] = (struct cluster){.cpu = cpu};
        }
        add_cpu(&out[at], cpu, &last[at]);
    }
    for (size_t i = 0; i < n && several_pmus(kind, n); i++) {
        out[i].type = kind[i].type;
        memcpy(out[i].pmu, kind[i].pmu, sizeof out[i].pmu);
    }
    return n;
}

size_t cluster_list(struct cluster *out, size_t max)
{
    cpu_set_t may;
    CPU_ZERO(&may);
    size_t n = sched_getaffinity(0, sizeof may, &may) < 0 ? 0 : find_clusters(&may, out, max);
    if (n == 0 && max > 0)
        out[n++] = (struct cluster){.cpus = "0"};
    return n;
}
