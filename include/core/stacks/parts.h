/*
 * stacks_parts: the samples of stacks by their threads, or what else they are grouped by, each part
 * a set of stacks of its own for the views.
 */
#pragma once

#include "core/stacks/stacks.h"

struct stacks_part {
    const char *name;     /* of the thread; "" of samples without one */
    uint64_t weight;      /* sum of its last value */
    struct stacks stacks; /* without threads and method; not to be released or added to */
};

struct stacks_parts {
    struct stacks_part *part; /* those with samples, largest first */
    size_t count;
    uint64_t weight; /* of all */
    struct stacks_sample *sample;
    uint64_t *amount;
};

/* The samples by thread: those of thread t are sample[start[t]] to sample[start[t + 1] - 1], in
 * their order; t == threads selects those of no thread. 0 or -ENOMEM; release either way. */
struct stacks_by_thread {
    uint32_t *sample;
    size_t *start;
};
int stacks_by_thread(const struct stacks *s, struct stacks_by_thread *out);
void stacks_by_thread_release(struct stacks_by_thread *t);

/* Of stacks that are not timed and outlive it. 0 or -ENOMEM; release either way. */
int stacks_parts_make(const struct stacks *s, struct stacks_parts *out);
void stacks_parts_release(struct stacks_parts *parts);
