/*
 * stacks_diff: two stacks compared: a row a function, by what was spent in it, the greatest
 * difference first. Functions are matched by their name and their module's name; a module whose
 * name changed, as prog-old and prog-new, is found by the names of its functions.
 *
 * Amounts are compared as shares of their whole, and as they are; rows are in the order of their
 * difference in shares, or, absolute, in amounts.
 *
 * Sampled stacks differ by chance. A function that had the share p of n samples has a standard
 * error of sqrt(p (1 - p) / n); two shares are taken apart when they differ by more than
 * STACKS_DIFF_SIGMAS times that of their difference, with p of both together. Amounts are held
 * against the Poisson error of their samples, sqrt(n); exact ones have no error that is known, so
 * that they are judged only when this was asked for. This takes samples as independent of each
 * other, and says nothing about differences from one run to the next. Exact stacks have no such
 * error: there every difference counts.
 *
 *     old: 1.000 s, 1000 samples; perf cpu-clock, user mode
 *     new: 1.200 s, 1200 samples; perf cpu-clock, user mode
 *     old %  new %  points         s   function
 *      50.0   10.0   -40.0*   -0.380*  hot [prog]
 *       0.0    5.0    +5.0*   +0.060*  fresh [prog] (new)
 *      40.0   40.2    +0.2    +0.082   (12 within noise)
 *     *: more than 3 sigma of the samples: of the share, of the amount
 */
#pragma once

#include "core/stacks/stacks.h"

struct fail;

enum { STACKS_DIFF_SIGMAS = 3, STACKS_MAX_RENAMES = 32 };

/* Two modules' names that are taken for one. */
struct stacks_rename {
    const char *before, *after;
    size_t functions; /* that both have */
};

/* One of the two sides. */
struct stacks_diff_side {
    uint64_t total;
    uint64_t samples; /* 0: exact, or nothing */
    bool exact;
};

struct stacks_diff_row {
    const char *name, *module; /* the old stacks' own when there, else the new ones'; of a renamed
                                  module the new ones' */
    uint64_t before, after;
    double points;     /* new share less old, in percentage points */
    double difference; /* new amount less old */
    double sigmas;     /* of points, or of difference when absolute, positive; INFINITY: exact */
    bool significant;  /* by these */
    double share_sigmas, amount_sigmas;
    bool share_significant, amount_significant;
};

struct stacks_diff {
    const struct stacks *from, *to;
    struct stacks_diff_side before, after;
    size_t value, value_before; /* which of the new stacks' and of the old ones' are compared */
    bool absolute;
    struct stacks_diff_row *row; /* of functions with an amount on either side */
    size_t rows;
    struct stacks_rename rename[STACKS_MAX_RENAMES];
    size_t renames;
};

struct stacks_diff_options {
    bool absolute;
    bool cumulative; /* compare cumulative amounts; else self */
    bool noise;      /* text: rows within noise are shown too; else folded into one line */
    size_t max_rows; /* text: so many, the rest summed up; 0: all */
    size_t width;    /* text: of a line: longer names are shortened; 0: never */
    bool fitted;     /* text: max_rows is the terminal's (core/text/report_fit.h) */
};

/* By the new stacks' last value, which the old ones must have too. Both must outlive out. 0,
 * -ENOMEM, or -EINVAL without such a value. Release either way. */
int stacks_diff_make(const struct stacks *before, const struct stacks *after,
                     const struct stacks_diff_options *options, struct stacks_diff *out,
                     struct fail *fail);
void stacks_diff_release(struct stacks_diff *d);

void stacks_diff_text(const struct stacks_diff *d, const struct stacks_diff_options *options,
                      struct buf *out);

/* All rows: {"old":{"total_ns",...},"new":{...},"value","unit","absolute","rows":[{"name","module",
 * "old_ns","new_ns","difference_ns","old_share_pct","new_share_pct","points","sigmas",
 * "significant","difference_sigmas","difference_significant"}],"renamed":[{"old","new",
 * "functions"}]}; _ns is _bytes for bytes, and nothing for counts. sigmas is null where there is
 * no error to hold the difference against, samples is where the stacks are exact. */
void stacks_diff_json(const struct stacks_diff *d, struct buf *out);
