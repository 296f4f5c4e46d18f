/*
 * call_text: shared by the text views of stacks: amounts in a unit, names that are safe on a
 * terminal, the line of totals.
 */
#pragma once

#include "core/base/share.h"
#include "core/stacks/stacks.h"

/* How amounts of one value are printed. */
struct call_scale {
    const char *unit; /* "ms", "MiB"; for counts the value's own name */
    bool bare;        /* the numbers are counts, and have no unit */
    double size;      /* of the unit, in the value's */
    int decimals;
    int width; /* of the greatest amount, and of the unit as a header */
};

/* For amounts up to total. */
struct call_scale call_scale_of(const struct stacks_value *value, uint64_t total);

void call_amount(const struct call_scale *c, int width, double amount, struct buf *out);

/* `1.000 s, 1000 samples, 3 lost; METHOD', newline. value: the one that total is of. */
void call_summary(const struct stacks *s, size_t value, uint64_t total, struct buf *out);

/* Samples in all, by what was counted or by the period; 0: the stacks are exact. */
uint64_t call_samples(const struct stacks *s);

/* `name [module]', safe on a terminal. A name is shortened (core/text/name_fit.h) when the line
 * that it is appended to would get wider than width columns; 0: never. */
void call_name(struct buf *out, const char *name, const char *module, size_t width);
