#include "core/hits.h"

#include <errno.h>
#include <stdlib.h>

static int by_place(const void *pa, const void *pb)
{
    const struct hit *a = pa, *b = pb;
    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    if (a->known != b->known)
        return a->known ? 1 : -1;
    return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

int hits_make(const struct sampled *s, const struct imap *places, struct hits *out)
{
    struct imap_slot slot;
    *out = (struct hits){.hit = malloc((places->used + 1) * sizeof *out->hit)};
    if (!out->hit)
        return -ENOMEM;
    for (size_t i = 0; imap_next(places, &i, &slot);) {
        struct hit *h = &out->hit[out->count++];
        *h = (struct hit){.module = sampled_place_module(slot.key), .samples = slot.value};
        h->known =
            module_vaddr(s->modules.module[h->module], sampled_place_offset(slot.key), &h->vaddr);
    }
    qsort(out->hit, out->count, sizeof *out->hit, by_place);
    return 0;
}

void hits_release(struct hits *h)
{
    free(h->hit);
    *h = (struct hits){0};
}
