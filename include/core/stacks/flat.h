/*
 * stacks_flat: the flat profile of stacks: a row a function, with what was spent in it (self) and
 * in it with all that it called (cumulative). A function that occurs several times in a call chain
 * has the chain in its cumulative amount once. Functions of one name in one module are one row;
 * what was counted without any frame is the row `(unknown)'.
 *
 * The text, one line about the whole, a header, a row a function, most first; amounts in a unit
 * that shows four digits of the whole; `wait' only when there are frames that wait, `calls' when
 * the stacks have a value of that name:
 *
 *     1.000 s, 1000 samples; perf cpu-clock, user mode
 *     self s      %  cumulative s      %  function
 *      0.500   50.0         0.600   60.0  work [prog]
 *      0.100   10.0                       (12 more)
 *
 * Time and memory are linear in samples and nodes, but for the sorting of the rows.
 */
#pragma once

#include "core/stacks/stacks.h"

struct stacks_flat_row {
    const char *name;   /* the stacks' own */
    const char *module; /* its name; "" outside every module, "JIT" for a JIT compiler's code */
    uint32_t function;  /* the first of that name; STACKS_NONE: `(unknown)' */
    uint64_t self, cumulative;
    uint64_t wait;  /* of the cumulative amount: in frames that wait (STACKS_WAIT) */
    uint64_t calls; /* 0 when the stacks count none */
};

struct stacks_flat {
    struct stacks_flat_row *row; /* those with an amount or with calls */
    size_t rows;
    uint64_t total; /* of all samples: what shares are of */
    size_t value;   /* of the stacks: what is summed */
    bool calls;     /* are counted */
    bool waits;     /* there are frames that wait */
};

struct stacks_flat_options {
    bool cumulative; /* sort by it; else by self */
    size_t max_rows; /* print so many, sum up the rest; 0: all */
    size_t width;    /* of a line: longer names are shortened; 0: never */
    bool fitted;     /* max_rows is the terminal's (core/text/report_fit.h) */
};

/* By the last value, or by the given one. The stacks must outlive out. 0 or -ENOMEM; release
 * either way. */
int stacks_flat_make(const struct stacks *s, bool by_cumulative, struct stacks_flat *out);
int stacks_flat_of(const struct stacks *s, size_t value, bool by_cumulative,
                   struct stacks_flat *out);
void stacks_flat_release(struct stacks_flat *f);

/* Made, appended as text and released. 0 or -ENOMEM. */
int stacks_flat_text(const struct stacks *s, const struct stacks_flat_options *options,
                     struct buf *out);
