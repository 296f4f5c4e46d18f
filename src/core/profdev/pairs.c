#include "pairs.h"

#include "core/base/grow.h"

#include <errno.h>

int profdev_pairs_add(struct profdev_pairs *p, uint64_t pc, uint64_t count)
{
    struct profdev_pair *last = p->count ? &p->pair[p->count - 1] : NULL;
    if (last && last->pc == pc) {
        last->count = count > UINT64_MAX - last->count ? UINT64_MAX : last->count + count;
        return 0;
    }
    return GROW_ADD(p->pair, p->cap, p->count, (struct profdev_pair){pc, count}) ? 0 : -ENOMEM;
}

int profdev_pairs_merge(const struct profdev_pairs *a, const struct profdev_pairs *b,
                        struct profdev_pairs *out)
{
    size_t i = 0, j = 0;
    int r = 0;
    *out = (struct profdev_pairs){.count = 0};
    while (r == 0 && (i < a->count || j < b->count)) {
        bool first = j == b->count || (i < a->count && a->pair[i].pc <= b->pair[j].pc);
        const struct profdev_pair *next = first ? &a->pair[i++] : &b->pair[j++];
        r = profdev_pairs_add(out, next->pc, next->count);
    }
    if (r < 0)
        free(out->pair);
    return r;
}
