/*
 * stacks_tree: the call tree of stacks as text: downwards, from the outermost callers to what they
 * call, or upwards (callers), from each function to who called it, for what was spent in itself.
 *
 *     1.000 s, 1000 samples; perf cpu-clock, user mode
 *         %        s   self s  function
 *     100.0    1.000    0.000  main [prog]
 *      60.0    0.600    0.100  |- work [prog]
 *      50.0    0.500    0.500  |  hot [prog]
 *      40.0    0.400    0.400  `- other [prog]
 *
 * Callees are below their caller, largest first. An only callee is right below its caller
 * without a branch, so that long chains do not walk off the screen. Several outermost functions are
 * branches of `(all)'. Upwards, an amount is what was spent in the first function of the branch
 * while it was called by the others.
 *
 * On a terminal (fold) an only callee has a mark, `> ', or `< ' when it is a caller, and a function
 * that calls itself is one line with the greatest depth that it reached, `fib [prog] x20'. Deeper
 * branches than fit the line have `..' in the place of the outer ones.
 *
 * What is not shown is said at the end: how many branches, and what share of the whole they have.
 * Functions are distinguished as in flat.h.
 */
#pragma once

#include "core/stacks/stacks.h"

struct stacks_tree_options {
    double hide_pct;  /* branches with a smaller share of the whole are hidden; 0: none are */
    size_t max_rows;  /* lines shown, those with the most; 0: all */
    size_t max_depth; /* levels shown; 0: all, upwards STACKS_CALLERS_MAX_DEPTH */
    size_t width;     /* of a line: longer names are shortened; 0: never */
    bool threads;     /* one tree per thread, if the stacks have threads; downwards only */
    bool unicode;     /* branches of box drawing characters */
    bool fold;        /* for a terminal: direct recursion is one line, chains are marked */
    bool fitted;      /* max_rows is the terminal's (core/text/report_fit.h) */
};

enum { STACKS_CALLERS_MAX_DEPTH = 128, STACKS_TREE_MAX_NESTING = 100 };

/* Under 0.5% hidden, by thread, all levels, ASCII. At most STACKS_TREE_MAX_NESTING branches are
 * drawn inside each other; what is deeper is hidden. */
extern const struct stacks_tree_options stacks_tree_defaults;

/* By the last value. 0 or -ENOMEM. Time is linear but for sorting what is shown; upwards it is at
 * most so for each level. */
int stacks_tree_text(const struct stacks *s, const struct stacks_tree_options *o, struct buf *out);
int stacks_callers_text(const struct stacks *s, const struct stacks_tree_options *o,
                        struct buf *out);
