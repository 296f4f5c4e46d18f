/* What sampling at the default rate costs: the CPU time that it adds to a workload, and its own. */
#include "attached.h"
#include "core/base/time_ns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 3, BLOCK_US = 3000, MAX_PCT_PERF = 50, MAX_PCT_PTRACE = 200 };

struct cost {
    double plain_ns, sampled_ns; /* of a block: the minimum of the rounds */
    double own_ns;               /* psuite's, as the minimum of the rounds */
    double slowest_ns;           /* plain, the median of the slowest round */
    char method[64];
};

/* How many units make a block of BLOCK_US. */
static int find_amount(struct selftest *t, uint64_t *amount, struct fail *f)
{
    struct work w;
    *amount = 1000;
    int r = work_start(t, &w, "burn", f);
    if (r < 0)
        return r;
    while ((r = work_do(t, &w, *amount, NULL, NULL, f)) == 0 &&
           w.number[0] < BLOCK_US * NS_PER_US && *amount < UINT64_C(1) << 40)
        *amount *= 2;
    work_end(&w);
    return r;
}

static int run_plain(struct selftest *t, uint64_t amount, struct cost *c, struct fail *f)
{
    struct work w;
    int r = work_start(t, &w, "burn", f);
    if (r < 0)
        return r;
    r = work_do(t, &w, amount, NULL, NULL, f);
    work_end(&w);
    c->plain_ns = fmin(c->plain_ns, (double)w.number[0]);
    c->slowest_ns = fmax(c->slowest_ns, (double)w.number[1]);
    return r;
}

static int run_sampled(struct selftest *t, uint64_t amount, struct cost *c, struct fail *f)
{
    struct sampling_want want = {.chains = CHAINS_NONE};
    struct attached a;
    int r = attached_run(t, &a, "burn", amount, &want, f);
    c->own_ns = fmin(c->own_ns, (double)a.own_ns);
    c->sampled_ns = fmin(c->sampled_ns, (double)a.work.number[0]);
    snprintf(c->method, sizeof c->method, "%.63s", a.sampling.method);
    attached_end(&a);
    return r;
}

static int run_rounds(struct selftest *t, struct cost *c, struct fail *f)
{
    uint64_t amount;
    int r = find_amount(t, &amount, f);
    for (int i = 0; r == 0 && i < ROUNDS && (i == 0 || !selftest_is_late(t)); i++) {
        r = run_plain(t, amount, c, f);
        if (r == 0)
            r = run_sampled(t, amount, c, f);
    }
    return r;
}

static void judge_cost(const struct selftest *t, const struct cost *c, struct selftest_check *check)
{
    double added = fmax(0, selftest_pct(c->sampled_ns - c->plain_ns, c->plain_ns));
    double own = selftest_pct(c->own_ns, c->plain_ns * WORKLOAD_BLOCKS);
    double max = strncmp(c->method, "ptrace", 6) == 0 ? MAX_PCT_PTRACE : MAX_PCT_PERF;
    selftest_expect(check, 0, 0, max);
    snprintf(check->how, sizeof check->how,
             "%s at %u samples/s: %.1f %% in the workload, %.1f %% in psuite", c->method,
             t->want->hz, added, own);
    selftest_judge(check, added + own);
    selftest_judge_busy(check, c->plain_ns, c->slowest_ns);
}

void measure_cost(struct selftest *t)
{
    struct cost cost = {.plain_ns = NAN, .sampled_ns = NAN, .own_ns = NAN, .slowest_ns = NAN};
    struct fail f;
    struct selftest_check *c = selftest_add(t->report, "%", 1, "cost of sampling");
    selftest_expect(c, 0, 0, MAX_PCT_PERF);
    c->timing = true;
    if (selftest_is_late(t))
        return;
    if (run_rounds(t, &cost, &f) < 0)
        selftest_fail_pending(t, &f);
    else
        judge_cost(t, &cost, c);
}
