#include "perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
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
    FILE *in = fopen(path, "re");
    long v;
    if (!in)
        return absent;
    if (fscanf(in, "%ld", &v) != 1)
        v = absent;
    fclose(in);
    return v;
}

/* "0-3,5": ranges of numbers. */
static int parse_cpus(FILE *in, int *cpu, int max_cpus)
{
    int n = 0, from, to;
    char sign;
    while (n < max_cpus && fscanf(in, "%d", &from) == 1) {
        to = from;
        if (fscanf(in, "%c", &sign) == 1 && sign == '-') {
            if (fscanf(in, "%d", &to) != 1)
                break;
            if (fscanf(in, "%c", &sign) != 1)
                sign = '\n';
        }
        for (int c = from; c <= to && n < max_cpus; c++)
            cpu[n++] = c;
    }
    return n;
}

int perf_cpus(int **out)
{
    long max_cpus = sysconf(_SC_NPROCESSORS_CONF);
    if (max_cpus < 1)
        max_cpus = 1;
    int *cpu = malloc((size_t)max_cpus * sizeof *cpu);
    if (!cpu)
        return -ENOMEM;
    FILE *in = fopen("/sys/devices/system/cpu/online", "re");
    int n = in ? parse_cpus(in, cpu, (int)max_cpus) : 0;
    if (in)
        fclose(in);
    if (n == 0) /* no sysfs: as many as are online, from 0 */
        for (long on = sysconf(_SC_NPROCESSORS_ONLN); n < on && n < max_cpus; n++)
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
