#include "core/prof/stacks.h"

#include "core/base/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parent of a node's callees. */
struct caller {
    uint32_t node; /* of the stacks */
    uint32_t depth;
};

struct making {
    const struct prof_names *names;
    const struct prof_stacks_want *want;
    struct stacks *out;
    uint32_t *module, *frame; /* of a module, of a function: theirs, STACKS_NONE not made yet */
    struct caller *caller;    /* of a node */
    size_t flattened;
};

/* --- functions --- */

static uint32_t module_of(struct making *m, uint32_t of)
{
    const struct prof_tree *t = m->names->tree;
    char id[2 * PROF_BUILD_ID + 1] = "";
    if (of >= t->modules)
        return STACKS_NONE;
    const struct prof_module *mod = &t->module[of];
    if (m->module[of] != STACKS_NONE)
        return m->module[of];
    for (size_t i = 0; i < mod->build_id_bytes; i++)
        snprintf(id + 2 * i, 3, "%02x", mod->build_id[i]);
    return m->module[of] = stacks_module(m->out, *mod->path ? mod->path : "[unknown]", id);
}

static uint32_t frame_of(struct making *m, uint32_t function)
{
    const struct prof_function *f = prof_function_at(m->names, function);
    if (m->frame[function] != STACKS_NONE)
        return m->frame[function];
    struct stacks_function fn = {.name = f->name,
                                 .raw = f->raw,
                                 .file = f->file,
                                 .module = module_of(m, f->module),
                                 .kind = STACKS_USER};
    struct stacks_frame frame = {
        .function = stacks_function(m->out, &fn), .line = f->line, .address = f->address};
    return m->frame[function] = stacks_frame(m->out, &frame);
}

/* --- nodes --- */

static void add_node(struct making *m, uint32_t i, uint32_t thread)
{
    const struct prof_node *n = &m->names->tree->node[i];
    struct caller above =
        n->parent == PROF_NONE ? (struct caller){STACKS_NONE, 0} : m->caller[n->parent];
    uint32_t node = stacks_node(m->out, above.node, frame_of(m, prof_function_of(m->names, i)));
    stacks_add(m->out, thread, node, 0, (uint64_t[]){n->count, n->self_ns});
    m->caller[i] = (struct caller){node, above.depth + 1};
    if (m->want->max_depth && above.depth + 1 >= m->want->max_depth) {
        m->caller[i] = above;
        m->flattened += n->down != PROF_NONE;
    }
}

static void add_thread(struct making *m, size_t i)
{
    const struct prof_thread *t = &m->names->tree->thread[i];
    uint32_t thread = STACKS_NONE;
    if (m->want->by_thread)
        thread = stacks_thread(m->out, m->names->tree->about.pid, t->tid, t->name);
    for (uint32_t n = t->begin; n < t->end; n++)
        add_node(m, n, thread);
}

static void init_stacks(const struct prof_tree *t, struct stacks *out)
{
    static const struct stacks_value values[] = {{"calls", "count"}, {"time", "nanoseconds"}};
    stacks_init(out, values, prof_tree_timed(t) ? 2 : 1);
    out->origin.start_ns = t->about.start_ns;
    out->origin.duration_ns = t->about.duration_ns;
    for (size_t i = 0; i < t->threads; i++)
        out->origin.lost += t->thread[i].refused;
}

/* Of so many numbers, each STACKS_NONE. */
static uint32_t *new_table(size_t count)
{
    uint32_t *table = malloc((count + 1) * sizeof *table);
    return table ? memset(table, 0xff, (count + 1) * sizeof *table) : NULL;
}

int prof_stacks(const struct prof_names *n, const struct prof_stacks_want *want, struct stacks *out,
                size_t *flattened)
{
    SCOPED_FREE uint32_t *module = new_table(n->tree->modules);
    SCOPED_FREE uint32_t *frame = new_table(n->functions.count);
    SCOPED_FREE struct caller *caller = malloc((n->tree->nodes + 1) * sizeof *caller);
    struct making m = {n, want, out, module, frame, caller, 0};
    init_stacks(n->tree, out);
    *flattened = 0;
    if (!module || !frame || !caller)
        return -ENOMEM;
    module_of(&m, 0); /* first, as readers take the first one for the program */
    for (size_t i = 0; i < n->tree->threads; i++)
        if (want->thread == PROF_NONE || want->thread == i)
            add_thread(&m, i);
    *flattened = m.flattened;
    return stacks_error(out);
}
