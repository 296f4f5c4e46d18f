#include "core/doctor/finding.h"

#include <errno.h>
#include <string.h>

static struct finding root_only(void)
{
    struct finding f = with(lacking("needs root"), "run as root");
    f.privilege = true;
    return f;
}

/* The folder to mount it at is one of sysfs, where there is that. */
static struct finding below_sysfs(struct finding f, struct finding sys)
{
    if (strncmp(sys.remedy, "mkdir", 5) == 0)
        return with(f, "%s && mount -t tracefs tracefs /sys/kernel/tracing", sys.remedy);
    return with(f, "mkdir -p /tracing && mount -t tracefs tracefs /tracing");
}

/* A container's root, too, may be refused. */
static struct finding not_mounted(const struct machine *m)
{
    int64_t uid = 0;
    facts_i64(m->facts, "uid", &uid);
    struct finding f = with(lacking("tracefs is not mounted, and mounting is not permitted"),
                            uid ? "run as root" : "mount -t tracefs tracefs /sys/kernel/tracing");
    struct finding sys = find_sysfs(m);
    f.privilege = uid != 0;
    return uid || sys.ok ? f : below_sysfs(f, sys);
}

/* The mount itself, and that its files can be reached. */
static struct finding find_mount(const struct machine *m)
{
    const char *at = facts_text(m->facts, "tracefs");
    if (!find_procfs(m).ok) /* psuite finds it by /proc, mounted or not */
        return unknown_without("/proc");
    if (!at && facts_word(m->facts, "filesystems", "tracefs"))
        return not_mounted(m);
    if (!at)
        return lacking_option(m, "FTRACE", NULL);
    if (facts_err(m->facts, "tracefs.tracers") == -EACCES)
        return root_only();
    return strcmp(at, "private") == 0 ? found("not mounted; psuite uses a private mount")
                                      : found("%s", at);
}

/* how: NULL tells where tracefs is. */
static struct finding find_part(const struct machine *m, const char *key, const char *option,
                                const char *how)
{
    struct finding f = find_mount(m);
    int err = facts_err(m->facts, key);
    if (!f.ok || err == 0)
        return f.ok && how ? found("%s", how) : f;
    return err == -EACCES || err == -EPERM ? root_only() : lacking_option(m, option, NULL);
}

struct finding find_tracefs(const struct machine *m)
{
    return find_part(m, "tracefs.instances", "TRACING", NULL);
}

struct finding find_function_graph(const struct machine *m)
{
    struct finding f = find_mount(m);
    if (f.ok && facts_word(m->facts, "tracefs.tracers", "function_graph"))
        return found("tracer function_graph");
    return f.ok ? lacking_option(m, "FUNCTION_GRAPH_TRACER", NULL) : f;
}

struct finding find_kprobes(const struct machine *m)
{
    return find_part(m, "tracefs.kprobes", "KPROBE_EVENTS", "kprobe_events is writable");
}

struct finding find_sched_events(const struct machine *m)
{
    return find_part(m, "tracefs.sched", "FTRACE", "events sched:*");
}

struct finding find_syscall_events(const struct machine *m)
{
    return find_part(m, "tracefs.syscalls", "FTRACE_SYSCALLS", "events raw_syscalls:*");
}

struct finding find_syscall_counts(const struct machine *m)
{
    struct finding all = find_perf_all(m);
    return all.ok ? find_syscall_events(m) : all;
}
