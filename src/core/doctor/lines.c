/* The system in lines: what it is, then what it offers. */
#include "core/doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_or_unknown(const struct machine *m, const char *key)
{
    const char *t = facts_text(m->facts, key);
    return t ? t : "?";
}

static struct finding line_kernel(const struct machine *m)
{
    const char *cpus = text_or_unknown(m, "cpus");
    return found("%s %s, %s CPU%s, pages of %s bytes", text_or_unknown(m, "release"),
                 text_or_unknown(m, "machine"), cpus, strcmp(cpus, "1") == 0 ? "" : "s",
                 text_or_unknown(m, "page_bytes"));
}

static const struct {
    int bit;
    const char *name;
} caps[] = {{19, "SYS_PTRACE"}, {21, "SYS_ADMIN"}, {34, "SYSLOG"}, {38, "PERFMON"}, {39, "BPF"}};

static struct finding line_user(const struct machine *m)
{
    char hex[32] = "0", names[80] = "";
    size_t at = 0, n = sizeof caps / sizeof caps[0];
    facts_line(m->facts, "status", "CapEff:", hex, sizeof hex);
    unsigned long long have = strtoull(hex, NULL, 16);
    for (size_t i = 0; i < n; i++)
        if (have >> caps[i].bit & 1)
            at += (size_t)snprintf(names + at, sizeof names - at, " %s", caps[i].name);
    if (!facts_text(m->facts, "status"))
        return found("uid %s", text_or_unknown(m, "uid"));
    return found("uid %s, %s%s", text_or_unknown(m, "uid"), at ? "capabilities" : "no capability",
                 names);
}

static void hz_text(double hz, char *out, size_t size)
{
    if (hz >= 1e9)
        snprintf(out, size, " %.3f GHz", hz / 1e9);
    else
        snprintf(out, size, " %.4g MHz", hz / 1e6);
}

static int decimals_of(double ns)
{
    return ns < 100 ? 1 : 0;
}

static struct finding line_counter(const struct machine *m)
{
    char hz[32] = "";
    const char *name = text_or_unknown(m, "counter.name");
    double step = facts_double(m->facts, "counter.resolution_ns", 0);
    double cost = facts_double(m->facts, "counter.cost_ns", 0);
    bool steady = facts_double(m->facts, "counter.steady", 1) != 0;
    /* A clock reads in nanoseconds: its rate says nothing. */
    if (!strstr(name, "clock"))
        hz_text(facts_double(m->facts, "counter.hz", 0), hz, sizeof hz);
    return found("%s%s%s, resolution %.*f ns, %.*f ns per read", name, hz,
                 steady ? "" : " (varies)", decimals_of(step), step, decimals_of(cost), cost);
}

static struct finding line_clock(const struct machine *m)
{
    double libc = facts_double(m->facts, "clock.libc_ns", 0);
    double call = facts_double(m->facts, "clock.syscall_ns", 0);
    /* The vDSO saves at least the system call's entry, most of its cost. */
    bool vdso = libc < 0.7 * call;
    return found("clock_gettime %s, %.*f ns (as a system call %.*f ns)",
                 vdso ? "in the vDSO" : "is a system call", decimals_of(libc), libc,
                 decimals_of(call), call);
}

static struct finding line_perf(const struct machine *m)
{
    if (facts_err(m->facts, "perf_event_paranoid") < 0)
        return find_perf_user(m);
    return found("perf_event_paranoid %s, up to %s samples/s, rings of %s KB",
                 text_or_unknown(m, "perf_event_paranoid"),
                 text_or_unknown(m, "perf_event_max_sample_rate"),
                 text_or_unknown(m, "perf_event_mlock_kb"));
}

/* The remedy is printed with the applets that need it. */
static struct finding line_pmu(const struct machine *m)
{
    return with(find_pmu(m), "%s", "");
}

static struct finding line_limits(const struct machine *m)
{
    return found("open files %s, locked bytes %s (soft hard)", text_or_unknown(m, "nofile"),
                 text_or_unknown(m, "memlock"));
}

static struct finding line_config(const struct machine *m)
{
    if (m->config.text.len)
        return found("%s", text_or_unknown(m, "config.path"));
    return lacking("not readable: kernel options are guessed");
}

const struct doctor_line doctor_lines[] = {
    {"/proc", false, find_procfs},
    {"/sys", false, find_sysfs},
    {"kernel", true, line_kernel},
    {"user", true, line_user},
    {"counter", true, line_counter},
    {"clock", false, line_clock},
    {"perf", true, line_perf},
    {"PMU", true, line_pmu},
    {"kallsyms", false, find_kernel_names},
    {"tracefs", false, find_tracefs},
    {"functions", false, find_function_graph},
    {"kprobes", false, find_kprobes},
    {"sched", false, find_sched_events},
    {"syscalls", false, find_syscall_events},
    {"ptrace", false, find_ptrace},
    {"sockets", false, find_sockets},
    {"FUSE", false, find_fuse},
    {"9P", false, find_9p},
    {"userns", false, find_userns},
    {"seccomp", false, find_seccomp},
    {"lockdown", false, find_lockdown},
    {"limits", false, line_limits},
    {"config", false, line_config},
    {NULL, false, NULL},
};
