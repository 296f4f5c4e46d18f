#include "write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t write_chain(const struct stacks *s, uint32_t node, uint32_t *chain)
{
    size_t depth = 0;
    for (uint32_t n = node; n != STACKS_NONE; n = s->node[n].parent)
        depth++;
    size_t i = depth;
    for (uint32_t n = node; n != STACKS_NONE; n = s->node[n].parent)
        chain[--i] = n;
    return depth;
}

size_t write_weight(const struct stacks *s)
{
    return s->values - 1;
}

bool write_weight_is(const struct stacks *s, const char *unit)
{
    return strcmp(s->value[write_weight(s)].unit, unit) == 0;
}

int write_sums(const struct stacks *s, struct intern *out)
{
    *out = (struct intern){.each = sizeof(struct write_sum),
                           .key = offsetof(struct write_sum, amount)};
    for (size_t i = 0; i < s->samples; i++) {
        struct write_sum key = {.thread = s->sample[i].thread, .node = s->sample[i].node};
        uint32_t at = (s->timed ? intern : intern_append)(out, &key);
        if (at == INTERN_NONE)
            return -ENOMEM;
        for (size_t v = 0; v < s->values; v++)
            ((struct write_sum *)out->record)[at].amount[v] += s->amount[i * s->values + v];
    }
    return 0;
}

static size_t thread_of(const struct stacks *s, size_t sample)
{
    uint32_t thread = s->sample[sample].thread;
    return thread == STACKS_NONE ? s->threads : thread;
}

/* By counting: start[t + 2] counts thread t's, then start[t + 1] runs from its first to its last.
 */
int write_threads(const struct stacks *s, struct write_threads *out)
{
    out->sample = malloc((s->samples + 1) * sizeof *out->sample);
    out->start = calloc(s->threads + 3, sizeof *out->start);
    if (!out->sample || !out->start)
        return -ENOMEM;
    for (size_t i = 0; i < s->samples; i++)
        out->start[thread_of(s, i) + 2]++;
    for (size_t t = 2; t < s->threads + 3; t++)
        out->start[t] += out->start[t - 1];
    for (size_t i = 0; i < s->samples; i++)
        out->sample[out->start[thread_of(s, i) + 1]++] = (uint32_t)i;
    return 0;
}

void write_threads_release(struct write_threads *t)
{
    free(t->sample);
    free(t->start);
    *t = (struct write_threads){0};
}

bool write_threads_has(const struct stacks *s, const struct write_threads *t, size_t thread)
{
    return thread < s->threads || t->start[thread + 1] > t->start[thread];
}
