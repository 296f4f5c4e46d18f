/* What no kept sample has leaves: nodes, cells, threads and their control groups, ends of chains,
 * modules. */
#include "core/sample/kept.h"

#include "core/base/sort.h"
#include "count.h"
#include "folding.h"

#include <stdlib.h>
#include <string.h>

enum {
    MORE_NODES = 1 << 14, /* as many again, and so many: then it is worth while */
    MORE_THREADS = 1 << 10,
    MORE_MODULES = 1 << 8,
    GONE = UINT32_MAX
};

struct compaction {
    struct kept *kept;
    struct sampled *from;
    struct folding folding; /* node_to: GONE: it leaves */
    struct intern ends;
    struct sampled_threads threads;
    struct intern cgroups;                         /* paths */
    uint32_t *thread_to, *end_to, *module_to;      /* GONE: it leaves */
    struct kept_counts counts[KEPT_MAX_SPANS + 1]; /* of the spans, then of all that are closed */
    struct module **gone;
    size_t gone_count;
};

/* --- what stays --- */

static void mark_node(void *arg, uint32_t node)
{
    struct folding *f = arg;
    for (; node != INTERN_NONE && f->node_to[node] == GONE;
         node = sampled_node_at(f->from, node)->parent)
        f->node_to[node] = 0;
}

static void mark_sample(void *arg, const struct sampled_one *one)
{
    mark_node(arg, one->node);
}

/* The first is that of what does not fit. */
static void mark_nodes(struct compaction *c)
{
    const struct sampled_waiting *w = &c->from->waiting;
    if (c->from->nodes.count)
        mark_node(&c->folding, 0);
    for (int why = SAMPLED_ASLEEP; w->ready && why <= SAMPLED_PREEMPTED; why++)
        mark_node(&c->folding, w->root[why]);
    waits_each_location(&w->pairing, mark_node, &c->folding);
    kept_each(c->kept, mark_sample, &c->folding);
}

static void mark_module(void *arg, size_t module)
{
    struct compaction *c = arg;
    c->module_to[module] = 0;
}

static void mark_modules(struct compaction *c)
{
    const struct modules *all = &c->from->mapped.modules;
    spaces_each(&c->from->mapped.spaces, mark_module, c);
    for (uint32_t i = 0; i < c->from->nodes.count; i++) {
        uint32_t module = sampled_node_at(c->from, i)->module;
        if (c->folding.node_to[i] != GONE && module != SAMPLED_OUTSIDE)
            mark_module(c, module);
    }
    for (size_t i = 0; i < all->count; i++)
        if (!sampled_may_leave(c->from, all->module[i]))
            mark_module(c, i);
}

/* --- numbered anew --- */

static bool number_modules(struct compaction *c)
{
    const struct modules *all = &c->from->mapped.modules;
    uint32_t next = 0;
    c->gone = calloc(all->count + 1, sizeof *c->gone);
    for (size_t i = 0; c->gone && i < all->count; i++)
        if (c->module_to[i] == GONE)
            c->gone[c->gone_count++] = all->module[i];
        else
            c->module_to[i] = next++;
    return c->gone;
}

static uint32_t module_to(const struct compaction *c, uint32_t module)
{
    uint32_t to = module == SAMPLED_OUTSIDE ? GONE : c->module_to[module];
    return to == GONE ? SAMPLED_OUTSIDE : to;
}

/* Parents come before what they call. */
static bool number_nodes(struct compaction *c)
{
    struct folding *f = &c->folding;
    for (uint32_t i = 0; i < f->from->nodes.count; i++) {
        struct sampled_node n = *sampled_node_at(f->from, i);
        if (f->node_to[i] == GONE)
            continue;
        n.parent = n.parent == INTERN_NONE ? INTERN_NONE : f->node_to[n.parent];
        n.module = module_to(c, n.module);
        f->node_to[i] = intern(&f->nodes, &n);
        if (f->node_to[i] == INTERN_NONE)
            return false;
    }
    return true;
}

/* Groups here are of processes that were asked, not of records. */
static bool number_cgroup(struct compaction *c, struct sampled_thread *t)
{
    const char *path = sampled_cgroup_path(c->from, t->cgroup);
    uint32_t i = path ? intern_string(&c->cgroups, path) : INTERN_NONE;
    t->cgroup = i == INTERN_NONE ? 0 : i + 1;
    return !path || t->cgroup;
}

static bool number_threads(struct compaction *c)
{
    const struct sampled_threads *all = &c->from->threads;
    for (size_t i = 0; i < all->count; i++) {
        const struct sampled_thread *t = &all->thread[i];
        if ((t->ended && !t->samples) || all->spare == i + 1)
            continue;
        uint64_t *index = imap_at(&c->threads.of_tid, t->tid);
        if (!index)
            return false;
        c->thread_to[i] = (uint32_t)c->threads.count;
        c->threads.ended += t->ended;
        c->threads.thread[c->threads.count] = *t;
        if (!number_cgroup(c, &c->threads.thread[c->threads.count++]))
            return false;
        *index = c->threads.count;
    }
    return true;
}

static bool number_ends(struct compaction *c)
{
    const struct intern *ends = &c->from->unwound.ends;
    for (size_t i = 0; i < ends->count; i++) {
        const struct sampled_end *from = (const struct sampled_end *)ends->record + i;
        if (!from->chains)
            continue;
        struct sampled_end *to = sampled_end_of(&c->ends, module_to(c, from->module), from->end);
        if (!to)
            return false;
        to->chains += from->chains;
        c->end_to[i] = (uint32_t)(to - (const struct sampled_end *)c->ends.record);
    }
    return true;
}

/* Of ends that leave none is left in any span. */
static bool number_counts(struct compaction *c, const struct kept_counts *from,
                          struct kept_counts *to)
{
    *to = *from;
    to->ends = c->ends.count;
    to->chains = calloc(to->ends + 1, sizeof *to->chains);
    for (size_t i = 0; to->chains && i < from->ends && i < c->from->unwound.ends.count; i++)
        if (c->end_to[i] != GONE)
            to->chains[c->end_to[i]] += from->chains[i];
    return to->chains;
}

static bool number_all_counts(struct compaction *c)
{
    const struct kept *k = c->kept;
    bool whole = number_counts(c, &k->closed, &c->counts[KEPT_MAX_SPANS]);
    for (size_t i = 0; whole && i < k->spans; i++)
        whole = number_counts(c, &k->span[i].counts, &c->counts[i]);
    return whole;
}

/* --- the new in place of the old --- */

static uint32_t *numbers(size_t count)
{
    uint32_t *to = malloc((count + 1) * sizeof *to);
    if (to)
        memset(to, 0xff, (count + 1) * sizeof *to);
    return to;
}

static bool allocate(struct compaction *c)
{
    struct sampled *s = c->from;
    bool whole = folding_begin_nodes(&c->folding, s);
    c->ends = (struct intern){.each = s->unwound.ends.each, .key = s->unwound.ends.key};
    c->thread_to = numbers(s->threads.count);
    c->end_to = numbers(s->unwound.ends.count);
    c->module_to = numbers(s->mapped.modules.count);
    c->threads.thread = calloc(s->threads.count + 1, sizeof *c->threads.thread);
    c->threads.cap = s->threads.count + 1;
    c->folding.set_to = s->want.by == SAMPLED_WHOLE ? NULL : c->thread_to;
    if (whole)
        memset(c->folding.node_to, 0xff, s->nodes.count * sizeof *c->folding.node_to);
    return whole && c->thread_to && c->end_to && c->module_to && c->threads.thread;
}

static bool build(struct compaction *c)
{
    if (!allocate(c))
        return false;
    mark_nodes(c);
    mark_modules(c);
    return number_modules(c) && number_nodes(c) && number_threads(c) &&
           folding_cells(&c->folding) && number_ends(c) && number_all_counts(c);
}

static void release(struct compaction *c)
{
    folding_release(&c->folding);
    intern_release(&c->ends);
    imap_release(&c->threads.of_tid);
    free(c->threads.thread);
    intern_release(&c->cgroups);
    for (size_t i = 0; i <= KEPT_MAX_SPANS; i++)
        free(c->counts[i].chains);
    free(c->thread_to);
    free(c->end_to);
    free(c->module_to);
    free(c->gone);
}

static void renumber_samples(struct compaction *c)
{
    struct kept *k = c->kept;
    for (size_t i = 0; i < k->spans; i++)
        for (size_t n = 0; n < k->span[i].count; n++) {
            struct sampled_one *one = &k->span[i].one[n];
            one->node = c->folding.node_to[one->node];
            one->thread = c->thread_to[one->thread];
        }
}

/* The old become the compaction's, and are released with it. */
static void replace(struct compaction *c)
{
    struct sampled *s = c->from;
    struct kept *k = c->kept;
    renumber_samples(c);
    folding_replace(&c->folding);
    sampled_forget_ended(s);
    sampled_renumber_modules(s, c->module_to);
    SWAP(s->unwound.ends, c->ends);
    SWAP(s->threads, c->threads);
    SWAP(s->cgroups.path, c->cgroups);
    SWAP(k->closed, c->counts[KEPT_MAX_SPANS]);
    for (size_t i = 0; i < k->spans; i++)
        SWAP(k->span[i].counts, c->counts[i]);
    k->nodes = s->nodes.count;
    k->threads = s->threads.count;
    k->modules = s->mapped.modules.count;
}

static bool is_due(const struct kept *k, const struct sampled *s)
{
    return s->nodes.count > 2 * k->nodes + MORE_NODES ||
           s->threads.count > 2 * k->threads + MORE_THREADS ||
           s->mapped.modules.count > 2 * k->modules + MORE_MODULES;
}

bool kept_compact(struct kept *k, struct sampled *s, bool always, struct forgotten *out)
{
    struct compaction c = {.kept = k, .from = s};
    *out = (struct forgotten){0};
    if (!always && !is_due(k, s))
        return false;
    if (build(&c)) {
        replace(&c);
        if (c.gone_count) {
            *out = (struct forgotten){.gone = c.gone, .gone_count = c.gone_count};
            c.gone = NULL;
        }
    }
    release(&c);
    return out->gone_count;
}
