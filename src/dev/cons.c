/*
 * #c, what cons(3) tells of the machine:
 *   sysstat   sysstat.h
 *   swap      /proc/meminfo
 *   cputime   of this process: /proc/self/stat
 *   time      the clocks
 *   sysname   the machine's name
 *   battery   a line a battery: percent left, seconds left (-1: not known); /sys/class/power_supply
 *   cputemp   temperature.c
 *   absent    ours: what of these this machine cannot tell, and why
 *   cpustat diskstat memstat netstat pressure    ours: stat.h
 */
#include "dev.h"

#include "core/procfs/plan9_text.h"
#include "core/procfs/power_supply.h"
#include "plat/clock.h"
#include "plat/cpustat.h"
#include "plat/host.h"
#include "plat/sysfile.h"
#include "stat.h"
#include "sys.h"
#include "sysstat.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SUPPLIES = 64 };

struct cons {
    struct sysstat sysstat;
};

static int sysstat(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    return sysstat_text(&((struct cons *)device)->sysstat, out, f);
}

static int show_swap(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    struct meminfo m;
    int r = sysfile_text("/proc/meminfo", &text, f);
    if (r < 0)
        dev_is_unknown("/proc", "proc", f);
    if (r == 0 && !meminfo_parse(buf_str(&text), &m))
        r = fail_set(f, 0, "/proc/meminfo has no total");
    if (r == 0)
        dev_swap(&m, sysfile_page_bytes(), out);
    return r;
}

static int show_cputime(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    struct pid_status p;
    uint64_t hz = cpustat_hz(), now = sys_uptime_ticks(hz);
    int r = sysfile_text("/proc/self/stat", &text, f);
    if (r == 0 && (!pid_status_parse(buf_str(&text), &p) || !hz))
        r = fail_set(f, 0, "/proc/self/stat: unknown format");
    if (r == 0) {
        uint64_t lives = now > p.start_ticks ? now - p.start_ticks : 0;
        uint64_t ms[] = {p.user_ticks, p.sys_ticks, lives, p.child_user, p.child_sys};
        for (size_t i = 0; i < 5; i++)
            ms[i] = ms[i] * 1000 / hz;
        dev_cputime(ms, out);
    }
    return r;
}

static int show_time(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    dev_time(clock_real_ns(), clock_mono_ns(), out);
    return 0;
}

static int show_sysname(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    struct host host;
    host_describe(&host);
    buf_adds(out, host.name);
    return 0;
}

static void add_battery(const char *name, struct buf *out)
{
    SCOPED_BUF text = BUF_INIT;
    struct power_supply p;
    char path[512];
    snprintf(path, sizeof path, "/sys/class/power_supply/%s/uevent", name);
    if (sysfile_text(path, &text, NULL) == 0 && power_supply_parse(buf_str(&text), &p))
        buf_printf(out, "%u %lld\n", p.left_pct, (long long)p.left_s);
}

static int show_battery(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    SCOPED_BUF names = BUF_INIT;
    size_t before = out->len;
    sysfile_names("/sys/class/power_supply", MAX_SUPPLIES, &names, NULL);
    for (size_t at = 0; at < names.len; at += strlen(names.data + at) + 1)
        add_battery(names.data + at, out);
    return out->len > before ? 0 : dev_absent_in_sys(f, "no battery in /sys/class/power_supply");
}

/* A file that cannot be had. */
static void add_why_absent(const char *name,
                           int (*text)(void *, uint64_t, struct buf *, struct fail *), void *device,
                           struct buf *out)
{
    SCOPED_BUF unused = BUF_INIT;
    struct fail f;
    if (text(device, 0, &unused, &f) < 0)
        buf_printf(out, "%s: %s%s%s\n", name, f.what, f.hint[0] ? "; " : "", f.hint);
}

static int show_absent(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    int r = sysstat_absent(&((struct cons *)device)->sysstat, out, f);
    add_why_absent("battery", show_battery, device, out);
    add_why_absent("cputemp", stat_temperature, device, out);
    add_why_absent("diskstat", stat_disk, device, out);
    add_why_absent("netstat", stat_net, device, out);
    add_why_absent("pressure", stat_pressure, device, out);
    return r;
}

static void free_cons(void *device)
{
    sysstat_release(&((struct cons *)device)->sysstat);
}

static const struct dev_file files[] = {
    {.name = "absent", .mode = 0444, .text = show_absent},
    {.name = "battery", .mode = 0444, .text = show_battery},
    {.name = "cpustat", .mode = 0444, .text = stat_cpu},
    {.name = "cputemp", .mode = 0444, .text = stat_temperature},
    {.name = "cputime", .mode = 0444, .text = show_cputime},
    {.name = "diskstat", .mode = 0444, .text = stat_disk},
    {.name = "memstat", .mode = 0444, .text = stat_memory},
    {.name = "netstat", .mode = 0444, .text = stat_net},
    {.name = "pressure", .mode = 0444, .text = stat_pressure},
    {.name = "swap", .mode = 0444, .text = show_swap},
    {.name = "sysname", .mode = 0444, .text = show_sysname},
    {.name = "sysstat", .mode = 0444, .text = sysstat},
    {.name = "time", .mode = 0444, .text = show_time},
    {.name = NULL},
};
static const char *const names[] = {"#c", "/dev", "/mnt/apm/battery=battery", NULL};

const struct dev dev_cons = {
    .names = names, .files = files, .bytes = sizeof(struct cons), .end = free_cons};
