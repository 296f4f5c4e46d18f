/*
 * sampled_stacks: counted samples as stacks with names, for views and written formats.
 */
#pragma once

#include "core/sample/sampled.h"
#include "core/stacks/stacks.h"
#include "core/symbol/frames.h"

struct demangler;

/* What stacks of a heap profile are weighed by: their last value. */
enum sampled_heap_weight {
    SAMPLED_HEAP_PEAK,      /* bytes when the process had most */
    SAMPLED_HEAP_NOW,       /* bytes at its end */
    SAMPLED_HEAP_ALLOCATED, /* bytes in all */
    SAMPLED_HEAP_CALLS,
    SAMPLED_HEAP_WEIGHTS
};

/* Which of the stacks' nodes and threads each of the sampled ones became. */
struct sampled_indexes {
    uint32_t *node, *thread;
};
void sampled_indexes_release(struct sampled_indexes *indexes);

struct sampled_naming {
    /* Appends the frames at a link-time address, innermost first. */
    void (*frames_at)(void *arg, struct module *m, uint64_t vaddr, struct frames *out);
    void *arg;
    struct demangler *names;
    bool inlines; /* functions that were inlined are frames, too */
    enum sampled_heap_weight heap_weight;
    bool pooled;                     /* code of no file and no name is that of all processes */
    struct sampled_indexes *indexes; /* filled in, and the stacks are not timed; NULL: not so */
};

/* out is initialised here; its values are samples, and time or the event; of a
 * heap profile the four of enum sampled_heap_weight. Threads (or processes)
 * are separate when s counted them so; with a timeline, samples are timed. applet and method are
 * the caller's to fill in. 0 or -ENOMEM; stacks_release either way. */
int sampled_stacks(const struct sampled *s, const struct sampled_naming *naming,
                   struct stacks *out);
