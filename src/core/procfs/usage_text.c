#include "core/procfs/usage_text.h"

#include "core/base/buf.h"
#include "core/base/scan.h"
#include "core/procfs/cpu_stat.h"
#include "core/procfs/meminfo.h"

#include <inttypes.h>
#include <stdio.h>

enum { SECTOR_BYTES = 512 };

static uint64_t times(uint64_t n, uint64_t by)
{
    return n > INT64_MAX / by ? INT64_MAX : n * by;
}

/* A name that is a word of ours; false: it is none, or too long. */
static bool read_name(const char **s, const char *ends, char out[USAGE_NAME_MAX + 1])
{
    *s += strspn(*s, " \t");
    size_t len = strcspn(*s, ends);
    if (!len || len > USAGE_NAME_MAX)
        return false;
    memcpy(out, *s, len);
    out[len] = '\0';
    *s += len;
    return true;
}

static bool read_numbers(const char *s, uint64_t *n, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!scan_u64(&s, &n[i]))
            return false;
    return true;
}

static void add_line(const char *name, const uint64_t *n, size_t count, struct buf *out)
{
    buf_adds(out, name);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, " %" PRIu64, n[i] < INT64_MAX ? n[i] : (uint64_t)INT64_MAX);
    buf_addc(out, '\n');
}

/* --- CPUs --- */

static void add_times(const char *name, const struct cpu_times *t, struct buf *out)
{
    const uint64_t n[] = {t->user_ms,   t->nice_ms, t->system_ms,  t->idle_ms,
                          t->iowait_ms, t->irq_ms,  t->softirq_ms, t->steal_ms};
    add_line(name, n, sizeof n / sizeof *n, out);
}

int usage_cpustat(const char *text, uint64_t hz, struct buf *out)
{
    struct cpu_stat s;
    char name[16];
    int r = cpu_stat_parse(text, hz, &s);
    if (r < 0)
        return r;
    add_times("all", &s.total, out);
    for (size_t i = 0; i < s.cpus; i++) {
        snprintf(name, sizeof name, "%u", (unsigned)s.cpu[i].cpu);
        add_times(name, &s.cpu[i], out);
    }
    cpu_stat_release(&s);
    return 0;
}

/* --- disks --- */

/* MAJOR MINOR NAME, then reads merged sectors ms, writes merged sectors ms, pending, busy ms. */
bool usage_diskstat(const char *text, bool (*is_disk)(const char *name), struct buf *out)
{
    enum { READS, READ = 2, WRITES = 4, WRITTEN = 6, BUSY = 9, COUNT };
    char name[USAGE_NAME_MAX + 1];
    uint64_t n[COUNT], device[2];
    size_t lines = 0;
    for (const char *line = text; line && lines < USAGE_MAX_LINES; line = scan_next(line)) {
        const char *s = line;
        if (!scan_u64(&s, &device[0]) || !scan_u64(&s, &device[1]) || !read_name(&s, " \t\n", name))
            continue;
        if (!read_numbers(s, n, COUNT) || !is_disk(name))
            continue;
        const uint64_t of[] = {n[READS], n[WRITES], times(n[READ], SECTOR_BYTES),
                               times(n[WRITTEN], SECTOR_BYTES), n[BUSY]};
        add_line(name, of, sizeof of / sizeof *of, out);
        lines++;
    }
    return lines > 0;
}

/* --- interfaces --- */

bool usage_netstat(const char *text, struct buf *out)
{
    enum { IN, IN_PACKETS, IN_ERRORS, OUT = 8, OUT_PACKETS, OUT_ERRORS, COUNT };
    char name[USAGE_NAME_MAX + 1];
    uint64_t n[COUNT];
    size_t lines = 0;
    for (const char *line = text; line && lines < USAGE_MAX_LINES; line = scan_next(line)) {
        const char *s = line;
        if (!read_name(&s, ": \t\n", name) || *s != ':' || !read_numbers(s + 1, n, COUNT) ||
            strcmp(name, "lo") == 0)
            continue;
        const uint64_t of[] = {n[IN],          n[OUT],       n[IN_PACKETS],
                               n[OUT_PACKETS], n[IN_ERRORS], n[OUT_ERRORS]};
        add_line(name, of, sizeof of / sizeof *of, out);
        lines++;
    }
    return lines > 0;
}

/* --- memory --- */

static uint64_t read_bytes(const char *text, const char *key)
{
    uint64_t kb = 0;
    scan_key(text, key, &kb);
    return times(kb, 1024) >> 2; /* four of them can be added */
}

static void add_bytes(const char *name, uint64_t bytes, struct buf *out)
{
    add_line(name, &bytes, 1, out);
}

bool usage_memstat(const char *text, struct buf *out)
{
    struct meminfo m;
    if (!meminfo_parse(text, &m))
        return false;
    uint64_t cached = read_bytes(text, "Buffers:") + read_bytes(text, "Cached:") +
                      read_bytes(text, "SReclaimable:"),
             shared = read_bytes(text, "Shmem:");
    add_bytes("total", times(m.total_kb, 1024), out);
    add_bytes("available", times(m.available_kb, 1024), out);
    add_bytes("free", read_bytes(text, "MemFree:") << 2, out);
    add_bytes("cached", (cached > shared ? cached - shared : 0) << 2, out);
    return true;
}

/* --- pressure --- */

static bool read_total(const char *text, const char *key, uint64_t *us)
{
    const char *s = scan_after(text, key), *end = s ? strchrnul(s, '\n') : NULL;
    const char *total = s ? strstr(s, "total=") : NULL;
    if (!total || total > end)
        return false;
    total += strlen("total=");
    return scan_u64(&total, us);
}

bool usage_pressure(const char *name, const char *text, struct buf *out)
{
    uint64_t us[2] = {0, 0};
    if (!read_total(text, "some ", &us[0]))
        return false;
    read_total(text, "full ", &us[1]);
    add_line(name, us, 2, out);
    return true;
}
