#include "core/stacks/columns.h"

#include <errno.h>
#include <stdlib.h>

/* Ours of their indices. */
struct adding {
    struct stacks *out;
    const struct stacks *from;
    uint32_t *module, *frame, *node, *thread;
};

static uint32_t function_of(const struct adding *a, uint32_t function)
{
    struct stacks_function ours = a->from->function[function];
    if (ours.module != STACKS_NONE)
        ours.module = a->module[ours.module];
    return stacks_function(a->out, &ours);
}

static uint32_t frame_of(const struct adding *a, size_t i)
{
    struct stacks_frame ours = a->from->frame[i];
    ours.function = function_of(a, ours.function);
    return stacks_frame(a->out, &ours);
}

static uint32_t node_of(const struct adding *a, size_t i)
{
    const struct stacks_node *n = &a->from->node[i];
    uint32_t parent = n->parent == STACKS_NONE ? STACKS_NONE : a->node[n->parent];
    return stacks_node(a->out, parent, a->frame[n->frame]);
}

static void map_all(struct adding *a)
{
    const struct stacks *s = a->from;
    for (size_t i = 0; i < s->modules; i++)
        a->module[i] = stacks_module(a->out, s->module[i].path, s->module[i].build_id);
    for (size_t i = 0; i < s->frames; i++)
        a->frame[i] = frame_of(a, i);
    for (size_t i = 0; i < s->nodes; i++)
        a->node[i] = node_of(a, i);
    for (size_t i = 0; i < s->threads; i++)
        a->thread[i] = stacks_thread(a->out, s->thread[i].pid, s->thread[i].tid, s->thread[i].name);
}

static uint32_t ours(const uint32_t *index, uint32_t theirs)
{
    return theirs == STACKS_NONE ? STACKS_NONE : index[theirs];
}

static void add_samples(struct adding *a, size_t column)
{
    const struct stacks *s = a->from;
    for (size_t i = 0; i < s->samples; i++) {
        uint64_t amounts[STACKS_MAX_VALUES] = {0};
        amounts[column] = s->amount[i * s->values + s->values - 1];
        stacks_add(a->out, ours(a->thread, s->sample[i].thread), ours(a->node, s->sample[i].node),
                   0, amounts);
    }
}

int stacks_columns_add(struct stacks *out, const struct stacks *from, size_t column)
{
    struct adding a = {.out = out,
                       .from = from,
                       .module = malloc((from->modules + 1) * sizeof *a.module),
                       .frame = malloc((from->frames + 1) * sizeof *a.frame),
                       .node = malloc((from->nodes + 1) * sizeof *a.node),
                       .thread = malloc((from->threads + 1) * sizeof *a.thread)};
    int r = a.module && a.frame && a.node && a.thread ? 0 : -ENOMEM;
    if (r == 0) {
        map_all(&a);
        add_samples(&a, column);
        r = stacks_error(out);
    }
    free(a.module);
    free(a.frame);
    free(a.node);
    free(a.thread);
    return r;
}
