#include "core/stacks/parts.h"

#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The part of those without a thread is behind the others. */
static size_t part_of(const struct stacks *s, size_t sample)
{
    uint32_t thread = s->sample[sample].thread;
    return thread == STACKS_NONE ? s->threads : thread;
}

static void start_parts(const struct stacks *s, struct stacks_parts *out)
{
    size_t first = 0;
    for (size_t i = 0; i < s->samples; i++)
        out->part[part_of(s, i)].stacks.samples++;
    for (size_t t = 0; t <= s->threads; t++) {
        struct stacks_part *p = &out->part[t];
        size_t samples = p->stacks.samples;
        p->name = t < s->threads ? s->thread[t].name : "";
        p->stacks = *s;
        p->stacks.threads = p->stacks.samples = 0;
        p->stacks.origin.method = "";
        p->stacks.origin.lost = 0;
        p->stacks.sample = out->sample + first;
        p->stacks.amount = out->amount + first * s->values;
        first += samples;
    }
}

static void add_sample(const struct stacks *s, size_t i, struct stacks_parts *out)
{
    struct stacks_part *p = &out->part[part_of(s, i)];
    const uint64_t *amounts = &s->amount[i * s->values];
    size_t at = p->stacks.samples++;
    p->stacks.sample[at] = s->sample[i];
    p->stacks.sample[at].thread = STACKS_NONE;
    memcpy(&p->stacks.amount[at * s->values], amounts, s->values * sizeof *amounts);
    p->weight += amounts[s->values - 1];
    out->weight += amounts[s->values - 1];
}

static int most_first(const void *a, const void *b)
{
    const struct stacks_part *x = a, *y = b;
    return ORDER(y->weight, x->weight) ?: strcmp(x->name, y->name);
}

int stacks_parts_make(const struct stacks *s, struct stacks_parts *out)
{
    *out =
        (struct stacks_parts){.part = calloc(s->threads + 1, sizeof *out->part),
                              .sample = malloc((s->samples + 1) * sizeof *out->sample),
                              .amount = malloc((s->samples + 1) * s->values * sizeof *out->amount)};
    if (!out->part || !out->sample || !out->amount)
        return -ENOMEM;
    start_parts(s, out);
    for (size_t i = 0; i < s->samples; i++)
        add_sample(s, i, out);
    for (size_t t = 0; t <= s->threads; t++)
        if (out->part[t].stacks.samples)
            out->part[out->count++] = out->part[t];
    sort_array(out->part, out->count, sizeof *out->part, most_first);
    return 0;
}

void stacks_parts_release(struct stacks_parts *parts)
{
    free(parts->part);
    free(parts->sample);
    free(parts->amount);
    *parts = (struct stacks_parts){0};
}
