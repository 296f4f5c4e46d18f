#include "core/sample/hits.h"

#include <errno.h>
#include <stdlib.h>

/* Hits of one function are adjacent: by set, module, whether the address is known, address. */
static struct radix_key key_of(const struct hit *h, uint32_t index)
{
    return (struct radix_key){h->vaddr,
                              (uint64_t)h->set << 32 | (uint64_t)h->module << 1 | h->known, index};
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

int hits_make_part(const struct sampled *s, const struct sampled_part *part, bool whole,
                   struct hits *out)
{
    struct radix_key *key = malloc((part->count + 1) * sizeof *key);
    *out = (struct hits){.sampled = s, .cell = part->cell, .key = key, .whole = whole};
    if (!key)
        return -ENOMEM;
    out->count = part->count;
    for (size_t i = 0; i < out->count; i++) {
        struct hit h = hit_of(s, &part->cell[i], whole);
        key[i] = key_of(&h, (uint32_t)i);
    }
    radix_sort(key, out->count);
    return 0;
}

int hits_make(const struct sampled *s, bool whole, struct hits *out)
{
    const struct sampled_part all = {s->cells.record, s->cells.count};
    return hits_make_part(s, &all, whole, out);
}

static struct hit hit_at(const struct hits *h, size_t i)
{
    return hit_of(h->sampled, &h->cell[h->key[i].index], h->whole);
}

static bool same_place(const struct radix_key *a, const struct radix_key *b)
{
    return a->low == b->low && a->high == b->high;
}

bool hits_next(struct hits *h, struct hit *out)
{
    if (h->next == h->count)
        return false;
    size_t first = h->next++;
    for (*out = hit_at(h, first);
         h->next < h->count && same_place(&h->key[first], &h->key[h->next]); h->next++) {
        struct hit more = hit_at(h, h->next);
        out->samples += more.samples;
        out->weight += more.weight;
        out->wait += more.wait;
    }
    return true;
}

void hits_release(struct hits *h)
{
    free(h->key);
    *h = (struct hits){0};
}
