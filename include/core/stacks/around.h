/*
 * stacks_around: one function of stacks with its callers and callees.
 *
 * Recursion counts once: a chain gives its amount to the caller of the function's outermost
 * frame and to the callee of its innermost one. So the callers' amounts add up to the function's
 * cumulative amount, and its self amount with the callees' does so too.
 *
 *     1.000 s, 1000 samples; perf cpu-clock, user mode
 *         s      %  of it  function
 *     0.500   50.0   83.3  <- main [prog]
 *     0.100   10.0   16.7  <- (outermost)
 *     0.600   60.0  100.0  work [prog]
 *     0.100   10.0   16.7  (self)
 *     0.500   50.0   83.3  -> hot [prog]
 *
 * Functions are distinguished as in flat.h.
 */
#pragma once

#include "core/stacks/stacks.h"

struct fail;

struct stacks_neighbour {
    const char *name, *module; /* the stacks' own; name NULL: it has no caller there */
    uint64_t amount;
};

struct stacks_around {
    const char *name, *module;
    uint64_t self, cumulative, total; /* total: of all samples */
    size_t value;
    struct stacks_neighbour *caller, *callee; /* most first */
    size_t callers, callees;
};

struct stacks_around_options {
    size_t max_rows; /* callers, and callees: so many, the rest summed up; 0: all */
    size_t width;    /* of a line: longer names are shortened; 0: never */
    bool fitted;     /* max_rows is the terminal's (core/text/report_fit.h) */
};

/* asked: `name [module]' or a name as shown, else a raw name, else a part of either; the first of
 * these that fits a function decides, and must fit no other. By the last value. The stacks must
 * outlive out. 0, -ENOMEM, -ENOENT, or -EINVAL when several functions fit; the hint names some of
 * them. Release either way. */
int stacks_around_make(const struct stacks *s, const char *asked, struct stacks_around *out,
                       struct fail *fail);
void stacks_around_release(struct stacks_around *a);

/* Made, appended as text and released. Errors as above. */
int stacks_around_text(const struct stacks *s, const char *asked,
                       const struct stacks_around_options *options, struct buf *out,
                       struct fail *fail);
