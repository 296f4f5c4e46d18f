/*
 * prof_stacks: an exact call tree as stacks: for the views and written formats of call chains.
 * Their values are calls, and, where times were measured, time.
 */
#pragma once

#include "core/prof/names.h"
#include "core/stacks/stacks.h"

struct prof_stacks_want {
    uint32_t thread;  /* PROF_NONE: all */
    bool by_thread;   /* threads are counted separately */
    size_t max_depth; /* deeper calls are put at this level; 0: any depth */
};

/* How deep the calls of written files go: in most formats each sample has its whole chain. */
enum { PROF_STACKS_DEPTH = 1024 };

/* out is initialised here; applet and method are the caller's to fill in. *flattened: nodes that
 * were deeper. 0 or -ENOMEM; stacks_release either way. */
int prof_stacks(const struct prof_names *n, const struct prof_stacks_want *want, struct stacks *out,
                size_t *flattened);
