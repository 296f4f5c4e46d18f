#include "core/selftest/selftest.h"

#include "core/base/sort.h"
#include "core/base/time_ns.h"
#include "core/procfs/cpu_stat.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct selftest_check *selftest_add(struct selftest_report *r, const char *unit, int decimals,
                                    const char *name, ...)
{
    r->count += r->count < SELFTEST_MAX_CHECKS;
    struct selftest_check *c = &r->check[r->count - 1];
    *c = (struct selftest_check){.decimals = decimals};
    snprintf(c->unit, sizeof c->unit, "%s", unit);
    va_list ap;
    va_start(ap, name);
    vsnprintf(c->name, sizeof c->name, name, ap);
    va_end(ap);
    return c;
}

void selftest_expect(struct selftest_check *c, double expected, double min, double max)
{
    c->expected = expected;
    c->min = fmax(0, min);
    c->max = max;
    c->has_truth = true;
}

void selftest_judge(struct selftest_check *c, double measured)
{
    c->measured = measured;
    c->has_measured = isfinite(measured);
    if (!c->has_measured)
        selftest_unverified(c, "nothing was measured");
    else if (!c->has_truth)
        selftest_unverified(c, "the expected value is not known");
    else if (c->counter && measured == 0)
        selftest_unverified(c, "the counter reads 0");
    else
        c->verdict = measured >= c->min && measured <= c->max ? SELFTEST_OK : SELFTEST_WRONG;
}

void selftest_unverified(struct selftest_check *c, const char *why, ...)
{
    va_list ap;
    va_start(ap, why);
    vsnprintf(c->why, sizeof c->why, why, ap);
    va_end(ap);
    c->verdict = SELFTEST_NOT_VERIFIED;
}

void selftest_judge_wait(struct selftest_check *c, uint64_t not_run_ns, uint64_t elapsed_ns,
                         double waited_ms)
{
    double ms = (double)not_run_ns / NS_PER_MS, most_ms = ms * 0.1;
    double ran_ms = elapsed_ns > not_run_ns ? (double)(elapsed_ns - not_run_ns) / NS_PER_MS : 0;
    double off_ms = 1 + ms * 0.02 + (ran_ms < most_ms ? ran_ms : most_ms);
    selftest_expect(c, ms, ms - off_ms, ms + off_ms);
    selftest_judge(c, waited_ms);
    if (c->verdict == SELFTEST_WRONG && ran_ms > most_ms)
        selftest_unverified(c, "the hypervisor took the CPU away: switching lasted %.0f ms",
                            ran_ms);
}

void selftest_judge_busy(struct selftest_check *c, double fastest_ns, double slowest_ns)
{
    if (c->verdict == SELFTEST_WRONG && slowest_ns > 1.25 * fastest_ns)
        selftest_unverified(c, "the machine is busy: without sampling, the times differ by %.0f %%",
                            100 * (slowest_ns - fastest_ns) / fastest_ns);
}

void selftest_judge_late(struct selftest_check *c, double sleep_ns)
{
    if (c->verdict == SELFTEST_WRONG && c->measured < c->min && sleep_ns > SELFTEST_LATE_NS)
        selftest_unverified(c, "sleeps of 1 ms took %.1f ms: the machine is busy",
                            sleep_ns / NS_PER_MS);
}

void selftest_judge_paused(struct selftest_check *c, uint64_t paused)
{
    if (c->verdict == SELFTEST_WRONG && c->measured < c->min && paused)
        selftest_unverified(c, "the kernel paused sampling %" PRIu64 " times", paused);
}

void selftest_judge_stolen(struct selftest_check *c, double stolen_pct)
{
    if (c->timing && c->verdict == SELFTEST_WRONG && stolen_pct > SELFTEST_STOLEN_PCT)
        selftest_unverified(c, "the hypervisor took %.0f %% of the CPU time meanwhile", stolen_pct);
}

/* Ticks are as good as milliseconds for a share. */
static bool parse_total(const char *text, struct cpu_times *out)
{
    struct cpu_stat stat;
    if (cpu_stat_parse(text, 1000, &stat) < 0)
        return false;
    *out = stat.total;
    cpu_stat_release(&stat);
    return true;
}

double selftest_stolen_pct(const char *before, const char *after)
{
    struct cpu_times from, to, passed;
    if (!parse_total(before, &from) || !parse_total(after, &to))
        return 0;
    cpu_times_since(&from, &to, &passed);
    uint64_t busy = cpu_times_total_ms(&passed) - passed.idle_ms - passed.iowait_ms;
    return busy ? 100.0 * (double)passed.steal_ms / (double)busy : 0;
}

void selftest_unavailable(struct selftest_check *c, const char *why, const char *remedy)
{
    snprintf(c->why, sizeof c->why, "%s", why);
    snprintf(c->remedy, sizeof c->remedy, "%s", remedy);
    c->verdict = SELFTEST_NOT_AVAILABLE;
}

void selftest_failed(struct selftest_check *c, const struct fail *f)
{
    char why[sizeof c->why];
    if (f->err)
        snprintf(why, sizeof why, "%.100s: %s", f->what, strerror(f->err));
    else
        snprintf(why, sizeof why, "%.150s", f->what);
    if (f->err == 0 || f->err == EPIPE || f->err == ETIMEDOUT)
        selftest_unverified(c, "%s", why);
    else
        selftest_unavailable(c, why, f->hint);
}

const char *selftest_word(enum selftest_verdict v)
{
    switch (v) {
    case SELFTEST_OK:
        return "ok";
    case SELFTEST_WRONG:
        return "wrong";
    case SELFTEST_NOT_AVAILABLE:
        return "not available";
    default:
        return "not verified";
    }
}

enum selftest_verdict selftest_verdict_of(const struct selftest_check *c)
{
    return c->verdict == SELFTEST_PENDING ? SELFTEST_NOT_VERIFIED : c->verdict;
}

size_t selftest_sum(const struct selftest_report *r, enum selftest_verdict v)
{
    size_t sum = 0;
    for (size_t i = 0; i < r->count; i++)
        sum += selftest_verdict_of(&r->check[i]) == v;
    return sum;
}

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double selftest_median(double *value, size_t n)
{
    sort_array(value, n, sizeof *value, compare_doubles);
    return n ? value[n / 2] : NAN;
}
