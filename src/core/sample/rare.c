#include "core/sample/rare.h"

#include "core/base/scope.h"

#include "folding.h"

#include <stdlib.h>
#include <string.h>

enum { ALWAYS = 64 }; /* the rank of what stays: more than any sum's */

struct ranking {
    struct folding folding;
    uint8_t *rank; /* of a node: the binary digits of what was counted there and below */
    bool *own;     /* something was counted there itself */
    uint32_t *origin;
};

/* --- how much was counted at each node and below --- */

static uint8_t digits(uint64_t n)
{
    return n ? (uint8_t)(64 - __builtin_clzll(n)) : 0;
}

/* Weights of a file may be any. */
static void add(uint64_t *to, uint64_t n)
{
    if (__builtin_add_overflow(*to, n, to))
        *to = UINT64_MAX;
}

/* A child's number is above its parent's. */
static bool rank_nodes(struct ranking *r)
{
    const struct sampled *s = r->folding.from;
    SCOPED_FREE uint64_t *total = calloc(s->nodes.count + 1, sizeof *total);
    if (!total)
        return false;
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        add(&total[c->node], c->samples);
        add(&total[c->node], c->weight);
        r->own[c->node] |= c->samples != 0;
    }
    for (size_t i = s->nodes.count; i--;) {
        uint32_t parent = sampled_node_at(s, (uint32_t)i)->parent;
        r->rank[i] = digits(total[i]);
        if (parent != INTERN_NONE)
            add(&total[parent], total[i]);
    }
    return true;
}

static void keep_chain(void *arg, uint32_t node)
{
    struct ranking *r = arg;
    for (; node != INTERN_NONE && r->rank[node] != ALWAYS;
         node = sampled_node_at(r->folding.from, node)->parent)
        r->rank[node] = ALWAYS;
}

static void keep_waits(struct ranking *r)
{
    const struct sampled_waiting *w = &r->folding.from->waiting;
    for (int why = SAMPLED_ASLEEP; w->ready && why <= SAMPLED_PREEMPTED; why++)
        keep_chain(r, w->root[why]);
    waits_each_location(&w->pairing, keep_chain, r);
}

/* The least rank of nodes with callers that are as many as fit. */
static unsigned least_that_fits(const struct ranking *r, size_t room)
{
    const struct sampled *s = r->folding.from;
    size_t of[ALWAYS + 1] = {0}, sum;
    unsigned least = ALWAYS;
    for (uint32_t i = 0; i < s->nodes.count; i++)
        of[r->rank[i]] += sampled_node_at(s, i)->parent != INTERN_NONE;
    for (sum = of[ALWAYS]; least > 1 && sum + of[least - 1] <= room; least--)
        sum += of[least - 1];
    return least;
}

/* --- numbered anew --- */

/* A caller has a rank as high as what it calls: it is there. */
static bool number_nodes(struct ranking *r, unsigned least)
{
    struct folding *f = &r->folding;
    for (uint32_t i = 0; i < f->from->nodes.count; i++) {
        struct sampled_node n = *sampled_node_at(f->from, i);
        bool outermost = n.parent == INTERN_NONE, stays = outermost || r->rank[i] >= least;
        if (!stays && !r->own[i])
            continue;
        n.parent = outermost || !stays ? INTERN_NONE : f->node_to[n.parent];
        f->node_to[i] = intern(&f->nodes, &n);
        if (f->node_to[i] == INTERN_NONE)
            return false;
        if (stays)
            r->origin[f->node_to[i]] = i;
    }
    return true;
}

static void count_merged(const struct ranking *r)
{
    struct sampled *s = r->folding.from;
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        if (r->origin[r->folding.node_to[c->node]] != c->node)
            s->count.merged += c->samples;
    }
}

/* --- */

static uint32_t *same_numbers(size_t count)
{
    uint32_t *to = malloc((count + 1) * sizeof *to);
    for (size_t i = 0; to && i < count; i++)
        to[i] = (uint32_t)i;
    return to;
}

static bool begin(struct ranking *r, struct sampled *s, uint32_t **module)
{
    size_t n = s->nodes.count + 1;
    bool whole = folding_begin_nodes(&r->folding, s);
    r->rank = calloc(n, sizeof *r->rank);
    r->own = calloc(n, sizeof *r->own);
    r->origin = malloc(n * sizeof *r->origin);
    *module = same_numbers(s->mapped.modules.count);
    if (r->origin)
        memset(r->origin, 0xff, n * sizeof *r->origin);
    return whole && r->rank && r->own && r->origin && *module;
}

static void release(struct ranking *r)
{
    folding_release(&r->folding);
    free(r->rank);
    free(r->own);
    free(r->origin);
}

static bool is_due(const struct sampled *s)
{
    size_t max = s->want.max_nodes;
    return s->nodes.count >= max - max / 4 && s->nodes.count >= s->merged_nodes + max / 8 &&
           !s->heap.sites;
}

bool sampled_merge_rare(struct sampled *s, struct rare_merged *out)
{
    struct ranking r = {0};
    uint32_t *module = NULL;
    *out = (struct rare_merged){0};
    if (!is_due(s))
        return false;
    bool whole = begin(&r, s, &module) && rank_nodes(&r);
    if (whole) {
        keep_waits(&r);
        whole = number_nodes(&r, least_that_fits(&r, s->want.max_nodes / 2)) &&
                folding_cells(&r.folding);
    }
    if (whole) {
        count_merged(&r);
        folding_replace(&r.folding);
        *out = (struct rare_merged){
            .to = {.cell = r.folding.cell_to, .node = r.folding.node_to, .module = module},
            .origin = r.origin,
            .before = r.folding.nodes};
        r.folding.cell_to = r.folding.node_to = r.origin = module = NULL;
        r.folding.nodes = (struct intern){0};
    }
    s->merged_nodes = s->nodes.count;
    free(module);
    release(&r);
    return whole;
}

void rare_merged_release(struct rare_merged *out)
{
    forgotten_release(&out->to);
    free(out->origin);
    intern_release(&out->before);
    *out = (struct rare_merged){0};
}
