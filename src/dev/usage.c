#include "usage.h"

#include "absent.h"

#include "core/procfs/usage_text.h"
#include "plat/cpustat.h"
#include "plat/sysfile.h"

#include <errno.h>
#include <stdio.h>

/* A file of /proc. */
static int read_proc(const char *path, struct buf *out, struct fail *f)
{
    int r = sysfile_text(path, out, f);
    if (r < 0)
        dev_is_unknown("/proc", "proc", f);
    return r;
}

int usage_cpustat_text(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    struct buf text = BUF_INIT;
    (void)device;
    (void)directory;
    int r = read_proc("/proc/stat", &text, f);
    if (r == 0)
        r = usage_cpustat(buf_str(&text), cpustat_hz(), out);
    if (r == -EINVAL)
        r = fail_set(f, 0, "/proc/stat has no CPU lines");
    buf_release(&text);
    return r;
}

/* A disk has hardware behind it; partitions, loops, volumes and memory have none. */
static bool is_disk(const char *name)
{
    struct buf names = BUF_INIT;
    char path[64 + USAGE_NAME_MAX];
    snprintf(path, sizeof path, "/sys/block/%s/device", name);
    int r = sysfile_names(path, 1, &names, NULL);
    buf_release(&names);
    return r >= 0;
}

int usage_diskstat_text(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    struct buf text = BUF_INIT;
    (void)device;
    (void)directory;
    int r = read_proc("/proc/diskstats", &text, f);
    if (r == 0 && !usage_diskstat(buf_str(&text), is_disk, out))
        r = dev_absent_in_sys(f, "no disk in /sys/block");
    buf_release(&text);
    return r;
}

int usage_netstat_text(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    struct buf text = BUF_INIT;
    (void)device;
    (void)directory;
    int r = read_proc("/proc/net/dev", &text, f);
    if (r == 0 && !usage_netstat(buf_str(&text), out))
        r = dev_absent(f, "no network interface but lo");
    buf_release(&text);
    return r;
}

int usage_memstat_text(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    struct buf text = BUF_INIT;
    (void)device;
    (void)directory;
    int r = read_proc("/proc/meminfo", &text, f);
    if (r == 0 && !usage_memstat(buf_str(&text), out))
        r = fail_set(f, 0, "/proc/meminfo has no total");
    buf_release(&text);
    return r;
}

int usage_pressure_text(void *device, uint64_t directory, struct buf *out, struct fail *f)
{
    static const char *const names[] = {"cpu", "memory", "io"};
    char path[32];
    int r = 0;
    (void)device;
    (void)directory;
    for (size_t i = 0; r == 0 && i < sizeof names / sizeof *names; i++) {
        struct buf text = BUF_INIT;
        snprintf(path, sizeof path, "/proc/pressure/%s", names[i]);
        r = sysfile_text(path, &text, f);
        if (r == 0 && !usage_pressure(names[i], buf_str(&text), out))
            r = fail_set(f, 0, "%s: unknown format", path);
        buf_release(&text);
    }
    if (r == -ENOENT || r == -EOPNOTSUPP)
        fail_hint(f, "it needs a kernel with CONFIG_PSI, and perhaps psi=1 on its command line");
    return r;
}
