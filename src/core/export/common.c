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

bool write_threads_has(const struct stacks *s, const struct stacks_by_thread *t, size_t thread)
{
    return thread < s->threads || t->start[thread + 1] > t->start[thread];
}
