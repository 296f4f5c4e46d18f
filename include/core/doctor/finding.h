/*
 * finding: what the facts of plat/probe.h mean: a feature works, or the cause why not and the
 * remedy. There is one function per feature; doctor's rows are made of them, and applets may take
 * their hints from them.
 */
#pragma once

#include "core/doctor/facts.h"
#include "core/procfs/kconfig.h"

#include <stdbool.h>

struct machine {
    const struct facts *facts; /* the caller's */
    struct kconfig config;     /* out of the fact `config'; empty when it cannot be read */
};

void machine_init(struct machine *m, const struct facts *facts);
void machine_release(struct machine *m);
bool machine_privileged(const struct machine *m); /* CAP_PERFMON or CAP_SYS_ADMIN */
bool machine_has_capability(const struct machine *m, int bit);
bool machine_since(const struct machine *m, int major, int minor); /* the kernel's release */

struct finding {
    bool ok;
    bool privilege;   /* not ok, and root would have it */
    char how[96];     /* ok: by what or how much; may be empty */
    char why[96];     /* not ok: the cause */
    char remedy[128]; /* not ok: a command, sysctl or kernel option; empty when none is known */
};

struct finding found(const char *how, ...) __attribute__((format(printf, 1, 2)));
struct finding lacking(const char *why, ...) __attribute__((format(printf, 1, 2)));
/* f with its remedy. */
struct finding with(struct finding f, const char *remedy, ...)
    __attribute__((format(printf, 2, 3)));

/* Missing, and only to be had by building a kernel with option (CONFIG_ is added), or by loading
 * module (NULL: it cannot be one): judged by the kernel's configuration and lists of modules, as
 * far as they can be read. */
struct finding lacking_option(const struct machine *m, const char *option, const char *module);

/* What the others are judged by: without it they are unknown. doctor prints its remedy first. */
struct finding find_procfs(const struct machine *m);
struct finding find_sysfs(const struct machine *m);
struct finding unknown_without(const char *mount);

/* perf events */
struct finding find_perf_user(const struct machine *m);   /* counting and sampling what one owns */
struct finding find_perf_kernel(const struct machine *m); /* what the kernel does for them */
struct finding find_perf_all(const struct machine *m);    /* all CPUs, everything on them */
struct finding find_cycles(const struct machine *m);      /* the processor's counters */
struct finding find_tlb_misses(const struct machine *m);  /* on all CPUs */
struct finding find_pmu(const struct machine *m);         /* how: its name in /sys */
struct finding find_sampling(const struct machine *m); /* one's own programs, by perf or ptrace */
struct finding
find_sampling_others(const struct machine *m);             /* processes of other users, likewise */
struct finding find_kernel_names(const struct machine *m); /* kallsyms with addresses */

/* tracing */
struct finding find_tracefs(const struct machine *m); /* with instances of our own */
struct finding find_function_graph(const struct machine *m);
struct finding find_kprobes(const struct machine *m);
struct finding find_sched_events(const struct machine *m);
struct finding find_syscall_events(const struct machine *m);
struct finding find_syscall_counts(const struct machine *m); /* on all CPUs, by perf */

/* the rest */
struct finding find_ptrace(const struct machine *m);
struct finding find_sockets(const struct machine *m); /* unix and IPv4 */
struct finding find_unix(const struct machine *m);
struct finding find_fuse(const struct machine *m);
struct finding find_9p(const struct machine *m);
struct finding find_userns(const struct machine *m);
struct finding find_seccomp(const struct machine *m);
struct finding find_lockdown(const struct machine *m);
