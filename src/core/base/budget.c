#include "core/base/budget.h"

#include "core/base/grow.h"

void budget_init(struct budget *b, size_t limit)
{
    *b = (struct budget){.left = limit, .limit = limit};
}

void budget_share(struct budget *b, struct budget *whole)
{
    *b = (struct budget){.limit = whole->limit, .whole = whole};
}

/* How much more it may take. */
static size_t available(const struct budget *b)
{
    if (!b->whole)
        return b->left;
    size_t left = b->whole->left;
    size_t half = left > b->held ? (left - b->held) / 2 : 0;
    size_t rest = left > BUDGET_OTHERS ? left - BUDGET_OTHERS : 0;
    return half > rest ? half : rest;
}

bool budget_take(struct budget *b, size_t bytes)
{
    if (!b)
        return true;
    if (bytes > available(b)) {
        b->denied++;
        return false;
    }
    *(b->whole ? &b->whole->left : &b->left) -= bytes;
    b->held += b->whole ? bytes : 0;
    return true;
}

void budget_give(struct budget *b, size_t bytes)
{
    if (!b)
        return;
    *(b->whole ? &b->whole->left : &b->left) += bytes;
    b->held -= b->whole ? bytes : 0;
}

size_t budget_fits(const struct budget *b, size_t most, size_t each)
{
    return b && available(b) / each < most ? available(b) / each : most;
}

/* What grow() will make of it is taken before: the old and the new array exist together only
 * briefly, since realloc moves large ones by remapping pages. */
bool budget_grow(struct budget *b, void **array, size_t *cap, size_t count, size_t each)
{
    if (count < *cap)
        return true;
    size_t more = (grow_cap(*cap) - *cap) * each;
    if (!budget_take(b, more))
        return false;
    if (grow(array, cap, count, each))
        return true;
    budget_give(b, more);
    return false;
}

void budget_shrink(struct budget *b, void **array, size_t *cap, size_t count, size_t each)
{
    void *less = count && count < *cap ? realloc(*array, count * each) : NULL;
    if (!less)
        return;
    budget_give(b, (*cap - count) * each);
    *array = less;
    *cap = count;
}

void budget_free(struct budget *b, void *array, size_t cap, size_t each)
{
    free(array);
    budget_give(b, cap * each);
}
