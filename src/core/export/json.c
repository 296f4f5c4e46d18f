/* The suite's own JSON: the stacks as they are, one object. Modules, functions, frames and nodes
 * are referred to by array index; a node's parent precedes it. Amounts are arrays in
 * the order of "values". What is not known of a function or a frame is left out. A node's "self"
 * and "total" are sums over all threads. Of chains that were unwound, "chains" tells how far they
 * reached; where waits were sampled, "waits" has their sums. */
#include "write.h"

#include "core/base/buf.h"
#include "core/text/json.h"

#include <string.h>

static const char *const kinds[] = {
    [STACKS_USER] = "user",
    [STACKS_KERNEL] = "kernel",
    [STACKS_JIT] = "jit",
    [STACKS_WAIT] = "wait",
};

static struct text_value index_of(uint32_t i)
{
    return text_value_if(i != STACKS_NONE, i);
}

static void add_head(struct json *j, const struct stacks *s)
{
    json_members(j, "method lost [threads_are] timed? start_ns duration_ns period",
                 s->origin.method, s->origin.lost, s->origin.group, s->timed, s->origin.start_ns,
                 s->origin.duration_ns, s->origin.period);
    if (s->origin.period)
        json_str(j, "period_of", s->value[s->origin.period_value].name);
    json_array(j, "values");
    for (size_t v = 0; v < s->values; v++)
        json_record(j, NULL, "name unit total", s->value[v].name, s->value[v].unit,
                    stacks_total(s, v));
    json_array_end(j);
}

static void add_modules(struct json *j, const struct stacks *s)
{
    json_array(j, "modules");
    for (size_t i = 0; i < s->modules; i++)
        json_record(j, NULL, "path build_id", s->module[i].path, s->module[i].build_id);
    json_array_end(j);
}

static void add_functions(struct json *j, const struct stacks *s)
{
    json_array(j, "functions");
    for (size_t i = 0; i < s->functions; i++) {
        const struct stacks_function *f = &s->function[i];
        json_record(j, NULL, "name [raw] file module kind", f->name,
                    strcmp(f->raw, f->name) ? f->raw : NULL, f->file, index_of(f->module),
                    kinds[f->kind]);
    }
    json_array_end(j);
}

static void add_frames(struct json *j, const struct stacks *s)
{
    json_array(j, "frames");
    for (size_t i = 0; i < s->frames; i++) {
        const struct stacks_frame *f = &s->frame[i];
        json_record(j, NULL, "function [line] [address:x] [inlined?]", f->function, f->line,
                    f->address, f->inlined);
    }
    json_array_end(j);
}

static void add_amounts(struct json *j, const char *key, const struct stacks *s,
                        uint64_t *const *amounts, size_t node)
{
    json_array(j, key);
    for (size_t v = 0; v < s->values; v++)
        json_u64(j, NULL, amounts[v][node]);
    json_array_end(j);
}

static int add_nodes(struct json *j, const struct stacks *s)
{
    struct stacks_sums sums[STACKS_MAX_VALUES] = {0};
    uint64_t *self[STACKS_MAX_VALUES], *total[STACKS_MAX_VALUES];
    int r = 0;
    for (size_t v = 0; v < s->values && r == 0; v++) {
        r = stacks_sum(s, v, &sums[v]);
        self[v] = sums[v].self;
        total[v] = sums[v].total;
    }
    json_array(j, "nodes");
    for (size_t i = 0; i < s->nodes && r == 0; i++) {
        json_object(j, NULL);
        json_members(j, "parent frame", index_of(s->node[i].parent), s->node[i].frame);
        add_amounts(j, "self", s, self, i);
        add_amounts(j, "total", s, total, i);
        json_object_end(j);
    }
    json_array_end(j);
    for (size_t v = 0; v < s->values; v++)
        stacks_sums_release(&sums[v]);
    return r;
}

static void add_threads(struct json *j, const struct stacks *s)
{
    json_array(j, "threads");
    for (size_t i = 0; i < s->threads; i++)
        json_record(j, NULL, "pid tid name", s->thread[i].pid, s->thread[i].tid, s->thread[i].name);
    json_array_end(j);
}

static void add_samples(struct json *j, const struct stacks *s)
{
    json_array(j, "samples");
    for (size_t i = 0; i < s->samples; i++) {
        json_object(j, NULL);
        json_members(j, "thread node", index_of(s->sample[i].thread), index_of(s->sample[i].node));
        if (s->timed)
            json_u64(j, "time_ns", s->sample[i].time_ns);
        json_array(j, "amounts");
        for (size_t v = 0; v < s->values; v++)
            json_u64(j, NULL, s->amount[i * s->values + v]);
        json_array_end(j);
        json_object_end(j);
    }
    json_array_end(j);
}

int write_json(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    struct json j;
    json_start(&j, out, s->origin.applet);
    add_head(&j, s);
    add_modules(&j, s);
    add_functions(&j, s);
    add_frames(&j, s);
    int r = add_nodes(&j, s);
    add_threads(&j, s);
    add_samples(&j, s);
    stacks_waits_json(&s->waits, &j);
    stacks_ends_json(&s->ends, &j);
    json_end(&j);
    return r ? r : buf_error(out);
}
