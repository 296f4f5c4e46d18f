#include "core/base/budget.h"

#include "core/base/grow.h"

void budget_init(struct budget *b, size_t limit)
{
    *b = (struct budget){.left = limit, .limit = limit};
}

bool budget_take(struct budget *b, size_t bytes)
{
    if (!b)
        return true;
    if (bytes > b->left) {
        b->denied++;
        return false;
    }
    b->left -= bytes;
    return true;
}

void budget_give(struct budget *b, size_t bytes)
{
    if (b)
        b->left += bytes;
}

size_t budget_fits(const struct budget *b, size_t most, size_t each)
{
    return b && b->left / each < most ? b->left / each : most;
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
