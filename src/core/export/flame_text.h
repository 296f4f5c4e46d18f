/* flame_words: the text of amounts and shares in a flame graph. */
#pragma once

#include "core/stacks/stacks.h"

void flame_number(struct buf *out, uint64_t n);           /* 1,234,567 */
void flame_pct(struct buf *out, uint64_t n, uint64_t of); /* 12.34%; 0% of nothing */

/* n of a value: "1,234 samples", "1.234 s", "5.000 MiB", "1 sample". */
void flame_amount(struct buf *out, const struct stacks_value *value, uint64_t n);

/* The first value's amount, and the last one's where it is another. */
void flame_amounts(struct buf *out, const struct stacks *s, uint64_t count, uint64_t weight);

/* As much of text as fits into px, as XML, cut with `..'; nothing when not even a few characters
 * do. Characters are FLAME_CHARACTER wide, those of the East two of it. How many bytes of text. */
#define FLAME_CHARACTER 6.63
size_t flame_fit(struct buf *out, const char *text, double px);
