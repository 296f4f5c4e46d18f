/*
 * budget: how much memory many things may hold together. Each takes what it allocates, and gives it
 * back when it frees it; what does not fit is not allocated, and is counted as denied.
 *
 * One of them must not take everything from the others: each can have a share of the budget, which
 * is a budget itself. A share may hold as much as would then still be left for the others, or leave
 * BUDGET_OTHERS bytes if that is less. So the first may hold half of the whole, the next half of
 * the rest, and on a large machine the first may hold all but BUDGET_OTHERS.
 *
 * A NULL budget denies nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { BUDGET_OTHERS = 512 << 20 };

struct budget {
    size_t left; /* bytes; of a share: 0 */
    size_t limit;
    size_t denied;        /* how often something did not fit; the whole does not count its shares */
    struct budget *whole; /* of a share; else NULL */
    size_t held;          /* by a share */
};

void budget_init(struct budget *b, size_t limit);
/* A share of whole, which must outlive it. */
void budget_share(struct budget *b, struct budget *whole);

/* False, with nothing taken, when it does not fit. */
bool budget_take(struct budget *b, size_t bytes);
void budget_give(struct budget *b, size_t bytes);

/* How many of at most `most' things fit that take each bytes. Nothing is taken. */
size_t budget_fits(const struct budget *b, size_t most, size_t each);

/* grow() (core/base/grow.h), whose memory is taken from the budget. */
bool budget_grow(struct budget *b, void **array, size_t *cap, size_t count, size_t each);
/* Appends a record to such an array of count ones, as GROW_ADD does. */
#define BUDGET_ADD(budget, array, cap, count, ...)                                                 \
    (budget_grow((budget), (void **)&(array), &(cap), (count), sizeof *(array)) &&                 \
     ((array)[(count)++] = (__VA_ARGS__), true))

/* An array that will not grow any more keeps the memory of its count records. */
void budget_shrink(struct budget *b, void **array, size_t *cap, size_t count, size_t each);
/* Frees such an array. */
void budget_free(struct budget *b, void *array, size_t cap, size_t each);
