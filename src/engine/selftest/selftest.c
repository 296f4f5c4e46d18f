#include "engine/selftest/selftest.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/host.h"
#include "plat/probe.h"
#include "plat/sysfile.h"
#include "plat/wait.h"
#include "plat/workload.h"
#include "private.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- what runs it --- */

bool selftest_tend(struct selftest *t)
{
    int signal = interrupt_read(NULL);
    if (signal)
        t->report->interrupted = signal;
    if (t->want->progress)
        t->want->progress(t->want->arg, t->doing);
    return t->report->interrupted != 0;
}

/* A measurement ends after this time at the latest. */
bool selftest_is_late(struct selftest *t)
{
    const int limit = SELFTEST_MAX_SECONDS - WORKLOAD_MAX_SECONDS - 10;
    return selftest_tend(t) || clock_mono_ns() - t->start_ns > (uint64_t)(limit * NS_PER_S);
}

double selftest_pct(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : (double)NAN;
}

static struct selftest_check *pending_check(struct selftest *t, size_t i)
{
    struct selftest_check *c = &t->report->check[i];
    return c->verdict == SELFTEST_PENDING ? c : NULL;
}

void selftest_finding_pending(struct selftest *t, const struct finding *found)
{
    struct selftest_check *c;
    for (size_t i = t->first; i < t->report->count; i++)
        if ((c = pending_check(t, i)))
            selftest_unavailable(c, found->why, found->remedy);
}

/* What forbids perf events; NULL when nothing that doctor knows does. */
static const struct finding *find_refusal(const struct selftest *t, struct finding *out)
{
    *out = find_perf_user(&t->machine);
    if (out->ok)
        *out = find_perf_kernel(&t->machine);
    return out->ok ? NULL : out;
}

void selftest_fail_pending(struct selftest *t, const struct fail *f)
{
    struct finding found;
    struct selftest_check *c;
    if (t->report->interrupted)
        return;
    bool refused = f->err == EACCES || f->err == EPERM || f->err == ENOSYS;
    if (refused && find_refusal(t, &found))
        selftest_finding_pending(t, &found);
    for (size_t i = t->first; i < t->report->count; i++)
        if ((c = pending_check(t, i)))
            selftest_failed(c, f);
}

static void end_pending(struct selftest *t)
{
    struct selftest_check *c;
    for (size_t i = 0; i < t->report->count; i++) {
        if (!(c = pending_check(t, i)))
            continue;
        if (t->report->interrupted)
            selftest_unverified(c, "the self-test was interrupted");
        else if (selftest_is_late(t))
            selftest_unverified(c, "the time limit was reached: the machine is slow or busy");
        else
            selftest_unverified(c, "nothing was measured");
    }
}

static const struct {
    const char *doing;
    selftest_measure *run;
} measurements[] = {
    {"counters", measure_counters},
    {"page faults", measure_faults},
    {"context switches", measure_switches},
    {"scheduler events", measure_trace},
    {"shares", measure_shares},
    {"call chains", measure_chains},
    {"waits", measure_waits},
    {"input and output", measure_io},
    {"losses", measure_losses},
    {"timers", measure_timer},
    {"cost of sampling", measure_cost},
};

static void judge_stolen(struct selftest *t, const struct buf *before)
{
    SCOPED_BUF after = BUF_INIT;
    sysfile_text("/proc/stat", &after, NULL);
    double stolen_pct = selftest_stolen_pct(buf_str(before), buf_str(&after));
    for (size_t i = t->first; i < t->report->count; i++)
        selftest_judge_stolen(&t->report->check[i], stolen_pct);
}

static void measure_all(struct selftest *t)
{
    SCOPED_BUF before = BUF_INIT;
    for (size_t i = 0; i < sizeof measurements / sizeof measurements[0]; i++) {
        t->doing = measurements[i].doing;
        t->first = t->report->count;
        buf_clear(&before);
        sysfile_text("/proc/stat", &before, NULL);
        measurements[i].run(t);
        judge_stolen(t, &before);
        end_pending(t);
    }
}

/* --- what the report begins with --- */

/* What follows `KEY :' in /proc/cpuinfo, behind what is there already. */
static void add_line(const struct machine *m, const char *key, const char *label, char *out,
                     size_t size)
{
    char line[64];
    size_t len = strlen(out);
    if (!facts_line(m->facts, "cpuinfo", key, line, sizeof line))
        return;
    const char *value = line + strspn(line, ": \t");
    snprintf(out + len, size - len, "%s%s%s", len ? ", " : "", label, value);
}

/* Of the first CPU. ARM processors have numbers instead of a name. */
static void describe_processor(const struct machine *m, char *out, size_t size)
{
    add_line(m, "model name", "", out, size);
    add_line(m, "CPU implementer", "implementer ", out, size);
    add_line(m, "CPU part", "part ", out, size);
    add_line(m, "Hardware", "", out, size);
}

/* The board's name in the device tree, if there is one. */
static void describe_machine(char *out, size_t size)
{
    SCOPED_BUF model = BUF_INIT;
    struct host host;
    host_describe(&host);
    if (sysfile_text("/proc/device-tree/model", &model, NULL) < 0)
        sysfile_text("/sys/class/dmi/id/product_name", &model, NULL);
    const char *name = buf_str(&model);
    int len = (int)strcspn(name, "\n");
    snprintf(out, size, "%.80s%s%s, %u CPU%s", len ? name : "", len ? ", " : "", host.machine,
             (unsigned)host.cpus, host.cpus == 1 ? "" : "s");
    for (char *s = out; (s = strchr(s, '\n'));)
        memmove(s, s + 1, strlen(s));
}

static void describe_system(struct selftest *t)
{
    struct selftest_report *r = t->report;
    struct host host;
    int64_t paranoid = 0;
    host_describe(&host);
    snprintf(r->version, sizeof r->version, "%s", t->want->version);
    bool known = facts_i64(t->machine.facts, "perf_event_paranoid", &paranoid);
    const char *uid = facts_text(t->machine.facts, "uid");
    snprintf(r->kernel, sizeof r->kernel, "%s, uid %.16s", host.kernel, uid ? uid : "?");
    size_t len = strlen(r->kernel);
    if (known)
        snprintf(r->kernel + len, sizeof r->kernel - len, ", perf_event_paranoid %d",
                 (int)paranoid);
    describe_machine(r->machine, sizeof r->machine);
    describe_processor(&t->machine, r->processor, sizeof r->processor);
}

int selftest_run(const struct selftest_want *want, struct selftest_report *out)
{
    struct selftest t = {.want = want, .report = out, .start_ns = clock_mono_ns()};
    SCOPED(facts_release) struct facts facts = FACTS_INIT;
    *out = (struct selftest_report){.count = 0};
    interrupt_open(); /* some measurements do, and the others shall not differ */
    int r = probe_run(&facts);
    if (r == 0)
        r = facts_error(&facts);
    if (r == 0) {
        machine_init(&t.machine, &facts);
        describe_system(&t);
        measure_all(&t);
        machine_release(&t.machine);
        out->seconds = (double)(clock_mono_ns() - t.start_ns) / NS_PER_S;
    }
    return r;
}
