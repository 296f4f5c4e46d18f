/* What a tree's times are worth: scaled to all calls, without what the probes cost. */
#include "build.h"

#include "runtime/psprof_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static bool is_scaled(const struct prof_tree *t, const struct prof_node *n)
{
    return t->about.type == PSPROF_ADAPTIVE && n->timed && n->timed < n->count;
}

uint64_t prof_node_raw_ns(const struct prof_tree *t, const struct prof_node *n)
{
    if (n->time_ns <= 0)
        return 0;
    if (!is_scaled(t, n))
        return (uint64_t)n->time_ns;
    return prof_whole_ns((double)n->time_ns * ((double)n->count / (double)n->timed));
}

size_t prof_tree_scaled(const struct prof_tree *t)
{
    size_t scaled = 0;
    for (size_t i = 0; i < t->nodes; i++)
        scaled += is_scaled(t, &t->node[i]);
    return scaled;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

/* Calls whose two clock readings were really made: timed is thinned out since. */
static double timed_calls(const struct prof_tree *t, const struct prof_node *n)
{
    double count = (double)n->count, many = PSPROF_MANY_TIMED, all = PSPROF_ALL_TIMED;
    if (t->about.type != PSPROF_ADAPTIVE || count <= all)
        return count;
    return all + ((count < many ? count : many) - all) / PSPROF_SPARSE +
           (count > many ? (count - many) / PSPROF_SPARSER : 0);
}

/* Picoseconds that a node's calls, timed or not, added to the time of all that called them. */
static double cost_above(const struct prof_tree *t, const struct prof_node *n)
{
    double timed = timed_calls(t, n), all = (double)n->count;
    return timed * ((double)t->about.inside_ps + (double)t->about.outside_ps) +
           (all - timed) * (double)t->about.untimed_ps;
}

static uint64_t subtract_cost(uint64_t ns, double cost_ps)
{
    double cost = cost_ps / 1000;
    return cost < (double)ns ? ns - prof_whole_ns(cost) : 0;
}

/* Each node's self_ns holds the sum of its callees' totals until it is settled itself: callees
 * come after it. cost: of all its callees, picoseconds. */
static void settle_node(struct prof_tree *t, uint32_t i, double *cost, double fit)
{
    struct prof_node *n = &t->node[i];
    uint64_t below = n->self_ns, ns = prof_node_raw_ns(t, n);
    if (fit < 1)
        ns = prof_whole_ns((double)ns * fit);
    if (cost)
        ns = subtract_cost(ns, cost[i] + (double)n->count * (double)t->about.inside_ps);
    n->total_ns = ns > below ? ns : below;
    n->self_ns = n->total_ns - below;
    if (n->parent == PROF_NONE)
        return;
    t->node[n->parent].self_ns = add_saturating(t->node[n->parent].self_ns, n->total_ns);
    if (cost)
        cost[n->parent] += cost[i] + cost_above(t, n);
}

/* Scaled times are guesses: callees never take more than their caller did, which is the better
 * known, nor all together more than their thread had. What stays of a time: of the outermost calls,
 * and of each node's callees. */
struct fit {
    double outermost, *callees;
};

static double fit_of(const struct prof_tree *t, const struct fit *f, uint32_t n)
{
    uint32_t up = t->node[n].parent;
    return !f ? 1 : up == PROF_NONE ? f->outermost : f->callees[up];
}

static double limit_factor(double part, double whole)
{
    return part > whole && whole >= 0 ? whole / part : 1;
}

/* callees holds their sums first, until their caller is passed. */
static void fit_in(const struct prof_tree *t, const struct prof_thread *of, struct fit *f)
{
    double sum = 0, had = (double)of->spent_ns - (double)of->preempted_ns;
    for (uint32_t n = of->begin; n < of->end; n++)
        f->callees[n] = 0;
    for (uint32_t n = of->begin; n < of->end; n++) {
        uint32_t up = t->node[n].parent;
        *(up == PROF_NONE ? &sum : &f->callees[up]) += (double)prof_node_raw_ns(t, &t->node[n]);
    }
    f->outermost = had > 0 ? limit_factor(sum, had) : 1;
    for (uint32_t n = of->begin; n < of->end; n++) {
        double ns = (double)prof_node_raw_ns(t, &t->node[n]);
        f->callees[n] = fit_of(t, f, n) * limit_factor(f->callees[n], ns);
    }
}

/* For calls that are extrapolated from some: as if their times were spread as widely as they are
 * long; and what had to be taken away so that they fit. */
static uint64_t scaling_error(const struct prof_tree *t, uint32_t i, double fit)
{
    const struct prof_node *n = &t->node[i];
    if (!is_scaled(t, n))
        return 0;
    double ns = (double)prof_node_raw_ns(t, n), kept = ns * fit;
    return prof_whole_ns(2 * kept / sqrt((double)n->timed) + (ns - kept));
}

/* The error of a calibration that was made before the program ran. */
static void settle_thread(struct prof_tree *t, struct prof_thread *of, double *cost,
                          const struct fit *fit)
{
    for (uint32_t n = of->end; n-- > of->begin;) {
        double own = cost ? cost[n] : 0, fits = fit_of(t, fit, n);
        settle_node(t, n, cost, fits);
        t->node[n].error_ns =
            prof_whole_ns(own / 1000 * PROF_COST_ERROR) + scaling_error(t, n, fits);
    }
}

static void settle_guessed(struct prof_tree *t, struct prof_thread *of, double *cost,
                           struct fit *fit)
{
    if (fit)
        fit_in(t, of, fit);
    settle_thread(t, of, cost, fit);
}

static void add_totals(struct prof_tree *t, struct prof_thread *of)
{
    of->total_ns = 0;
    for (uint32_t n = of->begin; n < of->end; n++)
        t->node[n].total_ns = t->node[n].self_ns;
    for (uint32_t n = of->end; n-- > of->begin;) {
        uint32_t up = t->node[n].parent;
        uint64_t *to = up == PROF_NONE ? &of->total_ns : &t->node[up].total_ns;
        *to = add_saturating(*to, t->node[n].total_ns);
    }
}

static bool is_sampled(const struct prof_tree *t, const struct prof_thread *of)
{
    return t->about.sample_ns && of->samples + of->hook_samples > 0;
}

/* self is used for the raw self times first. */
static int estimate_thread(struct prof_tree *t, struct prof_thread *of)
{
    size_t nodes = of->end - of->begin;
    uint64_t *raw = malloc((nodes + 1) * sizeof *raw);
    if (!raw)
        return -ENOMEM;
    settle_thread(t, of, NULL, NULL);
    for (size_t i = 0; i < nodes; i++)
        raw[i] = t->node[of->begin + i].self_ns;
    int r = prof_estimate(t, of, raw);
    free(raw);
    return r;
}

int prof_tree_settle(struct prof_tree *t, bool raw)
{
    double *cost = raw ? NULL : calloc(t->nodes + 1, sizeof *cost);
    bool guessed = t->about.type == PSPROF_ADAPTIVE && !(t->about.sampling & PSPROF_SAMPLED_ALONE);
    struct fit fit = {1, guessed ? calloc(t->nodes + 1, sizeof *fit.callees) : NULL};
    int r = (raw || cost) && (!guessed || fit.callees) ? 0 : -ENOMEM;
    for (size_t i = 0; i < t->nodes; i++)
        t->node[i].self_ns = t->node[i].error_ns = 0;
    for (size_t i = 0; i < t->threads && r == 0; i++) {
        struct prof_thread *of = &t->thread[i];
        if (!raw && is_sampled(t, of))
            r = estimate_thread(t, of);
        else
            settle_guessed(t, of, cost, guessed ? &fit : NULL);
        add_totals(t, of);
    }
    free(cost);
    free(fit.callees);
    return r;
}
