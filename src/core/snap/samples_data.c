#include "samples_data.h"

#include "core/base/varint.h"
#include "core/containers/intern.h"
#include "core/containers/radix.h"

#include <errno.h>
#include <stdlib.h>

enum { VERSION = 1 };

/* A chain by function: nodes of the stacks differ by address, too. */
struct chain {
    uint32_t caller, function; /* INTERN_NONE: no caller */
};

struct data {
    const struct snap_contents *c;
    const struct stacks *s;
    struct buf *out;
    struct intern chains; /* struct chain */
    uint32_t *chain_of;   /* a node */
};

static void write_functions(const struct data *d)
{
    put_varint(d->out, d->s->modules);
    for (size_t i = 0; i < d->s->modules; i++)
        put_string(d->out, d->s->module[i].name);
    put_varint(d->out, d->s->functions);
    for (size_t i = 0; i < d->s->functions; i++) {
        const struct stacks_function *f = &d->s->function[i];
        put_string(d->out, f->name);
        put_varint(d->out, f->module == STACKS_NONE ? 0 : (uint64_t)f->module + 1);
        put_varint(d->out, f->kind);
    }
}

static int write_chains(struct data *d)
{
    const struct stacks *s = d->s;
    d->chain_of = malloc((s->nodes + 1) * sizeof *d->chain_of);
    if (!d->chain_of)
        return -ENOMEM;
    for (size_t i = 0; i < s->nodes; i++) {
        const struct stacks_node *node = &s->node[i];
        struct chain chain = {.caller = node->parent == STACKS_NONE ? INTERN_NONE
                                                                    : d->chain_of[node->parent],
                              .function = s->frame[node->frame].function};
        d->chain_of[i] = intern(&d->chains, &chain);
    }
    put_varint(d->out, d->chains.count);
    for (size_t i = 0; i < d->chains.count; i++) {
        const struct chain *chain = (const struct chain *)d->chains.record + i;
        put_varint(d->out, chain->caller == INTERN_NONE ? 0 : (uint64_t)chain->caller + 1);
        put_varint(d->out, chain->function);
    }
    return d->chains.err;
}

static void write_threads(const struct data *d)
{
    put_varint(d->out, d->s->threads);
    for (size_t i = 0; i < d->s->threads; i++) {
        put_varint(d->out, d->s->thread[i].pid);
        put_varint(d->out, d->s->thread[i].tid);
        put_string(d->out, d->s->thread[i].name);
    }
}

static bool is_shown(const struct data *d, const struct sampled_one *one)
{
    return one->time_ns >= d->c->begin_ns && one->time_ns < d->c->end_ns;
}

static void write_sample(const struct data *d, const struct sampled_one *one, uint64_t *before_ns)
{
    const struct sampled_indexes *to = d->c->samples->indexes;
    uint32_t node = one->node == INTERN_NONE ? STACKS_NONE : to->node[one->node];
    uint32_t thread =
        one->thread < d->c->samples->sampled->threads.count ? to->thread[one->thread] : STACKS_NONE;
    put_varint(d->out, one->time_ns - *before_ns);
    put_varint(d->out, thread == STACKS_NONE ? 0 : (uint64_t)thread + 1);
    put_varint(d->out, one->cpu);
    put_varint(d->out, node == STACKS_NONE ? 0 : (uint64_t)d->chain_of[node] + 1);
    *before_ns = one->time_ns;
}

static int write_samples(const struct data *d)
{
    const struct sampled_timeline *t = &d->c->samples->sampled->timeline;
    SCOPED_FREE struct radix_key *key = malloc((t->count + 1) * sizeof *key);
    uint64_t before_ns = d->c->begin_ns;
    size_t count = 0;
    if (!key)
        return -ENOMEM;
    for (size_t i = 0; i < t->count; i++)
        if (is_shown(d, &t->one[i]))
            key[count++] = (struct radix_key){.low = t->one[i].time_ns, .index = (uint32_t)i};
    radix_sort(key, count);
    put_varint(d->out, count);
    for (size_t i = 0; i < count; i++)
        write_sample(d, &t->one[key[i].index], &before_ns);
    return 0;
}

int snap_samples_data(const struct snap_contents *c, struct buf *out)
{
    struct data d = {
        .c = c, .s = c->samples->stacks, .out = out, .chains = INTERN_OF(struct chain)};
    put_varint(out, VERSION);
    put_varint(out, d.s->origin.period);
    write_functions(&d);
    int r = write_chains(&d);
    write_threads(&d);
    if (r == 0)
        r = write_samples(&d);
    free(d.chain_of);
    intern_release(&d.chains);
    return r ? r : buf_error(out);
}
