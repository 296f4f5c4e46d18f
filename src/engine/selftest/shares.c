/* Samples of known code: shares of time, and call chains. */
#include "attached.h"
#include "core/base/time_ns.h"
#include "core/unwind/unwind.h"
#include "plat/host.h"

#include <math.h>
#include <stdio.h>

enum { PARTS = 3, SHARES_MS = 1500, CHAIN_MS = 600 };
enum { CPU_NS, TAKEN_NS, USER_NS }; /* of shares */

static void set_method(struct selftest_check *c, const struct sampling *s)
{
    snprintf(c->how, sizeof c->how, "%.90s, %llu samples", s->method,
             (unsigned long long)s->sampled.count.samples);
}

/* --- shares --- */

/* What was found in one of the parts. */
struct found {
    double weight, samples;
};

static struct found found_in(const struct attached *a, enum workload_code which)
{
    const struct sampled *s = &a->sampling.sampled;
    struct workload_range code;
    struct found found = {.weight = 0};
    if (!workload_code(which, &code))
        return (struct found){.weight = NAN};
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *cell = sampled_cell_at(s, i);
        if (!attached_is_in(a, sampled_node_at(s, cell->node), &code))
            continue;
        found.weight += (double)cell->weight;
        found.samples += (double)cell->samples;
    }
    return found;
}

/* Samples are of user mode, and miss what the workload found to be taken away. The kernel divides
 * CPU time into user mode and its own by some hundred ticks. */
static void judge_time(const struct attached *a, struct selftest_check *c)
{
    double taken = (double)a->work.number[TAKEN_NS], user = (double)a->work.number[USER_NS];
    double pct = selftest_pct(taken, (double)a->work.number[CPU_NS]);
    c->counter = true;
    selftest_expect(c, user / NS_PER_MS, (0.85 * user - taken) / NS_PER_MS, c->max);
    set_method(c, &a->sampling);
    if (pct > 30)
        selftest_unverified(c, "the hypervisor took the CPU away for %.0f %% of the time", pct);
    else
        selftest_judge(c, (double)a->sampling.sampled.count.weight / NS_PER_MS);
    selftest_judge_paused(c, a->sampling.sampled.loss.throttled);
}

/* By four standard errors of a share of so many samples. */
static void widen(struct selftest_check *c, double samples)
{
    double points = 1 + 4 * sqrt(c->expected * (100 - c->expected) / fmax(1, samples));
    selftest_expect(c, c->expected, fmax(0, c->expected - points), c->expected + points);
}

struct shares {
    struct selftest_check *part[PARTS], *known, *time;
};

/* Shares of the samples in the three parts; and how many of all are in these. */
static void judge_shares(const struct attached *a, const struct shares *c)
{
    static const enum workload_code code[PARTS] = {WORKLOAD_A, WORKLOAD_B, WORKLOAD_C};
    struct found found[PARTS], all = {.weight = 0};
    for (size_t i = 0; i < PARTS; i++) {
        found[i] = found_in(a, code[i]);
        all.weight += found[i].weight;
        all.samples += found[i].samples;
    }
    for (size_t i = 0; i < PARTS; i++) {
        c->part[i]->counter = true;
        widen(c->part[i], all.samples);
        set_method(c->part[i], &a->sampling);
        selftest_judge(c->part[i], selftest_pct(found[i].weight, all.weight));
    }
    c->known->counter = true;
    set_method(c->known, &a->sampling);
    selftest_judge(c->known, selftest_pct(all.weight, (double)a->sampling.sampled.count.weight));
    judge_time(a, c->time);
}

/* Some time is spent for the clock, in the C library or the vDSO: on a busy emulated processor a
 * third. */
static void expect_shares(struct selftest *t, struct shares *c)
{
    static const double pct[PARTS] = {70, 20, 10};
    for (size_t i = 0; i < PARTS; i++) {
        c->part[i] = selftest_add(t->report, "%", 1, "share of %.0f %%", pct[i]);
        selftest_expect(c->part[i], pct[i], pct[i], pct[i]);
        widen(c->part[i], SHARES_MS);
        c->part[i]->timing = true;
    }
    c->known = selftest_add(t->report, "%", 1, "samples in known code");
    selftest_expect(c->known, 100, 50, 100);
    c->time = selftest_add(t->report, "ms", 0, "CPU time by samples");
    selftest_expect(c->time, SHARES_MS, SHARES_MS * 0.85, SHARES_MS * 1.03);
    c->known->timing = c->time->timing = true;
}

void measure_shares(struct selftest *t)
{
    struct sampling_want want = {.chains = CHAINS_NONE};
    struct shares shares;
    struct attached a;
    struct fail f;
    expect_shares(t, &shares);
    if (selftest_is_late(t))
        return;
    if (attached_run(t, &a, "shares", SHARES_MS, &want, &f) < 0)
        selftest_fail_pending(t, &f);
    else
        judge_shares(&a, &shares);
    attached_end(&a);
}

/* --- chains --- */

/* Of a sample in the innermost frame: its frames in the chain's code. */
static size_t count_frames(const struct attached *a, uint32_t node,
                           const struct workload_range *code)
{
    size_t frames = 0;
    while (node != INTERN_NONE) {
        const struct sampled_node *n = sampled_node_at(&a->sampling.sampled, node);
        frames += attached_is_in(a, n, code);
        node = n->parent;
    }
    return frames;
}

/* Of samples in the innermost frame. */
struct chains {
    double all, whole;
    size_t deepest;
};

static bool count_chains(const struct attached *a, struct chains *out)
{
    const struct sampled *s = &a->sampling.sampled;
    struct workload_range code;
    if (!workload_code(WORKLOAD_CHAIN, &code))
        return false;
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *cell = sampled_cell_at(s, i);
        if (!attached_is_in(a, sampled_node_at(s, cell->node), &code))
            continue;
        size_t frames = count_frames(a, cell->node, &code);
        out->all += (double)cell->weight;
        out->whole += frames == WORKLOAD_CHAIN_FRAMES ? (double)cell->weight : 0;
        out->deepest = frames > out->deepest ? frames : out->deepest;
    }
    return true;
}

/* Where programs like this one can be unwound. */
static bool can_unwind(void)
{
    struct host host;
    enum unwind_machine machine;
    host_describe(&host);
    bool narrow = sizeof(void *) == 4; /* a 64-bit kernel has no slices of 32-bit programs */
    return unwind_machine_named(host.machine, &machine) && narrow == (machine == UNWIND_ARM);
}

static void judge_chains(const struct attached *a, struct selftest_check *c)
{
    struct chains chains = {.all = 0};
    if (!count_chains(a, &chains))
        return;
    set_method(c, &a->sampling);
    if (chains.deepest == 1 && !can_unwind())
        selftest_unavailable(c, "call chains of 32-bit programs are not unwound", "");
    else
        selftest_judge(c, selftest_pct(chains.whole, chains.all));
}

/* Samples on the way to the innermost frame have fewer frames; they are few. */
void measure_chains(struct selftest *t)
{
    struct sampling_want want = {.chains = CHAINS_CFI};
    struct attached a;
    struct fail f;
    struct selftest_check *c =
        selftest_add(t->report, "%", 1, "chains of %d frames", WORKLOAD_CHAIN_FRAMES);
    selftest_expect(c, 100, 95, 100);
    c->timing = true;
    if (selftest_is_late(t))
        return;
    if (attached_run(t, &a, "chain", CHAIN_MS, &want, &f) < 0)
        selftest_fail_pending(t, &f);
    else
        judge_chains(&a, c);
    attached_end(&a);
}
