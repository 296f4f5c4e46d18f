#include "core/sample/hits.h"

#include "core/containers/radix.h"

#include <errno.h>
#include <stdlib.h>

/* Hits of one function are adjacent: by set, module, whether the address is known, address. */
static struct radix_key key_of(const struct hit *h, uint32_t index)
{
    return (struct radix_key){h->vaddr,
                              (uint64_t)h->set << 32 | (uint64_t)h->module << 1 | h->known, index};
}

static bool same_place(const struct hit *a, const struct hit *b)
{
    return a->set == b->set && a->module == b->module && a->known == b->known &&
           a->vaddr == b->vaddr;
}

static struct hit hit_of(const struct sampled *s, const struct sampled_cell *c, bool whole)
{
    const struct sampled_node *n = sampled_place(s, c->node);
    struct hit h = {.set = whole ? 0 : c->set,
                    .module = n->module,
                    .samples = c->samples,
                    .weight = c->weight,
                    .wait = sampled_is_wait(s, c->node) ? c->weight : 0};
    if (n->module != SAMPLED_OUTSIDE)
        h.known = module_vaddr(sampled_module(s, n->module), n->offset, &h.vaddr);
    return h;
}

/* In the order of the keys, equal places as one. */
static void merge_hits(const struct sampled *s, const struct sampled_part *part,
                       const struct radix_key *key, bool whole, struct hits *out)
{
    for (size_t i = 0; i < part->count; i++) {
        struct hit h = hit_of(s, &part->cell[key[i].index], whole);
        struct hit *last = out->count ? &out->hit[out->count - 1] : NULL;
        if (last && same_place(last, &h)) {
            last->samples += h.samples;
            last->weight += h.weight;
            last->wait += h.wait;
        } else {
            out->hit[out->count++] = h;
        }
    }
}

int hits_make_part(const struct sampled *s, const struct sampled_part *part, bool whole,
                   struct hits *out)
{
    size_t cells = part->count;
    struct radix_key *key = malloc((cells + 1) * sizeof *key);
    int r = key ? 0 : -ENOMEM;
    *out = (struct hits){0};
    for (size_t i = 0; r == 0 && i < cells; i++) {
        struct hit h = hit_of(s, &part->cell[i], whole);
        key[i] = key_of(&h, (uint32_t)i);
    }
    if (r == 0)
        r = radix_sort(key, cells);
    out->hit = r == 0 ? malloc((cells + 1) * sizeof *out->hit) : NULL;
    if (out->hit)
        merge_hits(s, part, key, whole, out);
    free(key);
    return out->hit ? 0 : -ENOMEM;
}

int hits_make(const struct sampled *s, bool whole, struct hits *out)
{
    const struct sampled_part all = {s->cells.record, s->cells.count};
    return hits_make_part(s, &all, whole, out);
}

void hits_release(struct hits *h)
{
    free(h->hit);
    *h = (struct hits){0};
}
