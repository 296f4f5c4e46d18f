/*
 * sampled_stacks: counted samples as stacks with names, for views and written formats.
 */
#ifndef PSUITE_CORE_SAMPLE_TO_STACKS_H
#define PSUITE_CORE_SAMPLE_TO_STACKS_H

#include "core/sample/sampled.h"
#include "core/stacks/stacks.h"
#include "core/symbol/frames.h"

struct demangler;

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
    bool inlines;                    /* functions that were inlined are frames, too */
    struct sampled_indexes *indexes; /* filled in, and the stacks are not timed; NULL: not so */
};

/* out is initialised here; its values are samples, and time or the event. Threads (or processes)
 * are separate when s counted them so; with a timeline, samples are timed. applet and method are
 * the caller's to fill in. 0 or -ENOMEM; stacks_release either way. */
int sampled_stacks(const struct sampled *s, const struct sampled_naming *naming,
                   struct stacks *out);

#endif
