#include "core/doctor/finding.h"

#include "core/base/buf.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { CAP_SYS_PTRACE = 19 };

/* Up to these values of perf_event_paranoid the unprivileged may ... */
enum { ALLOWS_CPUS = 0, ALLOWS_KERNEL = 1, ALLOWS_USER = 2, ALLOWS_OTHERS = -2 };

static struct finding only_root(struct finding f)
{
    f.privilege = true;
    return f;
}

static bool seccomp_filtered(const struct machine *m)
{
    char mode[8] = "0";
    facts_line(m->facts, "status", "Seccomp:", mode, sizeof mode);
    return mode[0] == '2';
}

static struct finding explain_seccomp(void)
{
    return with(lacking("refused by seccomp"), "docker run --security-opt seccomp=unconfined");
}

/* EACCES or EPERM: several things refuse, the likeliest first. */
static struct finding explain_refusal(const struct machine *m, int64_t level)
{
    int64_t paranoid = -1;
    bool known = facts_i64(m->facts, "perf_event_paranoid", &paranoid);
    bool setting = known && level > ALLOWS_OTHERS && paranoid > level;
    if (!(setting && !machine_privileged(m))) {
        if (seccomp_filtered(m))
            return explain_seccomp();
        const char *lockdown = facts_text(m->facts, "lockdown");
        if (lockdown && strstr(lockdown, "[confidentiality]"))
            return with(lacking("the kernel is locked down"), "boot with lockdown=integrity");
    }
    if (setting)
        return only_root(with(lacking("perf_event_paranoid is %" PRId64, paranoid),
                              "sysctl kernel.perf_event_paranoid=%" PRId64, level));
    return only_root(with(lacking("not permitted"), "run as root"));
}

static struct finding no_perf(const struct machine *m)
{
    if (facts_err(m->facts, "perf_event_paranoid") == 0)
        return seccomp_filtered(m) ? explain_seccomp()
                                   : lacking("perf_event_open: %s", strerror(ENOSYS));
    return with(lacking("no perf events"), "kernel option CONFIG_PERF_EVENTS=y");
}

static struct finding perf_attempt(const struct machine *m, const char *key, int64_t level)
{
    int err = facts_err(m->facts, key);
    if (err == 0)
        return found("%s", "");
    if (err == -ENOSYS)
        return no_perf(m);
    if (err == -EACCES || err == -EPERM)
        return explain_refusal(m, level);
    if (err == -ENODATA)
        return lacking("not known");
    return lacking("perf_event_open: %s", strerror(-err));
}

static struct finding no_ring(const struct machine *m, int err)
{
    if (err != -EPERM && err != -ENOMEM)
        return lacking("mapping perf's ring: %s", strerror(-err));
    int64_t kb = 0;
    facts_i64(m->facts, "perf_event_mlock_kb", &kb);
    return with(lacking("perf_event_mlock_kb is %" PRId64 ": too small for a ring buffer", kb),
                "sysctl kernel.perf_event_mlock_kb=516");
}

struct finding find_perf_user(const struct machine *m)
{
    struct finding f = perf_attempt(m, "perf.user", ALLOWS_USER);
    if (!f.ok)
        return f;
    int err = facts_err(m->facts, "perf.ring");
    return err < 0 ? no_ring(m, err) : found("perf cpu-clock");
}

static struct finding find_perf_others(const struct machine *m)
{
    return perf_attempt(m, "perf.other", ALLOWS_OTHERS);
}

struct finding find_sampling(const struct machine *m)
{
    struct finding perf = find_perf_user(m), ptrace = find_ptrace(m), proc = find_procfs(m);
    return perf.ok || !ptrace.ok || !proc.ok ? perf : found("ptrace");
}

struct finding find_sampling_others(const struct machine *m)
{
    struct finding perf = find_perf_others(m), own = find_sampling(m);
    bool by_ptrace = !perf.ok && find_ptrace(m).ok && machine_has_capability(m, CAP_SYS_PTRACE);
    return by_ptrace && own.ok ? found("ptrace") : perf;
}

struct finding find_perf_kernel(const struct machine *m)
{
    return perf_attempt(m, "perf.kernel", ALLOWS_KERNEL);
}

struct finding find_perf_all(const struct machine *m)
{
    return perf_attempt(m, "perf.all", ALLOWS_CPUS);
}

static bool is_arm(const struct machine *m)
{
    const char *machine = facts_text(m->facts, "machine");
    return machine && (strncmp(machine, "arm", 3) == 0 || strcmp(machine, "aarch64") == 0);
}

static struct finding no_pmu(const struct machine *m)
{
    if (is_arm(m) && kconfig_get(&m->config, "HW_PERF_EVENTS") == 'n')
        return lacking_option(m, "HW_PERF_EVENTS", NULL);
    if (facts_word(m->facts, "cpuinfo", "hypervisor"))
        return with(lacking("the hypervisor offers no PMU"),
                    "on the host: a virtual PMU (QEMU/KVM: -cpu host,pmu=on)");
    if (is_arm(m) && facts_err(m->facts, "devicetree") == 0)
        return with(lacking("no PMU in the device tree, or no driver"),
                    "describe it in the device tree (a node pmu)");
    return lacking("no PMU found");
}

static bool is_absent(int err)
{
    return err == -ENOENT || err == -EOPNOTSUPP || err == -ENODEV || err == -ENXIO;
}

static bool is_counting(const struct machine *m, const char *key)
{
    int64_t n;
    return facts_i64(m->facts, key, &n) && n > 0;
}

struct finding find_cycles(const struct machine *m)
{
    int err = facts_err(m->facts, "perf.cycles");
    bool cycles = is_counting(m, "perf.cycles"), instructions = is_counting(m, "perf.instructions");
    if (cycles || instructions)
        return found("%s", cycles && instructions ? "cycles, instructions"
                           : cycles               ? "cycles only"
                                                  : "instructions only");
    if (err == 0)
        return lacking("cycles open but stay at 0");
    return is_absent(err) ? no_pmu(m) : perf_attempt(m, "perf.cycles", ALLOWS_USER);
}

struct finding find_tlb_misses(const struct machine *m)
{
    struct finding cycles = find_cycles(m), all = find_perf_all(m);
    if (!all.ok)
        return all;
    if (facts_err(m->facts, "perf.tlb_misses") == 0)
        return found("dTLB-load-misses");
    return cycles.ok ? lacking("this PMU does not count them") : cycles;
}

static bool is_cpu_pmu(const char *name, size_t len)
{
    static const char *const heads[] = {"armv", "arm_v", "apple_", "cpu_"};
    if (len == 3 && strncmp(name, "cpu", 3) == 0)
        return true;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (strncmp(name, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

static void cpu_pmus(const char *names, struct buf *out)
{
    size_t len;
    for (const char *s = names; s && *s; s += len + (s[len] == ' ')) {
        len = strcspn(s, " ");
        if (is_cpu_pmu(s, len))
            buf_printf(out, "%s%.*s", out->len ? ", " : "", (int)len, s);
    }
}

struct finding find_pmu(const struct machine *m)
{
    SCOPED_BUF names = BUF_INIT;
    struct finding cycles = find_cycles(m), f = cycles;
    cpu_pmus(facts_text(m->facts, "pmus"), &names);
    if (names.len && cycles.ok)
        f = found("%s: %s", buf_str(&names), cycles.how);
    else if (names.len)
        f = with(lacking("%s: %s", buf_str(&names), cycles.why), "%s", cycles.remedy);
    return f;
}

/* All addresses of the lines read are zeros. The last line may be cut anywhere. */
static bool is_hidden(const char *kallsyms)
{
    for (const char *s = kallsyms; *s; s += strcspn(s, "\n"), s += *s == '\n') {
        char end = s[strspn(s, "0")];
        if (end != ' ' && end != '\0')
            return false;
    }
    return true;
}

struct finding find_kernel_names(const struct machine *m)
{
    const char *text = facts_text(m->facts, "kallsyms");
    if (!find_procfs(m).ok)
        return unknown_without("/proc");
    if (!text || !*text)
        return lacking_option(m, "KALLSYMS", NULL);
    if (!is_hidden(text))
        return found("addresses readable");
    int64_t restricted = 0, paranoid = 0;
    facts_i64(m->facts, "kptr_restrict", &restricted);
    facts_i64(m->facts, "perf_event_paranoid", &paranoid);
    bool both = restricted > 0 && paranoid > ALLOWS_KERNEL;
    struct finding f = restricted > 0 ? lacking("kptr_restrict is %" PRId64, restricted)
                                      : lacking("perf_event_paranoid is %" PRId64, paranoid);
    return only_root(with(f, "sysctl %s%s%s", restricted > 0 ? "kernel.kptr_restrict=0" : "",
                          both ? " " : "",
                          both || restricted <= 0 ? "kernel.perf_event_paranoid=1" : ""));
}
