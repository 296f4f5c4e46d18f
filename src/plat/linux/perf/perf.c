#include "perf.h"

#include "core/base/ranges.h"
#include "event_find.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OTHER_FILES = 64 }; /* besides events */

int perf_open(struct perf_event_attr *attr, int pid, int cpu, int group, unsigned long flags)
{
    return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);
}

static long read_number(const char *path, long absent)
{
    char text[32];
    return event_file(path, text, sizeof text) < 0 ? absent : strtol(text, NULL, 10);
}

int perf_cpus(int **out)
{
    char list[4096];
    long max_cpus = sysconf(_SC_NPROCESSORS_CONF);
    if (max_cpus < 1)
        max_cpus = 1;
    int *cpu = malloc((size_t)max_cpus * sizeof *cpu);
    if (!cpu)
        return -ENOMEM;
    int n = event_file("/sys/devices/system/cpu/online", list, sizeof list);
    if (n == 0)
        n = ranges_parse(list, INT_MAX, cpu, (size_t)max_cpus);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (n < 0) /* no sysfs: as many as are online, from 0 */
        for (n = 0; n < online && n < max_cpus; n++)
            cpu[n] = n;
    *out = cpu;
    return n;
}

size_t perf_raise_descriptors(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) < 0)
        return SIZE_MAX;
    rlim_t soft = r.rlim_cur;
    r.rlim_cur = r.rlim_max;
    if (soft < r.rlim_max && setrlimit(RLIMIT_NOFILE, &r) < 0)
        r.rlim_cur = soft;
    rlim_t others = r.rlim_cur / 2 < OTHER_FILES ? r.rlim_cur / 2 : OTHER_FILES;
    return r.rlim_cur == RLIM_INFINITY ? SIZE_MAX : (size_t)(r.rlim_cur - others);
}

uint64_t perf_max_hz(void)
{
    long v = read_number("/proc/sys/kernel/perf_event_max_sample_rate", 100000);
    return v > 0 ? (uint64_t)v : 1;
}

static const char *paranoid_level_text(int paranoid)
{
    return paranoid <= 0   ? "sampling all processes"
           : paranoid == 1 ? "sampling your own processes in the kernel"
                           : "sampling your own processes";
}

void perf_denied_hint(int max_paranoid, struct fail *f)
{
    long paranoid = read_number("/proc/sys/kernel/perf_event_paranoid", -9);
    if (geteuid() != 0 && paranoid > max_paranoid)
        fail_hint(f,
                  "kernel.perf_event_paranoid is %ld: as root, `sysctl "
                  "kernel.perf_event_paranoid=%d' allows %s",
                  paranoid, max_paranoid, paranoid_level_text(max_paranoid));
    else if (geteuid() != 0)
        fail_hint(f, "only your own processes can be measured; for others, run as root, or with "
                     "CAP_PERFMON and CAP_SYS_PTRACE");
    else
        fail_hint(f, "a container or a security module refuses perf events here");
}
