/* What a tree's times are worth: scaled to all calls, without what the probes cost. */
#include "build.h"

#include "runtime/psprof_file.h"

#include <errno.h>
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
    double ns = (double)n->time_ns * ((double)n->count / (double)n->timed);
    return ns < (double)INT64_MAX ? (uint64_t)ns : INT64_MAX;
}

size_t prof_tree_scaled(const struct prof_tree *t)
{
    size_t scaled = 0;
    for (size_t i = 0; i < t->nodes; i++)
        scaled += is_scaled(t, &t->node[i]);
    return scaled;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

/* Calls whose two clock readings were really made: timed is thinned out since. */
static double measured(const struct prof_tree *t, const struct prof_node *n)
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
    double timed = measured(t, n), all = (double)n->count;
    return timed * ((double)t->about.inside_ps + (double)t->about.outside_ps) +
           (all - timed) * (double)t->about.untimed_ps;
}

static uint64_t without(uint64_t ns, double cost_ps)
{
    double cost = cost_ps / 1000;
    return cost < (double)ns ? ns - (uint64_t)cost : 0;
}

/* Each node's self_ns holds the sum of its callees' totals until it is settled itself: callees
 * stand behind it. cost: of all its callees, picoseconds. */
static void settle_node(struct prof_tree *t, uint32_t i, double *cost)
{
    struct prof_node *n = &t->node[i];
    uint64_t below = n->self_ns, ns = prof_node_raw_ns(t, n);
    if (cost)
        ns = without(ns, cost[i] + (double)n->count * (double)t->about.inside_ps);
    n->total_ns = ns > below ? ns : below;
    n->self_ns = n->total_ns - below;
    if (n->parent == PROF_NONE)
        return;
    t->node[n->parent].self_ns = plus(t->node[n->parent].self_ns, n->total_ns);
    if (cost)
        cost[n->parent] += cost[i] + cost_above(t, n);
}

int prof_tree_settle(struct prof_tree *t, bool raw)
{
    double *cost = raw ? NULL : calloc(t->nodes + 1, sizeof *cost);
    if (!raw && !cost)
        return -ENOMEM;
    for (size_t i = 0; i < t->nodes; i++)
        t->node[i].self_ns = 0;
    for (size_t i = 0; i < t->threads; i++) {
        struct prof_thread *of = &t->thread[i];
        of->total_ns = 0;
        for (uint32_t n = of->end; n-- > of->begin;) {
            settle_node(t, n, cost);
            if (t->node[n].parent == PROF_NONE)
                of->total_ns = plus(of->total_ns, t->node[n].total_ns);
        }
    }
    free(cost);
    return 0;
}
