/* What a tree's times are worth: scaled to all calls, without what the probes cost. */
#include "build.h"

#include "core/base/scope.h"

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

/* Calls whose two clock readings were really made: timed is scaled since. Where all are timed by
 * now, a reading costs little beside the call, and those that were not timed are few. */
static double timed_calls(const struct prof_tree *t, const struct prof_node *n)
{
    double count = (double)n->count, many = PSPROF_MANY_TIMED, all = PSPROF_ALL_TIMED;
    bool dense = n->timed >= n->count || (n->sparse && PSPROF_SPARSE_NOW(n->sparse) == 0);
    unsigned last = PSPROF_SPARSE_NOW(n->sparse) == PSPROF_SPARSE ? PSPROF_SPARSE : PSPROF_SPARSER;
    if (t->about.type != PSPROF_ADAPTIVE || count <= all || dense)
        return count;
    return all + ((count < many ? count : many) - all) / (1 << PSPROF_SPARSE) +
           (count > many ? (count - many) / (1 << last) : 0);
}

/* Those that the estimate rests on: some were made to stand for several. */
static double independent_calls(const struct prof_node *n)
{
    unsigned now = PSPROF_SPARSE_NOW(n->sparse), most = PSPROF_SPARSE_MOST(n->sparse);
    double timed = n->timed;
    return most > now ? fmax(timed / (double)(1u << (most - now)), 1) : timed;
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

/* What is taken for the time of a node, callees included. */
struct guess {
    double ns, error; /* error: of its own time, by scaling, 19 times in 20 */
    double least;     /* by what was timed of the calls below */
    double kept;      /* of what was guessed from below */
    double probes;    /* ns; half of its own calls', and of its callees' */
};

/* Each node's self_ns holds the sum of its callees' totals until it is settled itself: callees
 * come after it. cost: of all its callees, picoseconds. */
static void settle_node(struct prof_tree *t, uint32_t i, double *cost, uint64_t ns)
{
    struct prof_node *n = &t->node[i];
    uint64_t below = n->self_ns;
    if (cost)
        ns = subtract_cost(ns, cost[i] + (double)n->count * (double)t->about.inside_ps);
    n->total_ns = ns > below ? ns : below;
    n->self_ns = n->total_ns - below;
    if (n->parent == PROF_NONE)
        return;
    t->node[n->parent].self_ns = prof_add_saturating(t->node[n->parent].self_ns, n->total_ns);
    if (cost)
        cost[n->parent] += cost[i] + cost_above(t, n);
}

/* Scaled times are guesses. What is known of them comes from both sides: a caller took no less than
 * the calls below it that were all timed, and its callees together no more than it did itself, nor
 * all outermost calls more than their thread had. What is too much is taken from the guesses. */
static void guess_up(const struct prof_tree *t, const struct prof_thread *of, struct guess *g)
{
    for (uint32_t n = of->begin; n < of->end; n++)
        g[n] = (struct guess){0};
    for (uint32_t n = of->end; n-- > of->begin;) {
        const struct prof_node *node = &t->node[n];
        double raw = (double)prof_node_raw_ns(t, node);
        if (!is_scaled(t, node))
            g[n].least = raw;
        g[n].ns = fmax(raw, g[n].least);
        if (node->parent != PROF_NONE)
            g[node->parent].least += g[n].least;
    }
}

/* Siblings, the first of them given, share at most room; kept is what stayed of their caller. */
static void fit_siblings(const struct prof_tree *t, struct guess *g, uint32_t first, double room,
                         double kept)
{
    double ns = 0, least = 0;
    for (uint32_t n = first; n != PROF_NONE; n = t->node[n].right) {
        ns += fmax(g[n].ns * kept, g[n].least);
        least += g[n].least;
    }
    double of_guess = ns > room && least < room ? (room - least) / (ns - least) : 1;
    double of_all = least > room ? room / least : 1;
    for (uint32_t n = first; n != PROF_NONE; n = t->node[n].right) {
        double had = g[n].ns, guessed = fmax(had * kept, g[n].least) - g[n].least;
        g[n].ns = (g[n].least + (least < room ? guessed * of_guess : 0)) * of_all;
        g[n].kept = had > 0 ? g[n].ns / had : 1;
    }
}

static void guess_down(const struct prof_tree *t, const struct prof_thread *of, struct guess *g)
{
    double had = (double)of->spent_ns - (double)of->preempted_ns;
    fit_siblings(t, g, of->first, had > 0 ? had : INFINITY, 1);
    for (uint32_t n = of->begin; n < of->end; n++)
        fit_siblings(t, g, t->node[n].down, g[n].ns, g[n].kept);
}

/* For calls that are extrapolated from some: as if their times were spread as widely as they are
 * long; and what had to be changed so that they fit. */
static double scaling_error(const struct prof_tree *t, uint32_t i, double ns)
{
    const struct prof_node *n = &t->node[i];
    if (!is_scaled(t, n))
        return 0;
    return 2 * ns / sqrt(independent_calls(n)) + fabs((double)prof_node_raw_ns(t, n) - ns);
}

/* A function's own time is less what its callees took: it has their errors, too. */
static void guess_errors(const struct prof_tree *t, const struct prof_thread *of, struct guess *g)
{
    for (uint32_t n = of->begin; n < of->end; n++) {
        const struct prof_node *node = &t->node[n];
        double e = scaling_error(t, n, g[n].ns), probes = cost_above(t, node) / 2000;
        g[n].error = hypot(g[n].error, e);
        g[n].probes += probes;
        if (node->parent == PROF_NONE)
            continue;
        g[node->parent].error = hypot(g[node->parent].error, e);
        g[node->parent].probes += probes;
    }
}

static double error_of(const struct prof_thread *of, const struct guess *g, uint64_t self_ns)
{
    double total = (double)of->spent_ns;
    return hypot(g->error, 2 * prof_changed_ns((double)self_ns + g->error, g->probes, total));
}

/* The callees' of a calibration that was made before the program ran; g: where errors are asked. */
static void settle_thread(struct prof_tree *t, struct prof_thread *of, double *cost,
                          const struct guess *g)
{
    for (uint32_t n = of->end; n-- > of->begin;) {
        struct prof_node *node = &t->node[n];
        double own = cost ? cost[n] / 1000 : 0;
        settle_node(t, n, cost, g ? prof_whole_ns(g[n].ns) : prof_node_raw_ns(t, node));
        if (g)
            node->error_ns =
                prof_whole_ns(own * PROF_COST_ERROR + error_of(of, &g[n], node->self_ns));
    }
}

static void add_totals(struct prof_tree *t, struct prof_thread *of)
{
    of->total_ns = 0;
    for (uint32_t n = of->begin; n < of->end; n++)
        t->node[n].total_ns = t->node[n].self_ns;
    for (uint32_t n = of->end; n-- > of->begin;) {
        uint32_t up = t->node[n].parent;
        uint64_t *to = up == PROF_NONE ? &of->total_ns : &t->node[up].total_ns;
        *to = prof_add_saturating(*to, t->node[n].total_ns);
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
    SCOPED_FREE uint64_t *raw = malloc((nodes + 1) * sizeof *raw);
    if (!raw)
        return -ENOMEM;
    settle_thread(t, of, NULL, NULL);
    for (size_t i = 0; i < nodes; i++)
        raw[i] = t->node[of->begin + i].self_ns;
    return prof_estimate(t, of, raw);
}

static bool is_guessed(const struct prof_tree *t)
{
    return t->about.type == PSPROF_ADAPTIVE && !(t->about.sampling & PSPROF_SAMPLED_ALONE);
}

/* Where all calls are timed, nothing but their probes makes them uncertain. */
static void take_raw(const struct prof_tree *t, const struct prof_thread *of, struct guess *g)
{
    for (uint32_t n = of->begin; n < of->end; n++)
        g[n] = (struct guess){.ns = (double)prof_node_raw_ns(t, &t->node[n])};
}

static void settle_unsampled(struct prof_tree *t, struct prof_thread *of, double *cost,
                             struct guess *g)
{
    if (is_guessed(t)) {
        guess_up(t, of, g);
        guess_down(t, of, g);
    } else {
        take_raw(t, of, g);
    }
    guess_errors(t, of, g);
    settle_thread(t, of, cost, g);
}

int prof_tree_settle(struct prof_tree *t, bool raw)
{
    SCOPED_FREE double *cost = raw ? NULL : calloc(t->nodes + 1, sizeof *cost);
    SCOPED_FREE struct guess *g = calloc(t->nodes + 1, sizeof *g);
    int r = (raw || cost) && g ? 0 : -ENOMEM;
    for (size_t i = 0; i < t->nodes; i++)
        t->node[i].self_ns = t->node[i].error_ns = 0;
    for (size_t i = 0; i < t->threads && r == 0; i++) {
        struct prof_thread *of = &t->thread[i];
        if (!raw && is_sampled(t, of))
            r = estimate_thread(t, of);
        else
            settle_unsampled(t, of, cost, g);
        add_totals(t, of);
    }
    return r;
}
