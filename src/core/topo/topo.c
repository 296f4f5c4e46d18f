#include "core/topo/topo.h"

#include "core/base/grow.h"
#include "core/base/scope.h"
#include "core/base/sort.h"

#include <errno.h>
#include <string.h>

void topo_init(struct topo *t)
{
    *t = (struct topo){
        .unit = "ns",
        .edges = {.each = sizeof(struct topo_relation),
                  .key = offsetof(struct topo_relation, calls)},
    };
}

void topo_release(struct topo *t)
{
    for (size_t i = 0; i < t->functions; i++)
        free(t->function[i].at);
    free(t->function);
    free(t->relation);
    free(t->by_callee);
    intern_release(&t->names);
    intern_release(&t->edges);
    topo_init(t);
}

uint32_t topo_function(struct topo *t, const char *name)
{
    uint32_t i = intern_string(&t->names, name);
    if (i == INTERN_NONE || i < t->functions)
        return i;
    struct topo_function new = {.name = intern_string_at(&t->names, i), .depth = TOPO_NONE};
    if (GROW_ADD(t->function, t->cap, t->functions, new))
        return i;
    t->err = -ENOMEM;
    return TOPO_NONE;
}

void topo_add_depths(struct topo *t, uint32_t function, uint32_t depth, uint64_t calls)
{
    if (function >= t->functions)
        return;
    struct topo_function *f = &t->function[function];
    f->calls = topo_sum(f->calls, calls);
    f->depth = depth < f->depth ? depth : f->depth;
    if (f->ats && f->at[f->ats - 1].depth == depth)
        f->at[f->ats - 1].calls = topo_sum(f->at[f->ats - 1].calls, calls);
    else if (!GROW_ADD(f->at, f->cap, f->ats, (struct topo_depths){depth, calls}))
        t->err = -ENOMEM;
}

void topo_relate(struct topo *t, uint32_t caller, uint32_t callee, uint64_t calls, uint64_t total)
{
    struct topo_relation relation = {.caller = caller, .callee = callee};
    if (caller >= t->functions || callee >= t->functions)
        return;
    uint32_t i = intern(&t->edges, &relation);
    if (i == INTERN_NONE)
        return;
    struct topo_relation *r = (struct topo_relation *)t->edges.record + i;
    r->calls = topo_sum(r->calls, calls);
    r->total = topo_sum(r->total, total);
}

void topo_add_call(struct topo *t, const struct topo_call *call)
{
    if (call->function >= t->functions)
        return;
    struct topo_function *f = &t->function[call->function];
    f->shortest = !f->calls || call->total < f->shortest ? call->total : f->shortest;
    f->longest = call->total > f->longest ? call->total : f->longest;
    f->total = topo_sum(f->total, call->total);
    f->local = topo_sum(f->local, call->local);
    topo_add_depths(t, call->function, call->depth, 1);
    topo_relate(t, call->caller, call->function, 1, call->total);
}

/* --- order --- */

/* Rounded down. */
static uint64_t mean_depth(const struct topo_function *f)
{
    uint64_t sum = 0, calls = 0, part;
    for (size_t i = 0; i < f->ats; i++) {
        if (__builtin_mul_overflow(f->at[i].calls, f->at[i].depth, &part))
            return f->depth;
        sum = topo_sum(sum, part);
        calls = topo_sum(calls, f->at[i].calls);
    }
    return calls && sum < UINT64_MAX ? sum / calls : f->depth;
}

struct place {
    uint64_t depth;
    const char *name;
    uint32_t index;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return ORDER(x->depth, y->depth) ?: strcmp(x->name, y->name);
}

/* new_index[i]: where function i is from now on. */
static int sort_functions(struct topo *t, uint32_t *new_index)
{
    SCOPED_FREE struct place *place = malloc((t->functions + 1) * sizeof *place);
    SCOPED_FREE struct topo_function *sorted = malloc((t->functions + 1) * sizeof *sorted);
    if (!place || !sorted)
        return -ENOMEM;
    for (size_t i = 0; i < t->functions; i++)
        place[i] = (struct place){mean_depth(&t->function[i]), t->function[i].name, (uint32_t)i};
    sort_array(place, t->functions, sizeof *place, compare_places);
    for (size_t i = 0; i < t->functions; i++) {
        sorted[i] = t->function[place[i].index];
        new_index[place[i].index] = (uint32_t)i;
    }
    for (size_t i = 0; i < t->functions; i++)
        t->function[i] = sorted[i];
    return 0;
}

/* A relation with what orders it, as qsort passes no context. */
struct sorted_relation {
    uint32_t group, index;
    const char *name;
};

static int compare_relations(const void *a, const void *b)
{
    const struct sorted_relation *x = a, *y = b;
    return ORDER(x->group, y->group) ?: strcmp(x->name, y->name);
}

static void copy_relations(struct topo *t, const uint32_t *new_index)
{
    t->relations = t->edges.count;
    if (t->relations)
        memcpy(t->relation, t->edges.record, t->relations * sizeof *t->relation);
    for (size_t i = 0; i < t->relations; i++) {
        t->relation[i].caller = new_index[t->relation[i].caller];
        t->relation[i].callee = new_index[t->relation[i].callee];
    }
}

static void sort_by_caller(struct topo *t, struct sorted_relation *key,
                           struct topo_relation *before)
{
    for (size_t i = 0; i < t->relations; i++) {
        const struct topo_relation *r = &t->relation[i];
        before[i] = *r;
        key[i] = (struct sorted_relation){r->caller, (uint32_t)i, t->function[r->callee].name};
    }
    sort_array(key, t->relations, sizeof *key, compare_relations);
    for (size_t i = t->relations; i-- > 0;) {
        t->relation[i] = before[key[i].index];
        t->function[t->relation[i].caller].first_callee = i;
        t->function[t->relation[i].caller].callees++;
    }
}

static void sort_by_callee(struct topo *t, struct sorted_relation *key)
{
    for (size_t i = 0; i < t->relations; i++) {
        const struct topo_relation *r = &t->relation[i];
        key[i] = (struct sorted_relation){r->callee, (uint32_t)i, t->function[r->caller].name};
    }
    sort_array(key, t->relations, sizeof *key, compare_relations);
    for (size_t i = t->relations; i-- > 0;) {
        struct topo_function *f = &t->function[key[i].group];
        t->by_callee[i] = key[i].index;
        f->first_caller = i;
        f->callers++;
    }
}

static int sort_relations(struct topo *t, const uint32_t *new_index)
{
    size_t n = t->edges.count + 1; /* never 0 bytes */
    SCOPED_FREE struct sorted_relation *key = malloc(n * sizeof *key);
    SCOPED_FREE struct topo_relation *before = malloc(n * sizeof *before);
    t->relation = malloc(n * sizeof *t->relation);
    t->by_callee = malloc(n * sizeof *t->by_callee);
    if (!key || !before || !t->relation || !t->by_callee)
        return -ENOMEM;
    copy_relations(t, new_index);
    sort_by_caller(t, key, before);
    sort_by_callee(t, key);
    return 0;
}

int topo_finish(struct topo *t)
{
    if (t->err || t->names.err || t->edges.err)
        return -ENOMEM;
    for (size_t i = 0; i < t->functions; i++)
        t->function[i].depth = t->function[i].depth == TOPO_NONE ? 0 : t->function[i].depth;
    SCOPED_FREE uint32_t *new_index = malloc((t->functions + 1) * sizeof *new_index);
    int r = new_index ? sort_functions(t, new_index) : -ENOMEM;
    return r ? r : sort_relations(t, new_index);
}

/* --- asking --- */

uint32_t topo_parent(const struct topo *t, uint32_t function)
{
    const struct topo_function *f = &t->function[function];
    uint32_t best = TOPO_NONE, least = f->depth;
    for (size_t i = 0; i < f->callers; i++) {
        uint32_t caller = t->relation[t->by_callee[f->first_caller + i]].caller;
        if (t->function[caller].depth < least) {
            best = caller;
            least = t->function[caller].depth;
        }
    }
    return best;
}

const char *topo_reason_text(enum topo_reason reason)
{
    static const char *const text[TOPO_REASONS] = {
        "an exit without its entry", "an entry out of order",
        "the record ends inside it", "callees took longer than their caller",
        "events were lost",          "too many calls in it"};
    return text[reason];
}
