/*
 * write: the functions behind writers.def, and what several of them do.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/export/writer.h"
#include "core/stacks/parts.h"

#define WRITER(name, what, binary, before, all, opened)                                            \
    int write_##name(const struct stacks *s, const struct stacks *b, struct buf *out);
#include "writers.def"
#undef WRITER

/* The name of the chain of a sample without a node. */
#define WRITE_UNKNOWN "(unknown)"

/* The nodes from the outermost to node, into chain, which must hold all nodes. Returns their
 * number. */
size_t write_chain(const struct stacks *s, uint32_t node, uint32_t *chain);

/* The value that views weigh by: the last one. */
size_t write_weight(const struct stacks *s);
bool write_weight_is(const struct stacks *s, const char *unit);

/* What each node counted in each thread, once, for formats that have no times: struct write_sum's
 * in out, in the order in which they were first seen. 0 or -ENOMEM; release out either way. */
struct write_sum {
    uint32_t node, thread; /* as of a sample */
    uint64_t amount[STACKS_MAX_VALUES];
};
int write_sums(const struct stacks *s, struct intern *out);

static inline const struct write_sum *write_sum(const struct intern *sums, size_t i)
{
    return (const struct write_sum *)sums->record + i;
}

static inline uint64_t write_threads_weight(const struct stacks *s,
                                            const struct stacks_by_thread *t, size_t at)
{
    return s->amount[t->sample[at] * s->values + write_weight(s)];
}

/* Whether t is to be written: every thread, and the samples of none when there are some. */
bool write_threads_has(const struct stacks *s, const struct stacks_by_thread *t, size_t thread);
