#include "core/stacks/merge.h"

#include "core/base/buf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void stacks_merge_init(struct stacks_merge *m, enum stacks_group by, size_t max_nodes)
{
    *m = (struct stacks_merge){.by = by, .max_nodes = max_nodes};
}

void stacks_merge_release(struct stacks_merge *m)
{
    stacks_release(&m->stacks);
    *m = (struct stacks_merge){0};
}

/* One that is added: ours of its indices. */
struct adding {
    struct stacks_merge *merge;
    const struct stacks *from;
    const char *machine;
    uint32_t *module, *function, *node;
    bool *shortened; /* a node: it lacks its callers */
};

static struct stacks *sum_of(const struct adding *a)
{
    return &a->merge->stacks;
}

/* --- modules and functions --- */

static uint32_t module_of(const struct adding *a, const struct stacks_module *m)
{
    struct stacks *out = sum_of(a);
    for (uint32_t i = 0; m->build_id[0] && i < out->modules; i++)
        if (strcmp(out->module[i].build_id, m->build_id) == 0)
            return i;
    return stacks_module(out, m->path, m->build_id);
}

static uint32_t function_of(const struct adding *a, const struct stacks_function *f)
{
    struct stacks_function ours = *f;
    if (f->module != STACKS_NONE)
        ours.module = a->module[f->module];
    return stacks_function(sum_of(a), &ours);
}

/* --- chains --- */

static uint32_t find_or_add(const struct adding *a, uint32_t parent, uint32_t frame, size_t max)
{
    struct stacks *out = sum_of(a);
    return out->nodes < max ? stacks_node(out, parent, frame)
                            : stacks_find_node(out, parent, frame);
}

static void add_node(struct adding *a, size_t i)
{
    const struct stacks_node *n = &a->from->node[i];
    const struct stacks_frame *of = &a->from->frame[n->frame];
    size_t max = a->merge->max_nodes;
    bool outermost = n->parent == STACKS_NONE;
    uint32_t parent = outermost ? STACKS_NONE : a->node[n->parent];
    uint32_t frame =
        stacks_frame(sum_of(a), &(struct stacks_frame){.function = a->function[of->function],
                                                       .inlined = of->inlined});
    a->shortened[i] = !outermost && a->shortened[n->parent];
    a->node[i] = find_or_add(a, parent, frame, max);
    if (a->node[i] != STACKS_NONE)
        return;
    a->shortened[i] = true;
    a->node[i] = find_or_add(a, STACKS_NONE, frame, max + max / 4);
}

/* --- groups --- */

/* Where a wait is the innermost frame: of what waits. */
static const struct stacks_module *leaf_module(const struct stacks *s, uint32_t node)
{
    while (node != STACKS_NONE && stacks_function_of(s, node)->kind == STACKS_WAIT)
        node = s->node[node].parent;
    uint32_t module = node == STACKS_NONE ? STACKS_NONE : stacks_function_of(s, node)->module;
    return module == STACKS_NONE ? NULL : &s->module[module];
}

static uint32_t build_group(struct stacks *out, uint32_t node)
{
    SCOPED_BUF name = BUF_INIT;
    const struct stacks_module *m = leaf_module(out, node);
    buf_printf(&name, "%s %s", m && m->build_id[0] ? m->build_id : "(none)",
               m ? m->path : "(no module)");
    return stacks_thread(out, 0, UINT32_MAX, buf_str(&name));
}

static uint32_t cgroup_group(const struct adding *a, uint32_t thread)
{
    const struct stacks_merge *m = a->merge;
    const struct stacks_thread *t = thread == STACKS_NONE ? NULL : &a->from->thread[thread];
    const char *name = !t ? NULL : m->cgroup_of ? m->cgroup_of(m->arg, t->pid) : t->name;
    return stacks_thread(sum_of(a), 0, UINT32_MAX, name ? name : STACKS_NO_CGROUP);
}

static uint32_t group_of(const struct adding *a, uint32_t thread, uint32_t node)
{
    struct stacks *out = sum_of(a);
    switch (a->merge->by) {
    case STACKS_GROUP_MACHINE:
        return stacks_thread(out, 0, UINT32_MAX, a->machine);
    case STACKS_GROUP_CGROUP:
        return cgroup_group(a, thread);
    case STACKS_GROUP_BUILD:
        return build_group(out, node);
    case STACKS_GROUP_NONE:
        break;
    }
    return STACKS_NONE;
}

/* --- samples --- */

static void add_sample(struct adding *a, size_t i)
{
    const struct stacks *from = a->from;
    const struct stacks_sample *sample = &from->sample[i];
    const uint64_t *amounts = &from->amount[i * from->values];
    uint32_t node = sample->node == STACKS_NONE ? STACKS_NONE : a->node[sample->node];
    stacks_add(sum_of(a), group_of(a, sample->thread, node), node, 0, amounts);
    if (sample->node != STACKS_NONE && a->shortened[sample->node])
        a->merge->shortened += amounts[0];
}

/* --- what is known besides --- */

static void add_ends(struct stacks_ends *to, const struct stacks_ends *from)
{
    to->unwound += from->unwound;
    to->whole += from->whole;
    to->by_code += from->by_code;
    to->guessed += from->guessed;
    to->from_cache += from->from_cache;
}

static void add_waits(struct stacks_waits *to, const struct stacks_waits *from)
{
    to->sampled |= from->sampled;
    to->count += from->count;
    to->running_ms += from->running_ms;
    to->wait_ms += from->wait_ms;
    to->asleep_ms += from->asleep_ms;
    to->preempted_ms += from->preempted_ms;
    to->end_lost += from->end_lost;
    to->spanning_lost += from->spanning_lost;
}

static void add_origin(struct stacks_origin *to, const struct stacks_origin *from)
{
    to->lost += from->lost;
    to->duration_ns += from->duration_ns;
    to->uneven |= from->uneven || to->period != from->period;
}

/* --- */

static bool counts_the_same(const struct stacks *a, const struct stacks *b)
{
    bool same = a->values == b->values;
    for (size_t v = 0; same && v < a->values; v++)
        same = strcmp(a->value[v].name, b->value[v].name) == 0 &&
               strcmp(a->value[v].unit, b->value[v].unit) == 0;
    return same;
}

static bool allocate(struct adding *a)
{
    const struct stacks *s = a->from;
    a->module = malloc((s->modules + 1) * sizeof *a->module);
    a->function = malloc((s->functions + 1) * sizeof *a->function);
    a->node = malloc((s->nodes + 1) * sizeof *a->node);
    a->shortened = malloc(s->nodes + 1);
    return a->module && a->function && a->node && a->shortened;
}

static void add_all(struct adding *a)
{
    const struct stacks *s = a->from;
    for (size_t i = 0; i < s->modules; i++)
        a->module[i] = module_of(a, &s->module[i]);
    for (size_t i = 0; i < s->functions; i++)
        a->function[i] = function_of(a, &s->function[i]);
    for (size_t i = 0; i < s->nodes; i++)
        add_node(a, i);
    for (size_t i = 0; i < s->samples; i++)
        add_sample(a, i);
    add_ends(&sum_of(a)->ends, &s->ends);
    add_waits(&sum_of(a)->waits, &s->waits);
    add_origin(&sum_of(a)->origin, &s->origin);
}

/* The names of values live as long as what they were read from. */
static void begin(struct stacks_merge *m, const struct stacks *s)
{
    stacks_init(&m->stacks, s->value, s->values);
    m->stacks.origin.period = s->origin.period;
    m->stacks.origin.period_value = s->origin.period_value;
    stacks_own_values(&m->stacks);
}

int stacks_merge_add(struct stacks_merge *m, const struct stacks *s, const char *machine)
{
    struct adding a = {.merge = m, .from = s, .machine = machine};
    if (!m->added)
        begin(m, s);
    else if (!counts_the_same(&m->stacks, s))
        return -EINVAL;
    bool ready = allocate(&a);
    if (ready)
        add_all(&a);
    m->added++;
    free(a.module);
    free(a.function);
    free(a.node);
    free(a.shortened);
    return ready ? stacks_error(&m->stacks) : -ENOMEM;
}

/* --- names --- */

static bool is_ambiguous(const struct stacks *s, size_t module)
{
    const struct stacks_module *m = &s->module[module];
    for (size_t i = 0; i < s->modules; i++)
        if (i != module && strcmp(s->module[i].name, m->name) == 0 &&
            strcmp(s->module[i].build_id, m->build_id) != 0)
            return true;
    return false;
}

int stacks_merge_finish(struct stacks_merge *m)
{
    struct stacks *s = &m->stacks;
    SCOPED_FREE bool *ambiguous = malloc(s->modules + 1);
    if (!ambiguous)
        return -ENOMEM;
    for (size_t i = 0; i < s->modules; i++)
        ambiguous[i] = s->module[i].build_id[0] && is_ambiguous(s, i);
    for (uint32_t i = 0; i < s->modules; i++)
        if (ambiguous[i])
            stacks_name_build(s, i);
    return stacks_error(s);
}
