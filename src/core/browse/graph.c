/* The call tree of all samples, and its sums of those in scope. */
#include "private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- the tree --- */

/* A function that its own frame calls stays at that frame's node. */
static bool add_node(struct browse_graph *g, uint32_t i, uint32_t *depth)
{
    const struct stacks *s = g->stacks;
    uint32_t caller = s->node[i].parent, row = call_row_of(&g->tree.rows, s, i);
    uint32_t at = caller == STACKS_NONE ? STACKS_NONE : g->node_of[caller];
    bool again = at != STACKS_NONE && g->tree.node[at].row == row;
    depth[i] = again ? depth[caller] + 1 : 1;
    g->node_of[i] = again ? at : call_tree_add(&g->tree, at, row);
    if (g->node_of[i] == INTERN_NONE)
        return false;
    struct call_node *n = &g->tree.node[g->node_of[i]];
    n->depth = depth[i] > n->depth ? depth[i] : n->depth;
    return true;
}

static bool add_nodes(struct browse_graph *g)
{
    uint32_t *depth = malloc((g->stacks->nodes + 1) * sizeof *depth);
    bool ok = depth && g->node_of;
    for (uint32_t i = 0; ok && i < g->stacks->nodes; i++)
        ok = add_node(g, i, depth);
    free(depth);
    if (ok)
        g->unknown = call_tree_add(&g->tree, STACKS_NONE, g->tree.rows.unknown);
    return ok && g->unknown != INTERN_NONE && call_tree_link(&g->tree, NULL, false) == 0;
}

/* --- modules --- */

/* Equal names are equal pointers (core/stacks/functions.h). */
static bool number_modules(struct browse_graph *g)
{
    struct intern names = {.each = sizeof(const char *), .key = sizeof(const char *)};
    bool ok = g->module_of;
    for (size_t i = 0; ok && i < g->tree.rows.rows; i++) {
        const char *name = g->tree.rows.row[i].module;
        g->module_of[i] = intern(&names, &name);
        ok = g->module_of[i] != INTERN_NONE;
    }
    g->module = names.record;
    g->modules = names.count;
    free(names.slot);
    return ok;
}

/* --- which nodes are the outermost of their function, and of their module --- */

struct chain {
    struct browse_graph *graph;
    uint32_t *rows, *modules; /* how often each is on the walk's path */
};

static bool enter_node(void *arg, uint32_t node)
{
    struct chain *c = arg;
    uint32_t row = c->graph->tree.node[node].row, module = c->graph->module_of[row];
    c->graph->outer[node] =
        (c->rows[row] ? 0 : BROWSE_OUTER_FUNCTION) | (c->modules[module] ? 0 : BROWSE_OUTER_MODULE);
    c->rows[row]++;
    c->modules[module]++;
    return true;
}

static void leave_node(void *arg, uint32_t node)
{
    struct chain *c = arg;
    uint32_t row = c->graph->tree.node[node].row;
    c->rows[row]--;
    c->modules[c->graph->module_of[row]]--;
}

static bool find_outer(struct browse_graph *g)
{
    struct chain c = {g, calloc(g->tree.rows.rows + 1, sizeof *c.rows),
                      calloc(g->modules + 1, sizeof *c.modules)};
    bool ok = c.rows && c.modules && g->outer;
    if (ok)
        call_tree_walk(&g->tree, enter_node, leave_node, &c);
    free(c.rows);
    free(c.modules);
    return ok;
}

/* --- nodes by their rows --- */

static bool index_rows(struct browse_graph *g)
{
    size_t rows = g->tree.rows.rows;
    if (!g->by_row || !g->row_first)
        return false;
    for (size_t i = 0; i < g->tree.nodes; i++)
        g->row_first[g->tree.node[i].row + 1]++;
    for (size_t r = 0; r < rows; r++)
        g->row_first[r + 1] += g->row_first[r];
    for (uint32_t i = (uint32_t)g->tree.nodes; i--;)
        g->by_row[--g->row_first[g->tree.node[i].row + 1]] = i;
    /* each is one further on now: the start of its own */
    memmove(g->row_first, g->row_first + 1, rows * sizeof *g->row_first);
    g->row_first[rows] = (uint32_t)g->tree.nodes;
    return true;
}

static bool make_arrays(struct browse_graph *g)
{
    size_t rows = g->tree.rows.rows + 2, nodes = g->tree.nodes + 1;
    g->outer = calloc(nodes, sizeof *g->outer);
    g->by_row = malloc(nodes * sizeof *g->by_row);
    g->row_first = calloc(rows, sizeof *g->row_first);
    g->module_of = malloc(rows * sizeof *g->module_of);
    g->row = calloc(rows, sizeof *g->row);
    g->thread = calloc(g->stacks->threads + 1, sizeof *g->thread);
    return g->row && g->thread && number_modules(g) &&
           (g->of_module = calloc(g->modules + 1, sizeof *g->of_module));
}

static void find_duration(struct browse_graph *g, const struct browse_source *source)
{
    for (size_t i = 0; i < source->events; i++) {
        uint64_t t = source->event(source->arg, i).time_ns;
        g->duration_ns = t >= g->duration_ns ? t + 1 : g->duration_ns;
    }
}

int browse_graph_init(struct browse_graph *g, const struct browse_source *source)
{
    *g = (struct browse_graph){.stacks = source->stacks};
    call_tree_init(&g->tree);
    g->node_of = malloc((source->stacks->nodes + 1) * sizeof *g->node_of);
    bool ok = call_rows_make(source->stacks, &g->tree.rows) == 0 && add_nodes(g) &&
              make_arrays(g) && find_outer(g) && index_rows(g);
    if (!ok)
        return -ENOMEM;
    g->whole = stacks_total(source->stacks, source->stacks->values - 1);
    find_duration(g, source);
    return 0;
}

void browse_graph_release(struct browse_graph *g)
{
    call_tree_release(&g->tree);
    free(g->node_of);
    free(g->outer);
    free(g->by_row);
    free(g->row_first);
    free(g->module_of);
    free(g->module);
    free(g->row);
    free(g->of_module);
    free(g->thread);
    *g = (struct browse_graph){0};
}

/* --- counting --- */

bool browse_scope_has(const struct stacks *s, const struct browse_scope *scope, uint32_t thread)
{
    if (scope->thread != STACKS_NONE)
        return thread == scope->thread;
    return !scope->by_process || (thread != STACKS_NONE && s->thread[thread].pid == scope->pid);
}

static void clear_sums(struct browse_graph *g)
{
    for (size_t i = 0; i < g->tree.nodes; i++)
        g->tree.node[i].self = g->tree.node[i].total = 0;
    memset(g->row, 0, g->tree.rows.rows * sizeof *g->row);
    memset(g->of_module, 0, g->modules * sizeof *g->of_module);
    memset(g->thread, 0, g->stacks->threads * sizeof *g->thread);
    memset(g->bin, 0, sizeof g->bin);
    g->samples = g->tree.total = 0;
}

/* In the time of the scope. */
static void count(struct browse_graph *g, const struct browse_scope *scope,
                  const struct browse_event *e, uint64_t samples)
{
    if (e->thread != STACKS_NONE)
        g->thread[e->thread] += e->amount;
    if (!browse_scope_has(g->stacks, scope, e->thread))
        return;
    g->tree.node[e->node == STACKS_NONE ? g->unknown : g->node_of[e->node]].self += e->amount;
    g->samples += samples;
}

static void count_events(struct browse_graph *g, const struct browse_source *source,
                         const struct browse_scope *scope)
{
    for (size_t i = 0; i < source->events; i++) {
        struct browse_event e = source->event(source->arg, i);
        size_t bin = (size_t)((double)e.time_ns / (double)g->duration_ns * BROWSE_BINS);
        if (browse_scope_has(g->stacks, scope, e.thread))
            g->bin[bin < BROWSE_BINS ? bin : BROWSE_BINS - 1] += e.amount;
        if (scope->by_time && e.time_ns >= scope->from_ns && e.time_ns < scope->to_ns)
            count(g, scope, &e, 1);
    }
}

/* The first value is how many samples there were, but for heap profiles. */
static void count_sums(struct browse_graph *g, const struct browse_scope *scope)
{
    const struct stacks *s = g->stacks;
    bool counted = s->values > 1 && strcmp(s->value[0].name, "samples") == 0;
    for (size_t i = 0; i < s->samples; i++) {
        const uint64_t *amount = s->amount + i * s->values;
        struct browse_event e = {0, amount[s->values - 1], s->sample[i].thread, s->sample[i].node};
        count(g, scope, &e, counted ? amount[0] : 0);
    }
}

static void add(struct browse_sums *to, const struct call_node *n, bool outer)
{
    to->self += n->self;
    to->total += outer ? n->total : 0;
}

static void sum_up(struct browse_graph *g)
{
    struct call_tree *t = &g->tree;
    for (size_t i = t->nodes; i--;) {
        struct call_node *n = &t->node[i];
        n->total += n->self;
        *(n->parent == STACKS_NONE ? &t->total : &t->node[n->parent].total) += n->total;
    }
    for (size_t i = 0; i < t->nodes; i++) {
        const struct call_node *n = &t->node[i];
        add(&g->row[n->row], n, g->outer[i] & BROWSE_OUTER_FUNCTION);
        add(&g->of_module[g->module_of[n->row]], n, g->outer[i] & BROWSE_OUTER_MODULE);
    }
}

void browse_graph_count(struct browse_graph *g, const struct browse_source *source,
                        const struct browse_scope *scope)
{
    clear_sums(g);
    count_events(g, source, scope);
    if (!scope->by_time)
        count_sums(g, scope);
    sum_up(g);
}

const struct stacks_function *browse_row_function(const struct browse_graph *g, uint32_t row)
{
    uint32_t f = row < g->tree.rows.rows ? g->tree.rows.row[row].function : STACKS_NONE;
    return f == STACKS_NONE ? NULL : &g->stacks->function[f];
}
