/* Which modules are forgotten, and their samples as those of one place. */
#include "core/sample/forget.h"

#include "core/base/sort.h"
#include "count.h"
#include "folding.h"

#include <stdlib.h>

enum { GONE = UINT32_MAX };

/* --- which --- */

struct marking {
    struct sampled *sampled;
    uint64_t now_ns;
};

static void mark_used(void *arg, size_t module)
{
    struct marking *k = arg;
    k->sampled->mapped.modules.module[module]->used_ns = k->now_ns;
}

static void mark_all(struct sampled *s, const struct forget *f, uint64_t now_ns)
{
    const struct modules *all = &s->mapped.modules;
    struct marking k = {s, now_ns};
    spaces_each(&s->mapped.spaces, mark_used, &k);
    for (size_t i = 0; i < all->count; i++)
        if (!all->module[i]->used_ns || (f->is_shown && f->is_shown(f->arg, (uint32_t)i)))
            mark_used(&k, i);
}

bool sampled_may_leave(const struct sampled *s, const struct module *m)
{
    return !m->kernel && !m->wait && !m->ended && m->id != s->mapped.main_module;
}

/* Pages of its file are not: symbols_unload_images. */
static size_t bytes_of(const struct module *m)
{
    return sizeof *m + m->memory.held + m->external.bytes;
}

static int by_use(const void *pa, const void *pb)
{
    const struct module *a = *(struct module *const *)pa, *b = *(struct module *const *)pb;
    return ORDER(a->used_ns, b->used_ns);
}

/* Those that nothing uses, the longest unused first; of them the first *count leave. NULL: none, or
 * no memory. */
static struct module **unused_modules(const struct sampled *s, uint64_t now_ns, size_t *count)
{
    const struct modules *all = &s->mapped.modules;
    struct module **unused = malloc((all->count + 1) * sizeof *unused);
    size_t n = 0, bytes = 0, leave = 0;
    for (size_t i = 0; unused && i < all->count; i++)
        if (all->module[i]->used_ns < now_ns && sampled_may_leave(s, all->module[i])) {
            unused[n++] = all->module[i];
            bytes += bytes_of(all->module[i]);
        }
    if (n)
        sort_array(unused, n, sizeof *unused, by_use);
    for (; leave < n; leave++) {
        bool is_old = now_ns - unused[leave]->used_ns >= FORGET_AFTER_NS;
        if (!is_old && n - leave <= FORGET_MAX_MODULES && bytes <= FORGET_MAX_BYTES)
            break;
        bytes -= bytes_of(unused[leave]);
    }
    *count = leave;
    return unused;
}

/* --- what remains, numbered anew --- */

struct leaving {
    struct folding folding;
    struct intern ends;
    uint32_t *module_to;
    uint32_t ended; /* the module, as it will be numbered */
};

static bool begin_leaving(struct leaving *l, struct sampled *s)
{
    bool whole = folding_begin_nodes(&l->folding, s);
    l->ends = (struct intern){.each = s->unwound.ends.each, .key = s->unwound.ends.key};
    l->module_to = calloc(s->mapped.modules.count + 1, sizeof *l->module_to);
    return whole && l->module_to;
}

static void release_leaving(struct leaving *l)
{
    folding_release(&l->folding);
    intern_release(&l->ends);
    free(l->module_to);
}

static void number_modules(struct leaving *l, struct module *const *gone, size_t count)
{
    const struct modules *all = &l->folding.from->mapped.modules;
    uint32_t next = 0;
    for (size_t i = 0; i < count; i++)
        l->module_to[gone[i]->id] = GONE;
    for (size_t i = 0; i < all->count; i++) {
        l->module_to[i] = l->module_to[i] == GONE ? GONE : next++;
        if (all->module[i]->ended)
            l->ended = l->module_to[i];
    }
}

static uint32_t module_to(const struct leaving *l, uint32_t module)
{
    return module == SAMPLED_OUTSIDE ? SAMPLED_OUTSIDE : l->module_to[module];
}

static bool is_ended(const struct leaving *l, uint32_t node)
{
    const struct sampled_node *all = l->folding.nodes.record;
    return node != INTERN_NONE && all[node].module == l->ended;
}

/* Parents come before what they call. Of places in a row that left there is one. */
static bool fold_nodes(struct leaving *l)
{
    struct folding *f = &l->folding;
    for (uint32_t i = 0; i < f->from->nodes.count; i++) {
        struct sampled_node n = *sampled_node_at(f->from, i);
        n.parent = n.parent == INTERN_NONE ? INTERN_NONE : f->node_to[n.parent];
        n.module = module_to(l, n.module);
        if (n.module == GONE) {
            n.module = l->ended;
            n.offset = 0;
        }
        f->node_to[i] =
            n.module == l->ended && is_ended(l, n.parent) ? n.parent : intern(&f->nodes, &n);
        if (f->node_to[i] == INTERN_NONE)
            return false;
    }
    return true;
}

static bool fold_ends(struct leaving *l)
{
    const struct intern *ends = &l->folding.from->unwound.ends;
    for (size_t i = 0; i < ends->count; i++) {
        const struct sampled_end *from = (const struct sampled_end *)ends->record + i;
        uint32_t module = module_to(l, from->module);
        struct sampled_end *to =
            sampled_end_of(&l->ends, module == GONE ? l->ended : module, from->end);
        if (!to)
            return false;
        to->chains += from->chains;
    }
    return true;
}

void sampled_renumber_modules(struct sampled *s, const uint32_t *to)
{
    struct mapped *d = &s->mapped;
    modules_renumber(&d->modules, to);
    if (d->main_module != SIZE_MAX)
        d->main_module = to[d->main_module];
    spaces_renumber(&d->spaces, to);
}

void sampled_forget_ended(struct sampled *s)
{
    if (s->last_ns > FORGET_AFTER_NS)
        waits_forget_ended(&s->waiting.pairing, s->last_ns - FORGET_AFTER_NS);
}

static void replace_all(struct sampled *s, struct leaving *l, struct forgotten *out)
{
    folding_replace(&l->folding);
    SWAP(s->unwound.ends, l->ends);
    sampled_renumber_modules(s, l->module_to);
    out->cell = l->folding.cell_to;
    out->node = l->folding.node_to;
    out->module = l->module_to;
    l->folding.cell_to = l->folding.node_to = l->module_to = NULL;
}

/* --- the module of what left --- */

static bool make_ended_module(struct sampled *s)
{
    struct modules *all = &s->mapped.modules;
    for (size_t i = 0; i < all->count; i++)
        if (all->module[i]->ended)
            return true;
    struct module *m = module_append(all, "[ended]", &(struct module_identity){0});
    if (m)
        m->ended = sampled_name_module(m, "ended", (const char *const[]){"(ended)"}, 1);
    return m && m->ended;
}

/* --- */

/* gone is the caller's, unless it becomes out's. */
static bool forget_modules(struct sampled *s, struct module **gone, size_t count,
                           struct forgotten *out)
{
    struct leaving l = {0};
    bool whole = make_ended_module(s) && begin_leaving(&l, s);
    if (whole) {
        number_modules(&l, gone, count);
        whole = fold_nodes(&l) && folding_cells(&l.folding) && fold_ends(&l);
    }
    if (whole) {
        replace_all(s, &l, out);
        out->gone = gone;
        out->gone_count = count;
    }
    release_leaving(&l);
    return whole;
}

static bool is_due(const struct sampled *s, const struct forget *f, uint64_t now_ns, size_t bytes)
{
    return !f->looked_ns || now_ns - f->looked_ns >= FORGET_EVERY_NS ||
           s->mapped.modules.count > f->modules + FORGET_MAX_MODULES / 2 ||
           bytes > f->bytes + FORGET_MAX_BYTES / 2;
}

static bool is_refused(const struct sampled *s)
{
    return s->hooks.counted || s->want.timeline || s->want.by == SAMPLED_WHOLE;
}

bool sampled_forget(struct sampled *s, struct forget *f, uint64_t now_ns, size_t bytes,
                    struct forgotten *out)
{
    size_t count;
    *out = (struct forgotten){0};
    if (is_refused(s) || !is_due(s, f, now_ns, bytes))
        return false;
    sampled_forget_ended(s);
    mark_all(s, f, now_ns);
    struct module **unused = unused_modules(s, now_ns, &count);
    bool left = count && forget_modules(s, unused, count, out);
    if (!left)
        free(unused);
    f->looked_ns = now_ns;
    f->modules = s->mapped.modules.count;
    f->bytes = bytes;
    return left;
}

void forgotten_release(struct forgotten *out)
{
    for (size_t i = 0; i < out->gone_count; i++)
        module_free(out->gone[i]);
    free(out->gone);
    free(out->cell);
    free(out->node);
    free(out->module);
    *out = (struct forgotten){0};
}
