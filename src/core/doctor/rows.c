/* What each applet needs from the system. */
#include "core/doctor/doctor.h"

void ability(struct verdict *v, enum ability_kind kind, const char *label, struct finding f)
{
    if (v->n < ABILITIES)
        v->ability[v->n++] = (struct ability){label, kind, f};
}

const char *verdict_word(const struct verdict *v)
{
    const char *word = "yes";
    for (size_t i = 0; i < v->n; i++) {
        if (v->ability[i].found.ok)
            continue;
        if (v->ability[i].kind == NEEDED)
            return "no";
        word = "partly";
    }
    return word;
}

static struct finding clear_how(struct finding f)
{
    f.how[0] = '\0';
    return f;
}

/* What brings all CPUs brings the kernel, too: one remedy for both. */
static struct finding perf_kernel(const struct machine *m)
{
    struct finding kernel = find_perf_kernel(m), all = find_perf_all(m);
    return kernel.ok || all.ok ? kernel : all;
}

static struct finding kernel_everywhere(const struct machine *m)
{
    struct finding all = find_perf_all(m), kernel = find_perf_kernel(m);
    return !all.ok ? all : !kernel.ok ? kernel : find_kernel_names(m);
}

static void judge_time(const struct machine *m, struct verdict *v)
{
    ability(v, NEEDED, "times, memory, faults", found("%s", ""));
    ability(v, EXTRA, "software events", clear_how(find_perf_user(m)));
    ability(v, EXTRA, "hardware counters", find_cycles(m));
}

static void judge_tprof(const struct machine *m, struct verdict *v)
{
    struct finding own = find_sampling(m), perf = find_perf_user(m);
    ability(v, NEEDED, "own programs", own);
    if (own.ok && !perf.ok)
        ability(v, EXTRA, "perf events", perf);
    ability(v, EXTRA, "processes of others", find_sampling_others(m));
    ability(v, EXTRA, "everything (-a)", clear_how(find_perf_all(m)));
    ability(v, EXTRA, "the kernel (-k)", clear_how(perf_kernel(m)));
}

static void judge_kprof(const struct machine *m, struct verdict *v)
{
    ability(v, NEEDED, "reading a histogram", found("%s", ""));
    ability(v, EXTRA, "sampling the kernel", clear_how(kernel_everywhere(m)));
}

static void judge_sym(const struct machine *m, struct verdict *v)
{
    ability(v, NEEDED, "files, own processes", found("%s", ""));
    ability(v, EXTRA, "the kernel (-k)", clear_how(find_kernel_names(m)));
}

static void judge_ns(const struct machine *m, struct verdict *v)
{
    ability(v, NEEDED, "the machine's files", found("%s", ""));
    ability(v, EXTRA, "system calls", clear_how(find_syscall_counts(m)));
    ability(v, EXTRA, "TLB misses", clear_how(find_tlb_misses(m)));
}

/* The tracer and the servers of files look up paths in /proc. */
static struct finding with_proc(const struct machine *m, struct finding f)
{
    return find_procfs(m).ok ? f : lacking("it needs /proc");
}

/* The servers of files pass descriptors by a socket. */
static struct finding with_unix(const struct machine *m, struct finding f)
{
    struct finding local = find_unix(m);
    return local.ok ? with_proc(m, f) : local;
}

/* Root needs a mount namespace alone, which also a chroot allows. */
static struct finding messages_fuse(const struct machine *m)
{
    int64_t uid = 1;
    struct finding fuse = with_unix(m, find_fuse(m));
    facts_i64(m->facts, "uid", &uid);
    return fuse.ok && uid != 0 ? find_userns(m) : fuse;
}

static struct finding messages_9p(const struct machine *m)
{
    int64_t uid = 0;
    struct finding v9fs = with_unix(m, find_9p(m));
    facts_i64(m->facts, "uid", &uid);
    return v9fs.ok && uid != 0 ? with(lacking("needs root"), "run as root") : v9fs;
}

static void judge_iostats(const struct machine *m, struct verdict *v)
{
    ability(v, NEEDED, "calls (-b ptrace)", clear_how(with_proc(m, find_ptrace(m))));
    ability(v, EXTRA, "messages (-b 9p)", clear_how(messages_9p(m)));
    ability(v, EXTRA, "messages (-b fuse)", clear_how(messages_fuse(m)));
}

/* Both ways are root's in most kernels; perf's needs the formats in tracefs, too. */
static struct finding scheduler_traced(const struct machine *m)
{
    struct finding own = find_tracefs(m), events = find_sched_events(m), all = find_perf_all(m);
    if (!own.ok && events.ok && all.ok)
        return found("perf tracepoints");
    return own.ok ? events : own;
}

static void judge_trace(const struct machine *m, struct verdict *v)
{
    struct finding own = find_tracefs(m);
    ability(v, NEEDED, "reading a recording", found("%s", ""));
    ability(v, EXTRA, "scheduler", scheduler_traced(m));
    ability(v, EXTRA, "marks", clear_how(own));
    ability(v, EXTRA, "--calls", clear_how(own.ok ? find_syscall_events(m) : scheduler_traced(m)));
    ability(v, EXTRA, "--functions", clear_how(find_kprobes(m)));
}

static void judge_topo(const struct machine *m, struct verdict *v)
{
    struct finding own = find_tracefs(m), graph = find_function_graph(m), probes = find_kprobes(m);
    ability(v, NEEDED, "drawing", found("%s", ""));
    ability(v, EXTRA, "collecting",
            clear_how(!own.ok                  ? own
                      : graph.ok || !probes.ok ? graph
                                               : found("kprobes")));
}

static void judge_bind(const struct machine *m, struct verdict *v)
{
    ability(v, NEEDED, "files at a directory", clear_how(find_fuse(m)));
}

const struct doctor_row doctor_rows[] = {
    {"time", judge_time},   {"tprof", judge_tprof},
    {"kprof", judge_kprof}, {"iostats", judge_iostats},
    {"trace", judge_trace}, {"topo", judge_topo},
    {"sym", judge_sym},     {"ns", judge_ns},
    {"bind", judge_bind},   {NULL, NULL},
};
