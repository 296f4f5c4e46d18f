#include "core/stats/usage.h"

#include "core/base/time_ns.h"

#include <string.h>

enum { MAX_NUMBERS = 8 };
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL };

static const char no_rate[] = "first reading: no rate yet";

/* --- lines --- */

struct usage_line {
    char name[STATS_DISK_NAME];
    uint64_t n[MAX_NUMBERS];
    size_t count;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint64_t read_digits(const char **at, const char *end)
{
    uint64_t v = 0;
    for (; *at < end && is_digit(**at); (*at)++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, **at - '0', &v))
            v = UINT64_MAX;
    return v;
}

/* A word and numbers, parted by one blank. */
static bool read_line(const char *at, const char *end, struct usage_line *out)
{
    const char *blank = memchr(at, ' ', (size_t)(end - at));
    size_t len = blank ? (size_t)(blank - at) : 0;
    if (!len || len >= sizeof out->name)
        return false;
    memcpy(out->name, at, len);
    out->name[len] = '\0';
    out->count = 0;
    for (at = blank; out->count < MAX_NUMBERS && end - at > 1 && *at == ' ' && is_digit(at[1]);) {
        at++;
        out->n[out->count++] = read_digits(&at, end);
    }
    return out->count > 0;
}

static bool next_line(const char **at, const char *end, struct usage_line *out)
{
    while (*at < end) {
        const char *newline = memchr(*at, '\n', (size_t)(end - *at)),
                   *stop = newline ? newline : end;
        bool is_one = read_line(*at, stop, out);
        *at = newline ? newline + 1 : end;
        if (is_one)
            return true;
    }
    return false;
}

static void level_step(struct stats_usage_level *l, bool known, uint64_t now)
{
    l->since = known && now > l->before ? now - l->before : 0;
    l->known = known;
    l->before = now;
}

/* --- files --- */

static const char *add_cpustat(struct stats_usage *u, const char *at, const char *end)
{
    struct usage_line line;
    while (next_line(&at, end, &line)) {
        if (strcmp(line.name, "all") != 0 || line.count < STATS_CPU_KINDS)
            continue;
        bool known = u->cpu_ms[0].before || u->cpu_ms[IDLE].before;
        for (size_t i = 0; i < STATS_CPU_KINDS; i++)
            level_step(&u->cpu_ms[i], known, line.n[i]);
        return NULL;
    }
    return "no line of all CPUs";
}

static struct stats_disk *find_disk(struct stats_usage *u, const char *name, bool *known)
{
    size_t i = 0;
    while (i < u->disks && strcmp(u->disk[i].name, name) != 0)
        i++;
    *known = i < u->disks;
    if (i == STATS_MAX_DISKS)
        return NULL;
    if (!*known)
        memcpy(u->disk[u->disks++].name, name, STATS_DISK_NAME);
    return &u->disk[i];
}

static void add_disk(struct stats_usage *u, const struct usage_line *line)
{
    enum { BUSY = 4 };
    bool known;
    struct stats_disk *d = find_disk(u, line->name, &known);
    if (d)
        level_step(&d->busy_ms, known, line->n[BUSY]);
}

#define COUNTER_STEP(c, value)                                                                     \
    do {                                                                                           \
        (c).counter = (struct stats_counter){.total = (c).counter.total, .known = (c).read};       \
        if ((c).read)                                                                              \
            stats_counter_step(&(c).counter, (c).now, value);                                      \
        (c).now = value;                                                                           \
        (c).read = true;                                                                           \
    } while (0)

static const char *add_diskstat(struct stats_usage *u, const char *at, const char *end)
{
    enum { READ = 2, WRITTEN, COUNT = 5 };
    struct usage_line line;
    uint64_t read = 0, written = 0;
    size_t lines = 0;
    for (size_t i = 0; i < u->disks; i++)
        u->disk[i].busy_ms.since = 0;
    while (next_line(&at, end, &line)) {
        if (line.count < COUNT)
            continue;
        add_disk(u, &line);
        read += line.n[READ];
        written += line.n[WRITTEN];
        lines++;
    }
    if (!lines)
        return "no disks";
    COUNTER_STEP(u->disk_read, read);
    COUNTER_STEP(u->disk_written, written);
    return NULL;
}

static const char *add_netstat(struct stats_usage *u, const char *at, const char *end)
{
    struct usage_line line;
    uint64_t in = 0, out = 0;
    size_t lines = 0;
    while (next_line(&at, end, &line)) {
        if (line.count < 2)
            continue;
        in += line.n[0];
        out += line.n[1];
        lines++;
    }
    if (!lines)
        return "no interfaces";
    COUNTER_STEP(u->net_in, in);
    COUNTER_STEP(u->net_out, out);
    return NULL;
}

static const char *add_memstat(struct stats_usage *u, const char *at, const char *end)
{
    struct usage_line line;
    u->total = u->available = u->cached = 0;
    while (next_line(&at, end, &line))
        if (strcmp(line.name, "total") == 0)
            u->total = line.n[0];
        else if (strcmp(line.name, "available") == 0)
            u->available = line.n[0];
        else if (strcmp(line.name, "cached") == 0)
            u->cached = line.n[0];
    return u->total ? NULL : "no total";
}

static const char *add_pressure(struct stats_usage *u, const char *at, const char *end)
{
    static const char *const names[STATS_RESOURCES] = {"cpu", "memory", "io"};
    struct usage_line line;
    size_t lines = 0;
    while (next_line(&at, end, &line))
        for (size_t i = 0; i < STATS_RESOURCES; i++)
            if (strcmp(line.name, names[i]) == 0) {
                level_step(&u->stalled[i], u->has_stalled, line.n[0]);
                lines++;
            }
    u->has_stalled |= lines > 0;
    return lines ? NULL : "no resources";
}

const char *stats_usage_add(struct stats_usage *u, enum stats_usage_file file, const char *text,
                            size_t len)
{
    const char *end = text + len;
    switch (file) {
    case STATS_CPUSTAT:
        return add_cpustat(u, text, end);
    case STATS_DISKSTAT:
        return add_diskstat(u, text, end);
    case STATS_NETSTAT:
        return add_netstat(u, text, end);
    case STATS_MEMSTAT:
        return add_memstat(u, text, end);
    default:
        return add_pressure(u, text, end);
    }
}

/* --- graphs --- */

bool stats_usage_file(enum stats_graph graph, enum stats_usage_file *file)
{
    if (graph < STATS_CPU_BUSY)
        return false;
    *file = graph <= STATS_CPU_STEAL    ? STATS_CPUSTAT
            : graph <= STATS_DISK_BUSY  ? STATS_DISKSTAT
            : graph <= STATS_NET_OUT    ? STATS_NETSTAT
            : graph <= STATS_MEM_CACHED ? STATS_MEMSTAT
                                        : STATS_PRESSURE;
    return true;
}

const struct stats_counter *stats_usage_counter(const struct stats_usage *u, enum stats_graph graph)
{
    return graph == STATS_DISK_READ    ? &u->disk_read.counter
           : graph == STATS_DISK_WRITE ? &u->disk_written.counter
           : graph == STATS_NET_IN     ? &u->net_in.counter
                                       : &u->net_out.counter;
}

/* Which kinds of CPU time a graph has, as bits. */
static unsigned kinds_of(enum stats_graph graph)
{
    switch (graph) {
    case STATS_CPU_USER:
        return 1u << USER | 1u << NICE;
    case STATS_CPU_SYSTEM:
        return 1u << SYSTEM;
    case STATS_CPU_IOWAIT:
        return 1u << IOWAIT;
    case STATS_CPU_IRQ:
        return 1u << IRQ | 1u << SOFTIRQ;
    case STATS_CPU_STEAL:
        return 1u << STEAL;
    default:
        return ~(1u << IDLE | 1u << IOWAIT);
    }
}

static const char *cpu_share(const struct stats_usage *u, enum stats_graph graph, double *value)
{
    double part = 0, all = 0;
    for (size_t i = 0; i < STATS_CPU_KINDS; i++) {
        all += (double)u->cpu_ms[i].since;
        if (kinds_of(graph) & 1u << i)
            part += (double)u->cpu_ms[i].since;
    }
    *value = all > 0 ? part * 100 / all : 0;
    return all > 0 ? NULL : u->cpu_ms[0].known ? "no CPU time passed" : no_rate;
}

/* Percent of the time between two readings, which are a little apart from the kernel's. */
static double share_of(double part_ns, uint64_t elapsed_ns)
{
    double pct = part_ns * 100 / (double)elapsed_ns;
    return pct < 100 ? pct : 100;
}

static const char *disk_share(const struct stats_usage *u, uint64_t elapsed_ns, double *value)
{
    uint64_t most = 0;
    if (!u->disk_read.counter.known || !elapsed_ns)
        return no_rate;
    for (size_t i = 0; i < u->disks; i++)
        if (u->disk[i].busy_ms.since > most)
            most = u->disk[i].busy_ms.since;
    *value = share_of((double)most * NS_PER_MS, elapsed_ns);
    return NULL;
}

const char *stats_usage_level(const struct stats_usage *u, enum stats_graph graph,
                              uint64_t elapsed_ns, double *value)
{
    if (graph <= STATS_CPU_STEAL)
        return cpu_share(u, graph, value);
    if (graph == STATS_DISK_BUSY)
        return disk_share(u, elapsed_ns, value);
    if (graph == STATS_MEM_AVAILABLE || graph == STATS_MEM_CACHED) {
        *value = (double)(graph == STATS_MEM_CACHED ? u->cached : u->available);
        return NULL;
    }
    const struct stats_usage_level *l = &u->stalled[graph - STATS_CPU_PRESSURE];
    if (!l->known || !elapsed_ns)
        return no_rate;
    *value = share_of((double)l->since * NS_PER_US, elapsed_ns);
    return NULL;
}
