#include "stat.h"

#include "sys.h"

#include "core/procfs/cpu_stat.h"
#include "core/procfs/disk_stat.h"
#include "core/procfs/meminfo.h"
#include "core/procfs/net_dev.h"
#include "core/procfs/pressure.h"
#include "plat/cpustat.h"
#include "plat/sysfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LINES = 1024 };

/* A file of /proc. option: what a kernel without it was built without. */
static int read_proc(const char *path, const char *option, struct buf *out, struct fail *f)
{
    int r = sysfile_text(path, out, f);
    if (r < 0 && !dev_is_unknown("/proc", "proc", f) && r == -ENOENT) {
        fail_set(f, 0, "no %s", path);
        fail_hint(f, "kernel option %s", option);
    }
    return r;
}

static void add_row(const char *name, const uint64_t *n, size_t count, struct buf *out)
{
    buf_adds(out, name);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, " %" PRIu64, n[i]);
    buf_addc(out, '\n');
}

#define ADD_ROW(name, out, ...)                                                                    \
    add_row(name, (const uint64_t[]){__VA_ARGS__},                                                 \
            sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t), out)

/* --- CPUs --- */

static void add_times(const char *name, const struct cpu_times *t, struct buf *out)
{
    ADD_ROW(name, out, t->user_ms, t->nice_ms, t->system_ms, t->idle_ms, t->iowait_ms, t->irq_ms,
            t->softirq_ms, t->steal_ms);
}

static void add_cpus(const struct cpu_stat *s, struct buf *out)
{
    char name[16];
    add_times("all", &s->total, out);
    for (size_t i = 0; i < s->cpus && i < MAX_LINES; i++) {
        snprintf(name, sizeof name, "%u", (unsigned)s->cpu[i].cpu);
        add_times(name, &s->cpu[i], out);
    }
}

int stat_cpu(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    struct cpu_stat s = {.cpus = 0};
    int r = read_proc("/proc/stat", "CONFIG_PROC_FS=y", &text, f);
    if (r == 0 && (r = cpu_stat_parse(buf_str(&text), cpustat_hz(), &s)) < 0)
        r = fail_set(f, r == -EINVAL ? 0 : -r, "/proc/stat has no CPU lines");
    if (r == 0)
        add_cpus(&s, out);
    cpu_stat_release(&s);
    return r;
}

/* --- disks --- */

/* Partitions, loops, volumes and memory have no device of their own. */
static bool has_device(const char *name)
{
    SCOPED_BUF link = BUF_INIT;
    char path[64 + DISK_NAME_MAX];
    snprintf(path, sizeof path, "/sys/block/%s/device", name);
    int r = sysfile_link(path, &link, NULL);
    return r == 0;
}

static size_t add_disks(const char *text, struct buf *out)
{
    struct disk_stat d;
    size_t lines = 0;
    while (lines < MAX_LINES && disk_stat_next(&text, &d))
        if (has_device(d.name)) {
            ADD_ROW(d.name, out, d.reads, d.writes, d.read_sectors, d.written_sectors, d.busy_ms);
            lines++;
        }
    return lines;
}

int stat_disk(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = read_proc("/proc/diskstats", "CONFIG_BLOCK=y", &text, f);
    if (r == 0 && !add_disks(buf_str(&text), out))
        r = dev_absent_in_sys(f, "no disk in /sys/block");
    return r;
}

/* --- interfaces --- */

static size_t add_interfaces(const char *text, struct buf *out)
{
    struct net_bytes n;
    size_t lines = 0;
    while (lines < MAX_LINES && net_bytes_next(&text, &n))
        if (strcmp(n.name, "lo") != 0) {
            ADD_ROW(n.name, out, n.in, n.out);
            lines++;
        }
    return lines;
}

int stat_net(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = read_proc("/proc/net/dev", "CONFIG_NET=y", &text, f);
    if (r == 0 && !add_interfaces(buf_str(&text), out))
        r = dev_absent(f, "no network interface but lo");
    return r;
}

/* --- memory --- */

int stat_memory(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    struct meminfo m;
    int r = read_proc("/proc/meminfo", "CONFIG_PROC_FS=y", &text, f);
    if (r == 0 && !meminfo_parse(buf_str(&text), &m))
        r = fail_set(f, 0, "/proc/meminfo has no total");
    if (r == 0) {
        ADD_ROW("total", out, m.total_kb << 10);
        ADD_ROW("available", out, m.available_kb << 10);
        ADD_ROW("programs", out, m.programs_kb << 10);
        ADD_ROW("cached", out, m.cached_kb << 10);
        ADD_ROW("kernel", out, m.kernel_kb << 10);
        ADD_ROW("free", out, m.free_kb << 10);
    }
    return r;
}

/* --- pressure --- */

static int add_pressure(const char *name, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    struct pressure p;
    char path[32];
    snprintf(path, sizeof path, "/proc/pressure/%s", name);
    int r = read_proc(path, "CONFIG_PSI=y, and psi=1 on its command line", &text, f);
    if (r == 0 && !pressure_parse(buf_str(&text), &p))
        r = fail_set(f, 0, "%s: unknown format", path);
    if (r == 0)
        ADD_ROW(name, out, p.some_us, p.full_us);
    return r;
}

int stat_pressure(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    int r = add_pressure("cpu", out, f);
    r = r == 0 ? add_pressure("memory", out, f) : r;
    return r == 0 ? add_pressure("io", out, f) : r;
}
