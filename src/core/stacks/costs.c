#include "core/stacks/costs.h"

#include "core/base/scope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What intern compares of a cost. */
enum { COST_KEY = offsetof(struct call_cost, amount) };

/* A walk over the tree of nodes, outermost first. */
struct walk {
    uint32_t *child, *next; /* first child, next sibling; STACKS_NONE ends */
    uint32_t *active;       /* how many nodes of a function are on the path to the current one */
};

static struct call_cost *cost_at(struct call_costs *c, const struct call_cost *key)
{
    uint32_t i = intern(&c->costs, key);
    if (i != INTERN_NONE)
        return (struct call_cost *)c->costs.record + i;
    c->err = -ENOMEM;
    return NULL;
}

static void add_amount(struct call_costs *c, const struct call_cost *key, size_t value,
                       uint64_t amount)
{
    struct call_cost *cost = cost_at(c, key);
    if (cost)
        cost->amount[value] += amount;
}

/* --- functions of one name and file --- */

struct same_key {
    const char *name, *file; /* equal strings of stacks have one address */
};

struct same {
    struct same_key key;
    uint32_t function;
};

static int find_same(struct call_costs *c, const struct stacks *s)
{
    c->first_same = malloc((s->functions + 1) * sizeof *c->first_same);
    for (uint32_t i = 0; c->first_same && i < s->functions; i++) {
        struct same one = {{s->function[i].name, s->function[i].file}, i};
        uint32_t at = intern(&c->same, &one);
        if (at == INTERN_NONE)
            return -ENOMEM;
        c->first_same[i] = ((const struct same *)c->same.record)[at].function;
    }
    return c->first_same ? 0 : -ENOMEM;
}

static uint32_t function_of(const struct call_costs *c, const struct stacks *s, uint32_t node)
{
    return c->first_same[s->frame[s->node[node].frame].function];
}

/* --- costs --- */

static struct call_cost self_of(const struct call_costs *c, const struct stacks *s, uint32_t node)
{
    struct call_cost key = {.function = CALL_UNKNOWN, .callee = CALL_SELF};
    if (node != STACKS_NONE) {
        key.function = function_of(c, s, node);
        key.line = s->frame[s->node[node].frame].line;
    }
    return key;
}

static struct call_cost call_of(const struct call_costs *c, const struct stacks *s, uint32_t node)
{
    uint32_t parent = node == STACKS_NONE ? STACKS_NONE : s->node[node].parent;
    struct call_cost callee = self_of(c, s, node), key = {.function = CALL_ROOT};
    if (parent != STACKS_NONE)
        key = self_of(c, s, parent);
    key.callee = callee.function;
    key.callee_line = callee.line;
    return key;
}

static void add_selves(struct call_costs *c, const struct stacks *s)
{
    for (size_t i = 0; i < s->samples; i++) {
        uint32_t node = s->sample[i].node;
        struct call_cost key = self_of(c, s, node), call = call_of(c, s, node);
        for (size_t v = 0; v < s->values; v++) {
            add_amount(c, &key, v, s->amount[i * s->values + v]);
            if (node == STACKS_NONE)
                add_amount(c, &call, v, s->amount[i * s->values + v]);
        }
    }
}

static void add_call(struct call_costs *c, const struct stacks *s, const struct walk *w,
                     uint32_t node, size_t value, const struct stacks_sums *sums)
{
    struct call_cost key = call_of(c, s, node);
    bool outermost = w->active[key.callee] == 0;
    add_amount(c, &key, value, outermost ? sums->total[node] : 0);
    if (strcmp(s->value[value].name, "calls") == 0) {
        struct call_cost *cost = cost_at(c, &key);
        if (cost)
            cost->calls += sums->self[node];
    }
}

/* --- the walk --- */

static void walk_release(struct walk *w)
{
    free(w->child);
    free(w->next);
    free(w->active);
}

/* Outermost nodes are the children of the place behind all nodes. */
static int walk_make(struct walk *w, const struct stacks *s)
{
    w->child = malloc((s->nodes + 1) * sizeof *w->child);
    w->next = malloc((s->nodes + 1) * sizeof *w->next);
    w->active = calloc(s->functions + 1, sizeof *w->active);
    if (!w->child || !w->next || !w->active)
        return -ENOMEM;
    memset(w->child, 0xff, (s->nodes + 1) * sizeof *w->child);
    for (size_t i = s->nodes; i--;) {
        uint32_t *first =
            &w->child[s->node[i].parent == STACKS_NONE ? s->nodes : s->node[i].parent];
        w->next[i] = *first;
        *first = (uint32_t)i;
    }
    return 0;
}

/* The node behind a node whose children are done, all that end with it left. */
static uint32_t leave_node(const struct call_costs *c, const struct stacks *s, struct walk *w,
                           uint32_t node)
{
    while (node != STACKS_NONE) {
        w->active[function_of(c, s, node)]--;
        if (w->next[node] != STACKS_NONE)
            return w->next[node];
        node = s->node[node].parent;
    }
    return STACKS_NONE;
}

static void walk_calls(struct call_costs *c, const struct stacks *s, struct walk *w, size_t value,
                       const struct stacks_sums *sums)
{
    uint32_t node = w->child[s->nodes];
    while (node != STACKS_NONE) {
        add_call(c, s, w, node, value, sums);
        w->active[function_of(c, s, node)]++;
        node = w->child[node] != STACKS_NONE ? w->child[node] : leave_node(c, s, w, node);
    }
}

static int add_calls(struct call_costs *c, const struct stacks *s)
{
    SCOPED(walk_release) struct walk w = {0};
    int r = walk_make(&w, s);
    for (size_t v = 0; v < s->values && r == 0; v++) {
        SCOPED(stacks_sums_release) struct stacks_sums sums;
        r = stacks_sum(s, v, &sums);
        if (r == 0)
            walk_calls(c, s, &w, v, &sums);
    }
    return r;
}

int call_costs_make(struct call_costs *c, const struct stacks *s)
{
    *c = (struct call_costs){
        .costs = {.each = sizeof(struct call_cost), .key = COST_KEY},
        .same = {.each = sizeof(struct same), .key = sizeof(struct same_key)},
    };
    if (find_same(c, s) < 0)
        return -ENOMEM;
    add_selves(c, s);
    return add_calls(c, s) < 0 ? -ENOMEM : c->err;
}

void call_costs_release(struct call_costs *c)
{
    intern_release(&c->costs);
    intern_release(&c->same);
    free(c->first_same);
    *c = (struct call_costs){0};
}
