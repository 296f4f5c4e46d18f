#include "plat/probe.h"

#include "core/doctor/facts.h"
#include "cpu/clock_cost.h"
#include "parts.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

static void limit_text(rlim_t v, char out[24])
{
    if (v == RLIM_INFINITY)
        snprintf(out, 24, "unlimited");
    else
        snprintf(out, 24, "%llu", (unsigned long long)v);
}

static void add_limit(struct facts *out, const char *key, int which)
{
    struct rlimit r;
    char soft[24], hard[24];
    if (getrlimit(which, &r) < 0)
        return;
    limit_text(r.rlim_cur, soft);
    limit_text(r.rlim_max, hard);
    facts_addf(out, key, "%s %s", soft, hard);
}

int probe_run(struct facts *out)
{
    struct utsname u;
    uname(&u);
    facts_addf(out, "release", "%s", u.release);
    facts_addf(out, "machine", "%s", u.machine);
    facts_addf(out, "uid", "%u", (unsigned)geteuid());
    facts_addf(out, "cpus", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    facts_addf(out, "page_bytes", "%ld", sysconf(_SC_PAGESIZE));
    add_limit(out, "nofile", RLIMIT_NOFILE);
    add_limit(out, "memlock", RLIMIT_MEMLOCK);
    facts_addf(out, "clock.libc_ns", "%.1f", clock_cost_ns(clock_by_libc));
    facts_addf(out, "clock.syscall_ns", "%.1f", clock_cost_ns(clock_by_syscall));
    probe_files(out, u.release);
    probe_perf(out);
    probe_attempts(out);
    probe_tracefs(out);
    return facts_error(out);
}
