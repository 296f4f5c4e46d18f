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
 * both explain, the function waited, and A alone is taken.
 *
 * B loses what the processor runs while it waits for a probe: a short loop around a call may lose
 * half of its time. So where A is greater, half of the difference is believed, up to a part of what
 * the probes cost. The part is small, as the probes of some functions cost more than the average:
 * with 0.05 the shares of the seventy hottest functions of seven programs were off by 2.75 points
 * in place of 3.07 (root of the mean square), and no program's by 0.3 more; with 0.15 one's were
 * by 5.
 *
 * Nodes share what their function has in the proportion of their own A.
 */
#include "build.h"

#include "runtime/psprof_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { ENOUGH_SAMPLES = 100, FAR = 3, SURE = 2 };

#define HIDDEN_PART 0.05 /* of what the probes cost */

/* Of a function; ns. */
struct sum {
    double raw, cost, samples, by_share; /* by_share: of the nodes, before the last step */
    double self, sd;
};

struct estimate {
    struct prof_tree *tree;
    const struct prof_thread *of;
    const uint64_t *raw;
    double in_ns, out_ns, sample_ns;
    double *cost; /* of each node's own probes */
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
    if (node->parent != PROF_NONE)
        e->cost[node->parent - e->of->begin] += (double)node->count * e->out_ns;
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
static void combine_estimates(struct sum *s, double sample_ns, bool alone)
{
    double a = s->raw > s->cost ? s->raw - s->cost : 0, b = s->samples * sample_ns;
    double sd_a = s->cost * PROF_COST_ERROR, sd_b = sqrt(s->samples + 1) * sample_ns;
    double both = sd_a * sd_a + sd_b * sd_b;
    if (alone) {
        s->self = s->raw;
        s->sd = sd_b;
    } else if (a - b > FAR * sqrt(both)) {
        s->self = a;
        s->sd = sd_a;
    } else {
        s->self = (a * sd_b * sd_b + b * sd_a * sd_a) / both;
        s->sd = sd_a * sd_b / sqrt(both);
        add_hidden(s, a);
    }
}

/* The function's own cost of a call, so that its nodes together have what it has. */
static double share_of(const struct estimate *e, const struct sum *s, uint32_t n)
{
    double raw = (double)e->raw[n - e->of->begin], cost = e->cost[n - e->of->begin];
    double left = s->cost > 0 ? raw - cost * ((s->raw - s->self) / s->cost) : raw;
    return left > 0 ? left : 0;
}

static void set_node(struct estimate *e, uint32_t n)
{
    struct prof_node *node = &e->tree->node[n];
    const struct sum *s = sum_of(e, n);
    double part = s->by_share > 0 ? share_of(e, s, n) / s->by_share : 0;
    if (s->by_share <= 0)
        part = s->cost > 0 ? e->cost[n - e->of->begin] / s->cost : 0;
    node->self_ns = prof_whole_ns(s->self * part);
    node->error_ns = prof_whole_ns(s->sd * part * SURE);
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

static void estimate_nodes(struct estimate *e)
{
    bool alone = e->tree->about.sampling & PSPROF_SAMPLED_ALONE;
    clear_sums(e);
    add_up(e);
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        combine_estimates(sum_of(e, n), e->sample_ns, alone);
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        sum_of(e, n)->by_share += share_of(e, sum_of(e, n), n);
    for (uint32_t n = e->of->begin; n < e->of->end; n++)
        set_node(e, n);
    fit_in(e);
}

int prof_estimate(struct prof_tree *t, const struct prof_thread *of, const uint64_t *raw_self)
{
    struct estimate e = {.tree = t, .of = of, .raw = raw_self, .sample_ns = t->about.sample_ns};
    e.cost = calloc((size_t)(of->end - of->begin) + 1, sizeof *e.cost);
    e.of_place = malloc((t->places.count + 1) * sizeof *e.of_place);
    bool ok = e.cost && e.of_place;
    if (ok) {
        set_costs(&e);
        estimate_nodes(&e);
    }
    free(e.cost);
    free(e.of_place);
    return ok ? 0 : -ENOMEM;
}
