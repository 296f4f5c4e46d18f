#include "core/stacks/stacks.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/base/text.h"
#include "core/containers/intern.h"

#include <errno.h>
#include <string.h>

/* The arrays of struct stacks are those of these tables. */
struct stacks_tables {
    struct intern strings, modules, functions, frames, nodes, threads, samples;
    size_t sample_cap, amount_cap;
    int err;
};

void stacks_init(struct stacks *s, const struct stacks_value *values, size_t count)
{
    *s = (struct stacks){.values = count, .origin = {.applet = "", .method = ""}};
    memcpy(s->value, values, count * sizeof *values);
    s->tables = malloc(sizeof *s->tables);
    if (s->tables)
        *s->tables = (struct stacks_tables){
            .modules = INTERN_OF(struct stacks_module),
            .functions = INTERN_OF(struct stacks_function),
            .frames = INTERN_OF(struct stacks_frame),
            .nodes = INTERN_OF(struct stacks_node),
            .threads = INTERN_OF(struct stacks_thread),
            .samples = INTERN_OF(struct stacks_sample),
        };
    if (s->tables)
        s->tables->functions.step = 3;
}

void stacks_release(struct stacks *s)
{
    struct stacks_tables *t = s->tables;
    if (t) {
        struct intern *all[] = {&t->strings, &t->modules, &t->functions, &t->frames,
                                &t->nodes,   &t->threads, &t->samples};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            intern_release(all[i]);
        if (s->timed)
            free(s->sample);
    }
    free(t);
    free(s->amount);
    free(s->ends.broken);
    *s = (struct stacks){0};
}

int stacks_error(const struct stacks *s)
{
    return s->tables ? s->tables->err : -ENOMEM;
}

static uint32_t no_memory(struct stacks *s)
{
    if (s->tables)
        s->tables->err = -ENOMEM;
    return STACKS_NONE;
}

/* --- building: records are made of nothing but zeros first, as their padding is compared --- */

static const char *intern_text(struct stacks *s, const char *of)
{
    const char *own = intern_copy(&s->tables->strings, of ? of : "");
    if (own)
        return own;
    no_memory(s);
    return "";
}

static uint32_t intern_record(struct stacks *s, struct intern *t, const void *record, void **array,
                              size_t *count)
{
    uint32_t i = intern(t, record);
    *array = t->record;
    *count = t->count;
    return i == INTERN_NONE ? no_memory(s) : i;
}

static const char *last_part(const char *path)
{
    return path[0] == '[' ? path : path_last(path);
}

void stacks_set_ends(struct stacks *s, const struct stacks_ends *ends)
{
    struct stacks_broken *own = malloc((ends->broken_count + 1) * sizeof *own);
    if (!own || stacks_error(s)) {
        no_memory(s);
        free(own);
        return;
    }
    for (size_t i = 0; i < ends->broken_count; i++)
        own[i] = (struct stacks_broken){.reason = intern_text(s, ends->broken[i].reason),
                                        .module = intern_text(s, ends->broken[i].module),
                                        .pid = ends->broken[i].pid,
                                        .chains = ends->broken[i].chains};
    free(s->ends.broken);
    s->ends = *ends;
    s->ends.broken = own;
}

uint32_t stacks_module(struct stacks *s, const char *path, const char *build_id)
{
    struct stacks_module m;
    if (stacks_error(s))
        return STACKS_NONE;
    memset(&m, 0, sizeof m);
    m.path = intern_text(s, path);
    m.build_id = intern_text(s, build_id);
    m.name = last_part(m.path);
    return intern_record(s, &s->tables->modules, &m, (void **)&s->module, &s->modules);
}

uint32_t stacks_function(struct stacks *s, const struct stacks_function *of)
{
    struct stacks_function f;
    if (stacks_error(s))
        return STACKS_NONE;
    memset(&f, 0, sizeof f);
    f.name = intern_text(s, of->name);
    f.raw = of->raw && of->raw != of->name ? intern_text(s, of->raw) : f.name;
    f.file = intern_text(s, of->file);
    f.module = of->module;
    f.kind = of->kind;
    return intern_record(s, &s->tables->functions, &f, (void **)&s->function, &s->functions);
}

uint32_t stacks_frame(struct stacks *s, const struct stacks_frame *of)
{
    struct stacks_frame f;
    if (stacks_error(s) || of->function == STACKS_NONE)
        return STACKS_NONE;
    memset(&f, 0, sizeof f);
    f.function = of->function;
    f.line = of->line;
    f.address = of->address;
    f.inlined = of->inlined;
    return intern_record(s, &s->tables->frames, &f, (void **)&s->frame, &s->frames);
}

uint32_t stacks_node(struct stacks *s, uint32_t parent, uint32_t frame)
{
    struct stacks_node n = {frame, parent};
    if (stacks_error(s) || frame == STACKS_NONE)
        return STACKS_NONE;
    return intern_record(s, &s->tables->nodes, &n, (void **)&s->node, &s->nodes);
}

uint32_t stacks_thread(struct stacks *s, uint32_t pid, uint32_t tid, const char *name)
{
    if (stacks_error(s))
        return STACKS_NONE;
    struct stacks_thread t = {pid, tid, intern_text(s, name)};
    return intern_record(s, &s->tables->threads, &t, (void **)&s->thread, &s->threads);
}

uint32_t stacks_find_node(const struct stacks *s, uint32_t parent, uint32_t frame)
{
    struct stacks_node n = {frame, parent};
    uint32_t i = stacks_error(s) ? INTERN_NONE : intern_find(&s->tables->nodes, &n);
    return i == INTERN_NONE ? STACKS_NONE : i;
}

void stacks_own_values(struct stacks *s)
{
    for (size_t v = 0; v < s->values && s->tables; v++) {
        s->value[v].name = intern_text(s, s->value[v].name);
        s->value[v].unit = intern_text(s, s->value[v].unit);
    }
}

void stacks_name_build(struct stacks *s, uint32_t module)
{
    enum { DIGITS = 8 };
    struct stacks_module *m = &s->module[module];
    SCOPED_BUF name = BUF_INIT;
    buf_printf(&name, "%s %.*s", m->name, DIGITS, m->build_id);
    m->name = buf_error(&name) ? m->name : intern_text(s, buf_str(&name));
}

/* Samples that are events of their own are no set. */
static uint32_t append_sample(struct stacks *s, const struct stacks_sample *one)
{
    if (s->samples >= STACKS_NONE - 1 ||
        !GROW_ADD(s->sample, s->tables->sample_cap, s->samples, *one))
        return no_memory(s);
    return (uint32_t)s->samples - 1;
}

void stacks_add(struct stacks *s, uint32_t thread, uint32_t node, uint64_t time_ns,
                const uint64_t *amounts)
{
    size_t before = s->samples;
    struct stacks_sample one = {node, thread, s->timed ? time_ns : 0};
    if (stacks_error(s))
        return;
    if (!grow(&s->amount, &s->tables->amount_cap, before, s->values * sizeof *s->amount)) {
        no_memory(s);
        return;
    }
    uint32_t i =
        s->timed ? append_sample(s, &one)
                 : intern_record(s, &s->tables->samples, &one, (void **)&s->sample, &s->samples);
    if (i == STACKS_NONE)
        return;
    uint64_t *sum = s->amount + i * s->values;
    for (size_t v = 0; v < s->values; v++)
        sum[v] = (i < before ? sum[v] : 0) + amounts[v];
}

/* --- asking --- */

const char *stacks_module_name(const struct stacks *s, const struct stacks_function *f)
{
    return f->module == STACKS_NONE ? "" : s->module[f->module].name;
}

uint64_t stacks_total(const struct stacks *s, size_t value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->samples; i++)
        sum += s->amount[i * s->values + value];
    return sum;
}

int stacks_sum(const struct stacks *s, size_t value, struct stacks_sums *out)
{
    out->self = calloc(s->nodes + 1, sizeof *out->self);
    out->total = calloc(s->nodes + 1, sizeof *out->total);
    if (!out->self || !out->total) {
        stacks_sums_release(out);
        return -ENOMEM;
    }
    for (size_t i = 0; i < s->samples; i++)
        if (s->sample[i].node != STACKS_NONE)
            out->self[s->sample[i].node] += s->amount[i * s->values + value];
    memcpy(out->total, out->self, s->nodes * sizeof *out->self);
    for (size_t i = s->nodes; i--;)
        if (s->node[i].parent != STACKS_NONE)
            out->total[s->node[i].parent] += out->total[i];
    return 0;
}

void stacks_sums_release(struct stacks_sums *sums)
{
    free(sums->self);
    free(sums->total);
    *sums = (struct stacks_sums){0};
}

static void copy_head(const struct stacks *s, struct stacks *out)
{
    stacks_init(out, s->value, s->values);
    out->origin = s->origin;
}

static uint32_t copy_function(const struct stacks *s, uint32_t function, struct stacks *out)
{
    struct stacks_function f = s->function[function];
    if (f.module != STACKS_NONE)
        f.module = stacks_module(out, s->module[f.module].path, s->module[f.module].build_id);
    return stacks_function(out, &f);
}

static uint32_t copy_node(const struct stacks *s, const uint32_t *to, size_t i, struct stacks *out)
{
    const struct stacks_node *n = &s->node[i];
    const struct stacks_frame *from = &s->frame[n->frame];
    struct stacks_frame f = {.function = copy_function(s, from->function, out),
                             .inlined = from->inlined};
    return stacks_node(out, n->parent == STACKS_NONE ? STACKS_NONE : to[n->parent],
                       stacks_frame(out, &f));
}

int stacks_by_function(const struct stacks *s, bool whole, struct stacks *out)
{
    SCOPED_FREE uint32_t *to = malloc((s->nodes + 1) * sizeof *to);
    copy_head(s, out);
    out->timed = s->timed && !whole;
    if (!to)
        return -ENOMEM;
    for (size_t i = 0; i < s->nodes; i++)
        to[i] = copy_node(s, to, i, out);
    for (size_t i = 0; i < s->samples; i++) {
        const struct stacks_sample *a = &s->sample[i];
        uint32_t thread = STACKS_NONE;
        if (!whole && a->thread != STACKS_NONE)
            thread = stacks_thread(out, s->thread[a->thread].pid, s->thread[a->thread].tid,
                                   s->thread[a->thread].name);
        stacks_add(out, thread, a->node == STACKS_NONE ? STACKS_NONE : to[a->node],
                   out->timed ? a->time_ns : 0, s->amount + i * s->values);
    }
    return stacks_error(out);
}
