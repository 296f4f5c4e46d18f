#include "core/stacks/parts.h"

#include "core/base/scope.h"
#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t thread_of(const struct stacks *s, size_t sample)
{
    uint32_t thread = s->sample[sample].thread;
    return thread == STACKS_NONE ? s->threads : thread;
}

/* By counting: start[t + 2] counts thread t's, then start[t + 1] runs from its first to its last.
 */
int stacks_by_thread(const struct stacks *s, struct stacks_by_thread *out)
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

void stacks_by_thread_release(struct stacks_by_thread *t)
{
    free(t->sample);
    free(t->start);
    *t = (struct stacks_by_thread){0};
}

/* Of a thread with samples; the part of those without a thread is behind the others. */
static void add_part(const struct stacks *s, const struct stacks_by_thread *by, size_t thread,
                     struct stacks_parts *out)
{
    size_t first = by->start[thread], count = by->start[thread + 1] - first;
    struct stacks_part *p = &out->part[out->count];
    if (!count)
        return;
    *p = (struct stacks_part){.name = thread < s->threads ? s->thread[thread].name : "",
                              .stacks = *s};
    p->stacks.threads = 0;
    p->stacks.samples = count;
    p->stacks.origin.method = "";
    p->stacks.origin.lost = 0;
    p->stacks.sample = out->sample + first;
    p->stacks.amount = out->amount + first * s->values;
    for (size_t i = 0; i < count; i++) {
        size_t from = by->sample[first + i];
        const uint64_t *amounts = &s->amount[from * s->values];
        p->stacks.sample[i] = s->sample[from];
        p->stacks.sample[i].thread = STACKS_NONE;
        memcpy(&p->stacks.amount[i * s->values], amounts, s->values * sizeof *amounts);
        p->weight += amounts[s->values - 1];
    }
    out->weight += p->weight;
    out->count++;
}

static int most_first(const void *a, const void *b)
{
    const struct stacks_part *x = a, *y = b;
    return ORDER(y->weight, x->weight) ?: strcmp(x->name, y->name);
}

int stacks_parts_make(const struct stacks *s, struct stacks_parts *out)
{
    SCOPED(stacks_by_thread_release) struct stacks_by_thread by;
    *out =
        (struct stacks_parts){.part = calloc(s->threads + 1, sizeof *out->part),
                              .sample = malloc((s->samples + 1) * sizeof *out->sample),
                              .amount = malloc((s->samples + 1) * s->values * sizeof *out->amount)};
    if (stacks_by_thread(s, &by) < 0 || !out->part || !out->sample || !out->amount)
        return -ENOMEM;
    for (size_t t = 0; t <= s->threads; t++)
        add_part(s, &by, t, out);
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
