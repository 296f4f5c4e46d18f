/*
 * What functions took without the probes, by two measurements of each function of a thread:
 *
 *   A: the time by the clock, less what the probes of its calls cost on the average. Exact where
 *      there are few calls; where there are many, the cost differs from function to function by
 *      more than short functions take.
 *   B: the samples that fell into the function and not into a probe. Their error is that of
 *      counting, whatever the probes cost; but they do not see what waits.
 *
 * Each has its standard deviation, and they are averaged by these; where A is greater by more than
 * both explain, the function waited, and A alone is taken, if the thread was off the CPUs for so
 * long. Where B is, the clock was read before what the function waited for had come, and B alone is
 * taken.
 *
 * B loses what the processor runs while it waits for a probe: a short loop around a call may lose
 * half of its time. So where A is greater, half of the difference is believed, up to a part of what
 * the probes cost. The part is small, as the probes of some functions cost more than the average:
 * with 0.1 the shares of the seventy hottest functions of seven programs are off by 2.79 points
 * (root of the mean square; 2.81 with 0.05, 2.99 with 0.15), and the worst one of five of these
 * programs by 0.5 to 1.9 less than with 0.05; with 0.15 one's is off by 9.3 in place of 5.9.
 *
 * What the probes change in the program is no cost of theirs, but is in the error. The processor
 * runs ahead while it waits for memory or for a branch: probes come in between, and what waited
 * together waits one after another (lz4's LZ4HC_Insert, a loop of a call and a load, has 17% in
 * place of 8), or it waits while the probe runs, at no cost (bzip2's mainSimpleSort has 6% in place
 * of 12). Such an error is of the order of the function's own time at most, and of its probes';
 * as it comes from few places in the program, it grows less than they do in large functions. With
 * these figures it covers 230 of 240 shares (doc/decisions/prof-accuracy.md).
 *
 * Nodes share what their function has in the proportion of their own A.
 */
#include "build.h"

#include "core/base/scope.h"

#include "runtime/psprof_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { ENOUGH_SAMPLES = 100, FAR = 3, SURE = 2 };

#define HIDDEN_PART 0.1   /* of what the probes cost */
#define FEW_PLACES  0.025 /* of a thread's time */

/* Of a function; ns. */
struct sum {
    double raw, cost, samples, by_share; /* by_share: of the nodes, before the last step */
    double probes; /* time in its own and its callees' probes, whatever is taken out for them */
    double self, sd;
};

struct estimate {
    struct prof_tree *tree;
    const struct prof_thread *of;
    const uint64_t *raw;
    double in_ns, out_ns, sample_ns;
    double probe_ns; /* of a call, in the function and in its caller each */
    double total_ns; /* of all functions */
    double *cost;    /* of each node's own probes */
    struct sum *of_place;
};

static uint64_t calls_of(const struct prof_tree *t, const struct prof_thread *of)
{
    uint64_t calls = 0;
    for (uint32_t n = of->begin; n < of->end; n++)
        calls += t->node[n].count;
    return calls;
}

double prof_sampled_cost_ps(const struct prof_tree *t, const struct prof_thread *of)
{
    uint64_t calls = calls_of(t, of);
    if (of->hook_samples < ENOUGH_SAMPLES || !calls)
        return 0;
    return (double)of->hook_samples * t->about.sample_ns * 1000 / (double)calls;
}

static double calibrated_cost_ps(const struct prof_about *a)
{
    if (a->sampling & PSPROF_SAMPLED_ALONE)
        return (double)a->untimed_ps;
    return (double)a->inside_ps + (double)a->outside_ps;
}

/* How the cost is divided between a call and its caller is known from the calibration. */
static void set_costs(struct estimate *e)
{
    const struct prof_about *a = &e->tree->about;
    double in = (double)a->inside_ps, out = (double)a->outside_ps;
    double sampled = prof_sampled_cost_ps(e->tree, e->of);
    double scale = sampled > 0 && in + out > 0 ? sampled / (in + out) : 1;
    bool timed = !(a->sampling & PSPROF_SAMPLED_ALONE);
    e->in_ns = timed ? in * scale / 1000 : 0;
    e->out_ns = timed ? out * scale / 1000 : 0;
    e->probe_ns = (sampled > 0 ? sampled : calibrated_cost_ps(a)) / 2000;
}

static struct sum *sum_of(struct estimate *e, uint32_t n)
{
    return &e->of_place[e->tree->node[n].place];
}

static void clear_sums(struct estimate *e)
{
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        *sum_of(e, n) = (struct sum){0};
}

static void add_cost(struct estimate *e, uint32_t n)
{
    const struct prof_node *node = &e->tree->node[n];
    e->cost[n - e->of->begin] += (double)node->count * e->in_ns;
    sum_of(e, n)->probes += (double)node->count * e->probe_ns;
    if (node->parent == PROF_NONE)
        return;
    e->cost[node->parent - e->of->begin] += (double)node->count * e->out_ns;
    sum_of(e, node->parent)->probes += (double)node->count * e->probe_ns;
}

static void add_up(struct estimate *e)
{
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        add_cost(e, n);
    for (uint32_t n = e->of->begin; n < e->of->end; n++) {
        struct sum *s = sum_of(e, n);
        s->raw += (double)e->raw[n - e->of->begin];
        s->cost += e->cost[n - e->of->begin];
        s->samples += e->tree->node[n].samples;
    }
}

static void add_hidden(struct sum *s, double a)
{
    double max_hidden = s->cost * HIDDEN_PART, hidden = a > s->self ? (a - s->self) / 2 : 0;
    if (hidden > max_hidden)
        hidden = max_hidden;
    s->self += hidden;
    s->sd = sqrt(s->sd * s->sd + hidden * hidden);
}

/* One sample more: none at all is no proof of nothing. */
static void combine_estimates(struct sum *s, double sample_ns, double waited_ns, bool alone)
{
    double a = s->raw > s->cost ? s->raw - s->cost : 0, b = s->samples * sample_ns;
    double sd_a = s->cost * PROF_COST_ERROR, sd_b = sqrt(s->samples + 1) * sample_ns;
    double both = sd_a * sd_a + sd_b * sd_b, far = FAR * sqrt(both);
    if (alone) {
        s->self = s->raw;
        s->sd = sd_b;
    } else if (a - b > far && a - b < waited_ns + far) {
        s->self = a;
        s->sd = sd_a;
    } else if (b - a > far) {
        s->self = b;
        s->sd = sd_b;
    } else {
        s->self = (a * sd_b * sd_b + b * sd_a * sd_a) / both;
        s->sd = sd_a * sd_b / sqrt(both);
        add_hidden(s, a);
    }
}

/* Of the order of the smaller of both, for which their harmonic mean stands. */
double prof_changed_ns(double self_ns, double probes_ns, double total_ns)
{
    double few = total_ns * FEW_PLACES;
    double changed = probes_ns > 0 ? 2 * self_ns * probes_ns / (self_ns + probes_ns) : 0;
    return changed > few ? sqrt(changed * few) : changed;
}

/* The function's own cost of a call, so that its nodes together have what it has. */
static double share_of(const struct estimate *e, const struct sum *s, uint32_t n)
{
    double raw = (double)e->raw[n - e->of->begin], cost = e->cost[n - e->of->begin];
    double left = s->cost > 0 ? raw - cost * ((s->raw - s->self) / s->cost) : raw;
    return left > 0 ? left : 0;
}

static double part_of(const struct estimate *e, const struct sum *s, uint32_t n)
{
    if (s->by_share > 0)
        return share_of(e, s, n) / s->by_share;
    return s->cost > 0 ? e->cost[n - e->of->begin] / s->cost : 0;
}

static void set_node(struct estimate *e, uint32_t n)
{
    struct prof_node *node = &e->tree->node[n];
    const struct sum *s = sum_of(e, n);
    node->self_ns = prof_whole_ns(s->self * part_of(e, s, n));
    e->total_ns += (double)node->self_ns;
}

static void set_error(struct estimate *e, uint32_t n)
{
    const struct sum *s = sum_of(e, n);
    double sd = hypot(s->sd, prof_changed_ns(s->self + s->sd, s->probes, e->total_ns));
    e->tree->node[n].error_ns = prof_whole_ns(sd * part_of(e, s, n) * SURE);
}

/* Samples may be some more than the thread had time for. */
static void fit_in(struct estimate *e)
{
    double sum = 0, had = (double)e->of->spent_ns;
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        sum += (double)e->tree->node[n].self_ns;
    if (had <= 0 || sum <= had)
        return;
    for (uint32_t n = e->of->begin; n < e->of->end; n++) {
        struct prof_node *node = &e->tree->node[n];
        node->self_ns = prof_whole_ns((double)node->self_ns * (had / sum));
    }
}

/* What samples cannot have seen of a thread: the time off the CPUs, or all of it where they do not
   see the kernel or that time is not known. */
static double waited_ns(const struct estimate *e)
{
    const struct prof_thread *of = e->of;
    double off = (double)of->spent_ns - (double)of->cpu_ns; /* neither has preemption */
    if (!of->cpu_ns || !(e->tree->about.sampling & PSPROF_SAMPLED_KERNEL))
        return INFINITY;
    return off > 0 ? off : 0;
}

static void estimate_nodes(struct estimate *e)
{
    bool alone = e->tree->about.sampling & PSPROF_SAMPLED_ALONE;
    double waited = waited_ns(e);
    clear_sums(e);
    add_up(e);
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        combine_estimates(sum_of(e, n), e->sample_ns, waited, alone);
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        sum_of(e, n)->by_share += share_of(e, sum_of(e, n), n);
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        set_node(e, n);
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        set_error(e, n);
    fit_in(e);
}

int prof_estimate(struct prof_tree *t, const struct prof_thread *of, const uint64_t *raw_self)
{
    SCOPED_FREE double *cost = calloc((size_t)(of->end - of->begin) + 1, sizeof *cost);
    SCOPED_FREE struct sum *of_place = malloc((t->places.count + 1) * sizeof *of_place);
    struct estimate e = {t, of, raw_self, .cost = cost, .of_place = of_place};
    if (!cost || !of_place)
        return -ENOMEM;
    e.sample_ns = t->about.sample_ns;
    set_costs(&e);
    estimate_nodes(&e);
    return 0;
}
