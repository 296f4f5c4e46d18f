#include "tally.h"

#include "core/containers/radix.h"
#include "count.h"

#include <errno.h>
#include <stdlib.h>

/* Slots are at random places of memory, so each is fetched while a few samples wait for theirs,
 * behind all slots. Behind these are the keys by which they are counted. */
enum { SLOTS = 1 << 15, MAX_USED = SLOTS / 4 * 3, MAX_WAITING = 16 };
_Static_assert(sizeof(struct radix_key) <= sizeof(struct tally_slot), "keys fit behind slots");

bool tally_takes(const struct sampled *s)
{
    return s->want.bulk && !s->hooks.counted && !s->want.timeline && !s->want.recent;
}

static size_t first_slot(const struct tally_slot *key)
{
    uint64_t of = key->offset ^ (uint64_t)key->module << 48 ^ (uint64_t)key->set << 32;
    return (size_t)(of * 0x9e3779b97f4a7c15u >> 48) & (SLOTS - 1);
}

static struct tally_slot *slot_of(struct tally_slot *slot, const struct tally_slot *key)
{
    size_t at = first_slot(key);
    while (slot[at].samples && (slot[at].offset != key->offset || slot[at].set != key->set ||
                                slot[at].module != key->module))
        at = (at + 1) & (SLOTS - 1);
    return &slot[at];
}

/* --- counting --- */

static void count_places(struct sampled *s, uint32_t set, const struct sampled_node *place,
                         uint64_t samples, uint64_t weight)
{
    bool shortened = false;
    uint32_t node = sampled_node(s, place, &shortened);
    if (node == INTERN_NONE || !sampled_count_cell(s, set, node, samples, weight))
        s->err = -ENOMEM;
    s->count.shortened += shortened ? samples : 0;
}

static size_t find_used(const struct tally_slot *slot, struct radix_key *key)
{
    size_t used = 0;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (slot[i].samples)
            key[used++] =
                (struct radix_key){slot[i].offset, (uint64_t)slot[i].module << 32 | slot[i].set, i};
    return used;
}

/* The places of one function, of which the first is key[0]; how many there are. */
static size_t count_function(struct sampled *s, const struct radix_key *key, size_t count)
{
    const struct tally_slot first = s->tally.slot[key->index];
    struct sampled_node n = {first.offset, first.module, INTERN_NONE};
    uint64_t end = 0, samples = 0, weight = 0;
    size_t i = 0;
    if (n.module != SAMPLED_OUTSIDE && s->hooks.place)
        n.offset = s->hooks.place(s->hooks.arg, sampled_module(s, n.module), n.offset, &end);
    do {
        struct tally_slot *slot = &s->tally.slot[key[i].index];
        samples += slot->samples;
        weight += slot->weight;
        slot->samples = 0;
    } while (++i < count && key[i].high == key->high && key[i].low < end);
    count_places(s, first.set, &n, samples, weight);
    return i;
}

static void count_used(struct sampled *s)
{
    if (!s->tally.used)
        return;
    struct radix_key *key = (struct radix_key *)(s->tally.slot + SLOTS + MAX_WAITING);
    size_t used = find_used(s->tally.slot, key);
    radix_sort(key, used);
    for (size_t i = 0; i < used;)
        i += count_function(s, key + i, used - i);
    s->tally.used = 0;
}

/* --- adding up --- */

/* Symbols are read at the first sample, while there is little else in memory. */
static void ready_module(struct sampled *s, const struct tally_slot *slot)
{
    struct module *m = sampled_module(s, slot->module);
    uint64_t end;
    if (m && !m->ready && s->hooks.place)
        s->hooks.place(s->hooks.arg, m, slot->offset, &end);
}

static void add_place(struct sampled *s, const struct tally_slot *place)
{
    struct tally_slot *slot = slot_of(s->tally.slot, place);
    uint64_t weight = place->weight;
    if (!slot->samples) {
        *slot = *place;
        slot->weight = 0;
        s->tally.used++;
        ready_module(s, slot);
    }
    slot->samples++;
    slot->weight += weight;
    if (s->tally.used == MAX_USED || slot->samples == UINT16_MAX)
        count_used(s);
}

static void add_waiting(struct sampled *s)
{
    for (size_t i = 0; i < s->tally.waiting; i++)
        add_place(s, &s->tally.slot[SLOTS + i]);
    s->tally.waiting = 0;
}

void sampled_count_tally(struct sampled *s)
{
    add_waiting(s);
    count_used(s);
}

static bool make_slots(struct sampled *s)
{
    if (!s->tally.slot)
        s->tally.slot = calloc(SLOTS + MAX_WAITING + MAX_USED, sizeof *s->tally.slot);
    if (!s->tally.slot)
        s->err = -ENOMEM;
    return s->tally.slot;
}

void tally_add(struct sampled *s, uint32_t set, const struct sampled_node *place, uint64_t weight)
{
    if (!make_slots(s))
        return;
    struct tally_slot *w = &s->tally.slot[SLOTS + s->tally.waiting++];
    *w = (struct tally_slot){
        .offset = place->offset, .weight = weight, .set = set, .module = (uint16_t)place->module};
    __builtin_prefetch(&s->tally.slot[first_slot(w)], 1);
    if (s->tally.waiting == MAX_WAITING)
        add_waiting(s);
}
