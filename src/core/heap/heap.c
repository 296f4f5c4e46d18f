#include "core/heap/heap.h"

#include "core/base/grow.h"

#include <stdlib.h>

void heap_release(struct heap *h)
{
    imap_release(&h->at);
    free(h->site);
    free(h->block);
    *h = (struct heap){0};
}

/* --- sums --- */

static void add_amount(struct heap_amount *to, const struct heap_amount *from)
{
    to->blocks += from->blocks;
    to->bytes += from->bytes;
}

/* What a site had at the peak stays known until it changes: then it is kept. */
static struct heap_site *change_site(struct heap *h, uint32_t site)
{
    if (!grow_zeroed(&h->site, &h->sites, (size_t)site + 1, sizeof *h->site)) {
        h->failed = true;
        return NULL;
    }
    struct heap_site *s = &h->site[site];
    if (s->changed <= h->peak_event)
        s->sums.peak = s->sums.now;
    s->changed = h->events;
    return s;
}

static void tell(const struct heap *h, uint32_t site, uint64_t bytes, bool gone)
{
    if (h->watch)
        h->watch->changed(h->watch->arg, site, bytes, gone);
}

static void count_new(struct heap *h, uint32_t site, uint64_t bytes)
{
    const struct heap_amount one = {1, bytes};
    struct heap_site *s = change_site(h, site);
    if (!s)
        return;
    add_amount(&s->sums.allocated, &one);
    add_amount(&s->sums.now, &one);
    add_amount(&h->sums.allocated, &one);
    add_amount(&h->sums.now, &one);
    tell(h, site, bytes, false);
}

static void count_gone(struct heap *h, const struct heap_block *b)
{
    struct heap_site *s = b->inherited ? NULL : change_site(h, b->site);
    h->frees++;
    if (!s)
        return;
    s->sums.now.blocks--;
    s->sums.now.bytes -= b->bytes;
    h->sums.now.blocks--;
    h->sums.now.bytes -= b->bytes;
    tell(h, b->site, b->bytes, true);
}

static void look_for_peak(struct heap *h)
{
    if (h->sums.now.bytes <= h->sums.peak.bytes)
        return;
    h->sums.peak = h->sums.now;
    h->peak_event = h->events;
}

/* --- blocks --- */

static uint32_t new_number(struct heap *h)
{
    uint32_t number = h->free;
    if (number) {
        h->free = h->block[number - 1].site;
        return number;
    }
    if (h->blocks >= UINT32_MAX - 1 || !grow(&h->block, &h->cap, h->blocks, sizeof *h->block))
        return 0;
    return (uint32_t)++h->blocks;
}

void heap_put_back(struct heap *h, uint64_t address, const struct heap_block *b)
{
    uint32_t number = new_number(h);
    uint64_t *at = number ? imap_at(&h->at, address + 1) : NULL;
    if (!at) {
        h->failed = true;
        return;
    }
    h->block[number - 1] = *b;
    *at = number;
}

bool heap_take(struct heap *h, uint64_t address, struct heap_block *out)
{
    uint64_t number = imap_take(&h->at, address + 1);
    if (!number)
        return false;
    struct heap_block *b = &h->block[number - 1];
    *out = *b;
    b->site = h->free;
    h->free = (uint32_t)number;
    return true;
}

/* --- events --- */

static void drop_missed(struct heap *h, uint64_t address)
{
    struct heap_block old;
    if (!heap_take(h, address, &old))
        return;
    h->missed++;
    count_gone(h, &old);
}

static void add_block(struct heap *h, uint64_t address, uint64_t bytes, uint32_t site)
{
    drop_missed(h, address);
    count_new(h, site, bytes);
    heap_put_back(h, address, &(struct heap_block){.bytes = bytes, .site = site});
    look_for_peak(h);
}

void heap_allocated(struct heap *h, uint64_t address, uint64_t bytes, uint32_t site)
{
    h->events++;
    add_block(h, address, bytes, site);
}

bool heap_freed(struct heap *h, uint64_t address)
{
    struct heap_block b;
    if (!heap_take(h, address, &b))
        return false;
    h->events++;
    count_gone(h, &b);
    return true;
}

void heap_resized(struct heap *h, const struct heap_block *taken, uint64_t address, uint64_t bytes,
                  uint32_t site)
{
    h->events++;
    count_gone(h, taken);
    add_block(h, address, bytes, site);
}

void heap_fork(struct heap *h, const struct heap *from)
{
    struct imap_slot slot;
    for (size_t i = 0; imap_next(&from->at, &i, &slot);) {
        struct heap_block b = from->block[slot.value - 1];
        b.inherited = true;
        heap_put_back(h, slot.key - 1, &b);
    }
}

/* --- of processes --- */

void heap_totals_release(struct heap_totals *t)
{
    free(t->site);
    *t = (struct heap_totals){0};
}

struct heap_sums *heap_totals_site(struct heap_totals *t, uint32_t site)
{
    if (!grow_zeroed(&t->site, &t->sites, (size_t)site + 1, sizeof *t->site))
        return NULL;
    return &t->site[site];
}

static void add_sums(struct heap_sums *to, const struct heap_sums *from)
{
    add_amount(&to->allocated, &from->allocated);
    add_amount(&to->now, &from->now);
    add_amount(&to->peak, &from->peak);
}

bool heap_add(struct heap_totals *t, const struct heap *h)
{
    for (size_t i = 0; i < h->sites; i++) {
        struct heap_sums one = h->site[i].sums;
        if (h->site[i].changed <= h->peak_event)
            one.peak = one.now;
        struct heap_sums *to = one.allocated.blocks ? heap_totals_site(t, (uint32_t)i) : NULL;
        if (to)
            add_sums(to, &one);
        else if (one.allocated.blocks)
            return false;
    }
    add_sums(&t->sums, &h->sums);
    t->processes++;
    t->frees += h->frees;
    t->unknown += h->unknown;
    t->missed += h->missed;
    return !h->failed;
}
