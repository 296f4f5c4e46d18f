#include "flame_tree.h"

#include "core/base/scope.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct stacks_value values[FLAME_VALUES] = {
    {"count", ""}, {"weight", ""}, {"count before", ""}, {"weight before", ""}};

static uint32_t function_in(struct stacks *tree, const struct stacks *s,
                            const struct stacks_function *f)
{
    bool outside = f->module == STACKS_NONE;
    return stacks_function(
        tree,
        &(struct stacks_function){
            .name = f->name,
            .module = outside ? STACKS_NONE : stacks_module(tree, stacks_module_name(s, f), ""),
            .kind = f->kind});
}

static uint32_t unknown_node(struct stacks *tree)
{
    struct stacks_frame frame = {
        .function = stacks_function(tree, &(struct stacks_function){.name = "(unknown)",
                                                                    .module = STACKS_NONE,
                                                                    .kind = STACKS_USER})};
    return stacks_node(tree, STACKS_NONE, stacks_frame(tree, &frame));
}

/* function: of each function of s, the tree's; STACKS_NONE: not made yet. */
static void graft_nodes(struct stacks *tree, const struct stacks *s, uint32_t *function,
                        uint32_t *to)
{
    for (size_t i = 0; i < s->nodes; i++) {
        const struct stacks_node *n = &s->node[i];
        const struct stacks_frame *from = &s->frame[n->frame];
        uint32_t *own = &function[from->function];
        if (*own == STACKS_NONE)
            *own = function_in(tree, s, &s->function[from->function]);
        struct stacks_frame f = {.function = *own, .inlined = from->inlined};
        to[i] = stacks_node(tree, n->parent == STACKS_NONE ? STACKS_NONE : to[n->parent],
                            stacks_frame(tree, &f));
    }
}

/* Samples are added as the two values from `first' on. */
static void graft_samples(struct stacks *tree, const struct stacks *s, const uint32_t *to,
                          enum flame_value first)
{
    for (size_t i = 0; i < s->samples; i++) {
        uint32_t node = s->sample[i].node;
        uint64_t amount[FLAME_VALUES] = {0};
        amount[first] = s->amount[i * s->values];
        amount[first + 1] = s->amount[i * s->values + s->values - 1];
        stacks_add(tree, STACKS_NONE, node == STACKS_NONE ? unknown_node(tree) : to[node], 0,
                   amount);
    }
}

/* to: one element per node of s; receives the node's index in the tree. */
static int graft_stacks(struct flame_tree *t, const struct stacks *s, uint32_t *to,
                        enum flame_value first)
{
    SCOPED_FREE uint32_t *function = malloc((s->functions + 1) * sizeof *function);
    if (!function)
        return -ENOMEM;
    memset(function, 0xff, s->functions * sizeof *function);
    graft_nodes(&t->stacks, s, function, to);
    if (stacks_error(&t->stacks))
        return -ENOMEM;
    graft_samples(&t->stacks, s, to, first);
    return stacks_error(&t->stacks);
}

static int find_places(struct flame_tree *t, const struct stacks *s, const uint32_t *to)
{
    struct stacks_sums own;
    t->place = calloc(t->stacks.nodes + 1, sizeof *t->place);
    if (!t->place || stacks_sum(s, s->values - 1, &own) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < s->nodes; i++) {
        struct flame_place *p = &t->place[to[i]];
        if (!p->file || own.total[i] > p->weight)
            *p = (struct flame_place){stacks_function_of(s, (uint32_t)i)->file,
                                      s->frame[s->node[i].frame].line, own.total[i]};
    }
    stacks_sums_release(&own);
    for (size_t i = 0; i < t->stacks.nodes; i++)
        if (!t->place[i].file)
            t->place[i].file = "";
    return 0;
}

static int sum_values(struct flame_tree *t)
{
    for (size_t v = 0; v < FLAME_VALUES; v++) {
        t->total[v] = stacks_total(&t->stacks, v);
        if (stacks_sum(&t->stacks, v, &t->sums[v]) < 0)
            return -ENOMEM;
    }
    return 0;
}

int flame_tree_init(struct flame_tree *t, const struct stacks *s, const struct stacks *before)
{
    size_t max_nodes = before && before->nodes > s->nodes ? before->nodes : s->nodes;
    SCOPED_FREE uint32_t *to = malloc((max_nodes + 1) * sizeof *to);
    *t = (struct flame_tree){0};
    stacks_init(&t->stacks, values, FLAME_VALUES);
    int r = to ? 0 : -ENOMEM;
    if (r == 0 && before)
        r = graft_stacks(t, before, to, FLAME_COUNT_BEFORE);
    if (r == 0)
        r = graft_stacks(t, s, to, FLAME_COUNT);
    if (r == 0)
        r = find_places(t, s, to);
    return r ? r : sum_values(t);
}

void flame_tree_release(struct flame_tree *t)
{
    for (size_t v = 0; v < FLAME_VALUES; v++)
        stacks_sums_release(&t->sums[v]);
    free(t->place);
    stacks_release(&t->stacks);
}

int flame_tree_vanished(const struct flame_tree *t, struct flame_vanished *out)
{
    const struct stacks *s = &t->stacks;
    const uint64_t *now = t->sums[FLAME_WEIGHT].total;
    const struct stacks_sums *before = &t->sums[FLAME_WEIGHT_BEFORE];
    SCOPED_FREE struct seen {
        bool now, before;
        uint64_t self;
    } *seen = calloc(s->functions + 1, sizeof *seen);
    *out = (struct flame_vanished){0};
    if (!seen)
        return -ENOMEM;
    for (size_t i = 0; i < s->nodes; i++) {
        struct seen *f = &seen[s->frame[s->node[i].frame].function];
        f->now |= now[i] > 0;
        f->before |= before->total[i] > 0;
        f->self += before->self[i];
    }
    for (size_t i = 0; i < s->functions; i++)
        if (seen[i].before && !seen[i].now) {
            out->functions++;
            out->weight += seen[i].self;
        }
    return 0;
}
