/* The scheduler's events of a workload whose switches are known. */
#include "engine/trace/trace.h"
#include "work.h"

#include <stdio.h>

enum { SLEEPS = 200, SLEEPS_BEFORE = 20 };

struct traced {
    unsigned sleeps;
    uint64_t first_ns, last_ns; /* of them */
    uint64_t lost;
    char method[48];
};

static void count_sleep(void *arg, const struct tracing *t, const struct sched_event *e)
{
    struct traced *out = arg;
    if (e->kind != SCHED_SLEEP || e->pid != t->command.child.pid)
        return;
    if (out->sleeps++ == 0)
        out->first_ns = e->time_ns;
    out->last_ns = e->time_ns;
}

static int trace_sleeps(struct selftest *t, unsigned amount, struct traced *out, struct fail *f)
{
    const char *argv[WORK_ARGUMENTS];
    char text[16];
    SCOPED(tracing_release) struct tracing tracing;
    snprintf(text, sizeof text, "%u", amount);
    work_command(argv, "switches", text, NULL);
    struct tracing_want want = {.command = (char *const *)argv, .event = count_sleep, .arg = out};
    int r = tracing_run(&want, &tracing, f);
    if (r == 0)
        r = tracing_wait(&tracing, f);
    if (tracing.command.interrupted)
        t->report->interrupted = tracing.command.interrupted;
    if (r == 0) {
        out->lost = tracing.lost + tracing.losses;
        snprintf(out->method, sizeof out->method, "%.47s", tracing.method);
    }
    return r;
}

static void judge_sleeps(struct selftest_check *c, const struct traced *small,
                         const struct traced *large)
{
    snprintf(c->how, sizeof c->how, "%s", large->method);
    c->counter = true;
    if (small->lost + large->lost)
        selftest_unverified(c, "%llu events were lost: the machine is busy",
                            (unsigned long long)(small->lost + large->lost));
    else
        selftest_judge(c, (double)large->sleeps - small->sleeps);
    selftest_judge_late(c, (double)(large->last_ns - large->first_ns) / (SLEEPS_BEFORE + SLEEPS));
}

void measure_trace(struct selftest *t)
{
    struct traced small = {.sleeps = 0}, large = {.sleeps = 0};
    struct finding found = find_sched_events(&t->machine);
    struct fail f;
    struct selftest_check *c = selftest_add(t->report, "", 0, "switches (trace)");
    selftest_expect(c, SLEEPS, SLEEPS - 5, SLEEPS + 5);
    if (!found.ok)
        selftest_finding_pending(t, &found);
    if (!found.ok || selftest_is_late(t))
        return;
    if (!trace_names_ours())
        selftest_unverified(c, "events have other PIDs than processes in this PID namespace");
    else if (trace_sleeps(t, SLEEPS_BEFORE, &small, &f) < 0 ||
             trace_sleeps(t, SLEEPS_BEFORE + SLEEPS, &large, &f) < 0)
        selftest_fail_pending(t, &f);
    else
        judge_sleeps(c, &small, &large);
}
