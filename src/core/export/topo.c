/*
 * The page of a call graph (core/topo/draw.h), made of call chains: an outermost function is at
 * depth 0. Functions are told apart by name, and by module where several modules have the name.
 * Where a function calls itself, directly or through others, only the outermost call has a time.
 */
#include "core/base/buf.h"
#include "core/topo/draw.h"
#include "write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct graph {
    const struct stacks *s;
    struct topo topo;
    uint32_t *function; /* of the topo, of each of the stacks */
    uint32_t *mark;     /* of a function of the topo: the sample + 1 that it is counted in */
    uint32_t *chain;
    size_t calls; /* the value that counts calls; values: none */
};

/* --- functions --- */

static const char *unit_of(const struct stacks *s)
{
    const struct stacks_value *v = &s->value[write_weight(s)];
    return write_weight_is(s, "nanoseconds") ? "ns"
           : strcmp(v->unit, "count") == 0   ? v->name
                                             : v->unit;
}

/* Which names several modules have: by the first module of each. */
static int find_shared_names(const struct stacks *s, struct intern *names, bool *shared)
{
    SCOPED_FREE uint32_t *module = malloc((s->functions + 1) * sizeof *module);
    for (size_t i = 0; module && i < s->functions; i++) {
        size_t before = names->count;
        uint32_t name = intern_string(names, s->function[i].name);
        if (name == INTERN_NONE)
            break;
        if (name == before)
            module[name] = s->function[i].module;
        shared[name] = shared[name] || module[name] != s->function[i].module;
    }
    return module ? names->err : -ENOMEM;
}

static uint32_t add_function(struct graph *g, const struct stacks_function *f, bool shared)
{
    SCOPED_BUF name = BUF_INIT;
    const char *module = stacks_module_name(g->s, f);
    buf_adds(&name, f->name[0] ? f->name : WRITE_UNKNOWN);
    if (shared && module[0])
        buf_printf(&name, " [%s]", module);
    return topo_function(&g->topo, buf_str(&name));
}

/* Those of the chains. */
static int add_functions(struct graph *g)
{
    const struct stacks *s = g->s;
    SCOPED(intern_release) struct intern names = {0};
    SCOPED_FREE bool *shared = calloc(s->functions + 1, sizeof *shared);
    int r = shared ? find_shared_names(s, &names, shared) : -ENOMEM;
    for (size_t i = 0; i < s->functions; i++)
        g->function[i] = TOPO_NONE;
    for (size_t i = 0; r == 0 && i < s->nodes; i++) {
        uint32_t function = s->frame[s->node[i].frame].function;
        const struct stacks_function *f = &s->function[function];
        if (g->function[function] != TOPO_NONE)
            continue;
        g->function[function] = add_function(g, f, shared[intern_string(&names, f->name)]);
        r = g->function[function] == TOPO_NONE ? -ENOMEM : 0;
    }
    return r;
}

/* --- samples --- */

static uint32_t function_at(const struct graph *g, size_t i)
{
    return g->function[g->s->frame[g->s->node[g->chain[i]].frame].function];
}

static void add_place(struct graph *g, size_t i, uint64_t amount, uint32_t mark)
{
    uint32_t at = function_at(g, i), depth = i < TOPO_MAX_DEPTH ? (uint32_t)i : TOPO_MAX_DEPTH;
    struct topo_function *f = &g->topo.function[at];
    bool first = g->mark[at] != mark;
    g->mark[at] = mark;
    f->depth = depth < f->depth ? depth : f->depth;
    if (first)
        f->total = topo_sum(f->total, amount);
    if (i)
        topo_relate(&g->topo, function_at(g, i - 1), at, 0, first ? amount : 0);
}

/* A sample without any frame. */
static void add_unknown(struct graph *g, uint64_t amount)
{
    uint32_t at = topo_function(&g->topo, WRITE_UNKNOWN);
    if (at == TOPO_NONE)
        return;
    struct topo_function *f = &g->topo.function[at];
    f->depth = 0;
    f->total = topo_sum(f->total, amount);
    f->local = topo_sum(f->local, amount);
}

static void add_sample(struct graph *g, size_t sample)
{
    const struct stacks *s = g->s;
    const uint64_t *amounts = s->amount + sample * s->values;
    uint64_t amount = amounts[write_weight(s)];
    uint64_t calls = g->calls < s->values ? amounts[g->calls] : 0;
    size_t depth = write_chain(s, s->sample[sample].node, g->chain);
    for (size_t i = 0; i < depth; i++)
        add_place(g, i, amount, (uint32_t)sample + 1);
    if (!depth)
        return add_unknown(g, amount);
    struct topo_function *f = &g->topo.function[function_at(g, depth - 1)];
    f->local = topo_sum(f->local, amount);
    f->calls = topo_sum(f->calls, calls);
    if (depth > 1)
        topo_relate(&g->topo, function_at(g, depth - 2), function_at(g, depth - 1), calls, 0);
}

/* --- the whole --- */

static int fill_graph(struct graph *g)
{
    const struct stacks *s = g->s;
    g->function = malloc((s->functions + 1) * sizeof *g->function);
    g->mark = calloc(s->functions + 2, sizeof *g->mark); /* and one for what is unknown */
    g->chain = malloc((s->nodes + 1) * sizeof *g->chain);
    int r = g->function && g->mark && g->chain ? add_functions(g) : -ENOMEM;
    for (size_t i = 0; r == 0 && i < s->samples; i++)
        add_sample(g, i);
    free(g->function);
    free(g->mark);
    free(g->chain);
    return r ? r : topo_finish(&g->topo);
}

static int make_graph(const struct stacks *s, struct topo *out)
{
    SCOPED(stacks_release) struct stacks whole;
    struct graph g = {.s = &whole, .calls = 0};
    topo_init(&g.topo);
    g.topo.unit = unit_of(s);
    while (g.calls < s->values && strcmp(s->value[g.calls].name, "calls") != 0)
        g.calls++;
    int r = stacks_by_function(s, true, &whole);
    if (r == 0)
        r = fill_graph(&g);
    *out = g.topo;
    return r;
}

int write_topo(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    SCOPED(topo_release) struct topo now, earlier;
    int r = make_graph(s, &now);
    topo_init(&earlier);
    if (r == 0 && before)
        r = make_graph(before, &earlier);
    SCOPED_BUF title = BUF_INIT;
    buf_printf(&title, "%s%s%s", s->origin.applet, s->origin.method[0] ? ": " : "",
               s->origin.method);
    struct topo_options o = {.title = buf_str(&title), .before = before ? &earlier : NULL};
    return r ? r : topo_write_page(&now, &o, out);
}
