#include "sysstat.h"
#include "sys.h"

#include "core/base/buf.h"
#include "core/ns/ns.h"
#include "core/procfs/counters.h"
#include "core/procfs/plan9_text.h"
#include "plat/clock.h"
#include "plat/cpustat.h"
#include "plat/host.h"
#include "plat/sysfile.h"

#include <errno.h>
#include <string.h>

static const struct source {
    enum dev_sysstat_column column;
    const char *event;      /* NULL: none counts it */
    const char *file, *key; /* of the machine; NULL: it has none */
    const char *machine;    /* what the names of those have in which the event ever happens */
    bool kernel;            /* its own event: counted together with the first */
    bool same;              /* the key counts the event since the machine's start */
} sources[SYSSTAT_SOURCES] = {
    {SYSSTAT_SWITCHES, "context-switches", "/proc/stat", "ctxt", "", true, true},
    {SYSSTAT_INTERRUPTS, NULL, "/proc/stat", "intr", "", false, true},
    {SYSSTAT_SYSCALLS, "raw_syscalls:sys_enter", NULL, NULL, "", true, false},
    {SYSSTAT_FAULTS, "page-faults", "/proc/vmstat", "pgfault", "", true, true},
    {SYSSTAT_TLB_MISSES, "dTLB-load-misses", NULL, NULL, "", false, false},
    {SYSSTAT_TLB_FLUSHES, "tlb:tlb_flush", "/proc/vmstat", "nr_tlb_remote_flush", "86", true,
     false},
};

/* Others have the tracepoint, too, and never come to it: 0 would be a lie. */
static int open_count(const struct source *from, struct sysstat *s, struct cpucount **out,
                      struct fail *why)
{
    struct host host = {.cpus = 0};
    if (!from->event)
        return fail_set(why, 0, "%s has no `%s'", from->file, from->key);
    if (*from->machine)
        host_describe(&host);
    if (strstr(host.machine, from->machine))
        return cpucount_open(from->event, from->kernel ? s->count[0] : NULL, out, why);
    fail_set(why, 0, "kernels for %s do not count %s", host.machine, from->event);
    return -ENOENT;
}

void sysstat_release(struct sysstat *s)
{
    for (size_t i = SYSSTAT_SOURCES; i--;)
        cpucount_close(s->count[i]);
    cpu_stat_release(&s->older);
    cpu_stat_release(&s->newer);
}

/* --- one reading --- */

struct reading {
    struct sysstat *s;
    struct buf stat, vmstat;
    uint64_t load, whole[SYSSTAT_SOURCES];
    bool loads, has_whole[SYSSTAT_SOURCES];
};

static const char *text_of(const struct reading *r, const char *file)
{
    return buf_str(strcmp(file, "/proc/stat") == 0 ? &r->stat : &r->vmstat);
}

static void read_source(struct reading *r, size_t i)
{
    const struct source *from = &sources[i];
    if (strcmp(from->file, "/proc/vmstat") == 0 && !r->vmstat.len)
        sysfile_text(from->file, &r->vmstat, NULL);
    r->has_whole[i] = kernel_count(text_of(r, from->file), from->key, &r->whole[i]);
}

/* Numbers of the machine, where there are none per CPU. */
static void read_whole(struct reading *r)
{
    for (size_t i = 0; i < SYSSTAT_SOURCES; i++)
        if (!r->s->count[i] && sources[i].file)
            read_source(r, i);
}

/* What happened before the counts were opened: they have just begun. */
static void note_before(struct reading *r)
{
    struct sysstat *s = r->s;
    for (size_t i = 0; i < SYSSTAT_SOURCES && !s->noted; i++)
        if (s->count[i] && sources[i].same) {
            read_source(r, i);
            s->before[i] = r->has_whole[i] ? r->whole[i] : 0;
        }
    s->noted = true;
}

static void open_counts(struct sysstat *s)
{
    for (size_t i = 0; i < SYSSTAT_SOURCES && !s->opened; i++)
        if (open_count(&sources[i], s, &s->count[i], &s->why[i]) < 0)
            s->count[i] = NULL;
    s->opened = true;
}

/* What cannot be read is absent, and no failure. */
static void read_rest(struct reading *r)
{
    SCOPED_BUF text = BUF_INIT;
    read_whole(r);
    r->loads =
        sysfile_text("/proc/loadavg", &text, NULL) == 0 && kernel_load(buf_str(&text), &r->load);
}

/* --- the share of time --- */

enum { APART_NS = 500000000 };

/* The new reading becomes the newer of two when the other is old enough to compute shares. */
static const struct cpu_stat *keep_reading(struct sysstat *s, struct cpu_stat *now)
{
    uint64_t now_ns = clock_mono_ns();
    if (s->known && now_ns - s->newer_ns < APART_NS)
        return now;
    cpu_stat_release(&s->older);
    s->older = s->newer;
    s->newer = *now;
    s->newer_ns = now_ns;
    s->known = true;
    *now = (struct cpu_stat){0};
    return &s->newer;
}

static struct cpu_times subtract_times(const struct cpu_stat *before, const struct cpu_times *now)
{
    struct cpu_times t = *now;
    for (size_t i = 0; i < before->cpus; i++)
        if (before->cpu[i].cpu == now->cpu)
            cpu_times_since(&before->cpu[i], now, &t);
    return t;
}

static int64_t percent_of(uint64_t part_ms, uint64_t all_ms)
{
    return all_ms ? (int64_t)((part_ms * 100 + all_ms / 2) / all_ms) : DEV_ABSENT;
}

static void fill_shares(const struct sysstat *s, const struct cpu_times *now, int64_t *column)
{
    struct cpu_times t = subtract_times(&s->older, now);
    uint64_t all = cpu_times_total_ms(&t);
    column[SYSSTAT_IDLE_PCT] = percent_of(t.idle_ms + t.iowait_ms, all);
    column[SYSSTAT_INTERRUPT_PCT] = percent_of(t.irq_ms + t.softirq_ms, all);
}

/* --- a line --- */

/* Emulated processors take the event and never count it; a real one misses all the time. */
static bool is_counted(size_t source, uint64_t v)
{
    return v || sources[source].column != SYSSTAT_TLB_MISSES;
}

static int64_t count_of(const struct reading *r, size_t source, uint32_t cpu, bool first)
{
    struct cpucount *c = r->s->count[source];
    uint64_t v = r->whole[source];
    bool known =
        c ? cpucount_read(c, cpu, &v) && is_counted(source, v) : first && r->has_whole[source];
    if (c && first)
        v += r->s->before[source];
    return known ? (int64_t)(v & INT64_MAX) : DEV_ABSENT;
}

static int64_t share_of_load(const struct reading *r, size_t cpus, bool first)
{
    uint64_t share = r->load / cpus;
    return r->loads ? (int64_t)(first ? share + r->load % cpus : share) : DEV_ABSENT;
}

static void add_line(const struct reading *r, const struct cpu_times *now, size_t cpus, bool first,
                     struct buf *out)
{
    int64_t column[SYSSTAT_COLUMNS] = {now->cpu};
    for (size_t i = 0; i < SYSSTAT_SOURCES; i++)
        column[sources[i].column] = count_of(r, i, now->cpu, first);
    column[SYSSTAT_LOAD] = share_of_load(r, cpus, first);
    fill_shares(r->s, now, column);
    dev_sysstat_line(column, out);
}

/* A kernel for one CPU may have no line but that of all. */
static void add_lines(const struct reading *r, const struct cpu_stat *now, struct buf *out)
{
    if (!now->cpus)
        add_line(r, &now->total, 1, true, out);
    for (size_t i = 0; i < now->cpus; i++)
        add_line(r, &now->cpu[i], now->cpus, i == 0, out);
}

static int read_times(struct reading *r, struct cpu_stat *now, struct fail *f)
{
    int e = sysfile_text("/proc/stat", &r->stat, f);
    if (e < 0) {
        dev_is_unknown("/proc", "proc", f);
        return e;
    }
    e = cpu_stat_parse(buf_str(&r->stat), cpustat_hz(), now);
    return e < 0 ? fail_set(f, e == -EINVAL ? 0 : -e, "/proc/stat has no CPU lines") : 0;
}

int sysstat_text(struct sysstat *s, struct buf *out, struct fail *f)
{
    struct reading r = {.s = s};
    struct cpu_stat now = {0};
    open_counts(s);
    int e = read_times(&r, &now, f);
    if (e == 0) {
        note_before(&r);
        read_rest(&r);
        add_lines(&r, keep_reading(s, &now), out);
    }
    cpu_stat_release(&now);
    buf_release(&r.stat);
    buf_release(&r.vmstat);
    return e;
}

/* --- what is missing --- */

static void add_absent(enum dev_sysstat_column column, const struct fail *why, struct buf *out)
{
    buf_printf(out, "sysstat %d %s: %s%s%s%s%s\n", (int)column + 1, dev_sysstat_name(column),
               why->what, why->err ? ": " : "", why->err ? ns_error(why) : "",
               why->hint[0] ? "; " : "", why->hint);
}

/* A file that cannot be read. */
static void add_unreadable(const char *path, enum dev_sysstat_column column, struct buf *out)
{
    SCOPED_BUF text = BUF_INIT;
    struct fail why;
    if (sysfile_text(path, &text, &why) < 0)
        add_absent(column, &why, out);
}

/* Numbers of the machine are in the first CPU's line. */
static void add_whole_only(enum dev_sysstat_column column, const struct source *from,
                           const struct fail *cause, const struct cpu_stat *now, struct buf *out)
{
    struct fail why;
    if (now->cpus < 2)
        return;
    fail_set(&why, 0,
             "CPU %u has the number of all CPUs, of %s; the others have -1, not known: %s%s%s",
             (unsigned)now->cpu[0].cpu, from->file, cause->what, cause->err ? ": " : "",
             cause->err ? ns_error(cause) : "");
    if (cause->hint[0])
        fail_hint(&why, "%s", cause->hint);
    add_absent(column, &why, out);
}

/* It was opened, and no CPU has counted any. */
static void add_uncounted(const struct sysstat *s, const struct cpu_stat *now, struct buf *out)
{
    struct fail why;
    for (size_t i = 0; i < SYSSTAT_SOURCES; i++) {
        bool counted = !s->count[i] || !now->cpus;
        uint64_t v = 0;
        for (size_t c = 0; c < now->cpus && !counted; c++)
            counted = cpucount_read(s->count[i], now->cpu[c].cpu, &v) && is_counted(i, v);
        if (counted)
            continue;
        fail_set(&why, 0, "%s can be opened but stays at 0", sources[i].event);
        add_absent(sources[i].column, &why, out);
    }
}

int sysstat_absent(struct sysstat *s, struct buf *out, struct fail *f)
{
    struct reading r = {.s = s};
    struct cpu_stat now = {0};
    int e = read_times(&r, &now, f);
    open_counts(s);
    if (e == 0) {
        note_before(&r);
        read_whole(&r);
    }
    for (size_t i = 0; e == 0 && i < SYSSTAT_SOURCES; i++)
        if (!s->count[i] && !r.has_whole[i])
            add_absent(sources[i].column, &s->why[i], out);
        else if (!s->count[i] && sources[i].event)
            add_whole_only(sources[i].column, &sources[i], &s->why[i], &now, out);
    add_uncounted(s, &now, out);
    add_unreadable("/proc/loadavg", SYSSTAT_LOAD, out);
    cpu_stat_release(&now);
    buf_release(&r.stat);
    buf_release(&r.vmstat);
    return e;
}
