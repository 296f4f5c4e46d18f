#include "core/hits.h"

#include <errno.h>
#include <stdlib.h>

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *pa, const void *pb)
{
    const struct hit *a = pa, *b = pb;
    if (a->set != b->set)
        return compare(a->set, b->set);
    if (a->module != b->module)
        return compare(a->module, b->module);
    if (a->known != b->known)
        return a->known ? 1 : -1;
    return compare(a->vaddr, b->vaddr);
}

static struct hit hit_of(const struct sampled *s, const struct sampled_cell *c, bool whole)
{
    const struct sampled_node *n = sampled_node_at(s, c->node);
    struct hit h = {
        .set = whole ? 0 : c->set, .module = n->module, .samples = c->samples, .weight = c->weight};
    if (n->module != SAMPLED_OUTSIDE)
        h.known = module_vaddr(s->modules.module[n->module], n->offset, &h.vaddr);
    return h;
}

static void merge(struct hits *h)
{
    size_t kept = 0;
    for (size_t i = 0; i < h->count; i++)
        if (kept && by_place(&h->hit[kept - 1], &h->hit[i]) == 0) {
            h->hit[kept - 1].samples += h->hit[i].samples;
            h->hit[kept - 1].weight += h->hit[i].weight;
        } else {
            h->hit[kept++] = h->hit[i];
        }
    h->count = kept;
}

int hits_make(const struct sampled *s, bool whole, struct hits *out)
{
    *out = (struct hits){.hit = malloc((s->cells.count + 1) * sizeof *out->hit)};
    if (!out->hit)
        return -ENOMEM;
    for (; out->count < s->cells.count; out->count++)
        out->hit[out->count] = hit_of(s, sampled_cell_at(s, out->count), whole);
    qsort(out->hit, out->count, sizeof *out->hit, by_place);
    merge(out);
    return 0;
}

void hits_release(struct hits *h)
{
    free(h->hit);
    *h = (struct hits){0};
}
