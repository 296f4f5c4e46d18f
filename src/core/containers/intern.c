#include "core/containers/intern.h"

#include "core/base/budget.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Neighbours have every second slot, as the table is at most half full. */
enum { BLOCK_BYTES = 8192, NEIGHBOURS = 16, SPACED = 2, AHEAD = 16 };

struct intern_block {
    struct intern_block *older;
    size_t used, cap;
    char bytes[];
};

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

static uint64_t hash(const uint8_t *bytes, size_t len)
{
    uint64_t h = 0, word;
    size_t left = len;
    for (; left >= sizeof word; bytes += sizeof word, left -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = mix(h, word);
    }
    if (left) {
        word = 0;
        memcpy(&word, bytes, left);
        h = mix(h, word);
    }
    return mix(h, len);
}

/* The lowest bits of the first word choose among neighbouring slots; the rest of the key, where
 * these are. The tag depends on all. */
static uint64_t hash_key(const struct intern *t, const void *record)
{
    uint64_t word = 0, near;
    size_t first = t->key < sizeof word ? t->key : sizeof word;
    memcpy(&word, record, first);
    near = word & (((uint64_t)NEIGHBOURS << t->step) - 1);
    return mix(mix(0, word - near), hash((const uint8_t *)record + first, t->key - first)) +
           (near >> t->step) * SPACED + (near * 0x9e3779b9u << 32);
}

/* Keys are short: a call would cost more than the comparison. */
static bool is_equal_key(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint64_t x, y;
    for (; len >= sizeof x; a += sizeof x, b += sizeof x, len -= sizeof x) {
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        if (x != y)
            return false;
    }
    return !len || memcmp(a, b, len) == 0;
}

static uint8_t *record_at(const struct intern *t, size_t i)
{
    return (uint8_t *)t->record + i * t->each;
}

static uint64_t hash_at(const struct intern *t, size_t i)
{
    const char *string = t->key ? NULL : intern_string_at(t, i);
    return string ? hash((const uint8_t *)string, strlen(string)) : hash_key(t, record_at(t, i));
}

/* A slot is an element's index + 1 and, in the bits that no index has, some of its hash: elements
 * of another hash are passed over without being read. These are the bits. */
static uint32_t tag_bits(size_t slots)
{
    return ~(uint32_t)(slots - 1);
}

static uint32_t tag_of(uint64_t hash, size_t slots)
{
    return (uint32_t)(hash >> 32) & tag_bits(slots);
}

/* The element at a taken slot. */
static uint32_t index_at(const struct intern *t, uint32_t slot)
{
    return (slot & ~tag_bits(t->slots)) - 1;
}

static void fill_slot(uint32_t *slot, size_t slots, uint64_t hash, uint32_t index)
{
    size_t at = (size_t)hash & (slots - 1);
    while (slot[at])
        at = (at + 1) & (slots - 1);
    slot[at] = tag_of(hash, slots) | (index + 1);
}

/* Slots are fetched while the hashes of the next elements are computed. */
static void fill_slots(const struct intern *t, uint32_t *slot, size_t slots)
{
    uint64_t ahead[AHEAD];
    for (size_t i = 0; i < t->count + AHEAD; i++) {
        if (i >= AHEAD && i - AHEAD < t->count)
            fill_slot(slot, slots, ahead[i % AHEAD], (uint32_t)(i - AHEAD));
        if (i >= t->count)
            continue;
        ahead[i % AHEAD] = hash_at(t, i);
        __builtin_prefetch(&slot[(size_t)ahead[i % AHEAD] & (slots - 1)], 1);
    }
}

static bool set_slots(struct intern *t, size_t slots)
{
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    fill_slots(t, slot, slots);
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    return true;
}

static bool grow_slots(struct intern *t)
{
    size_t slots = t->slots ? t->slots * 2 : 64;
    while (slots <= t->count * 2) /* after intern_settle */
        slots *= 2;
    size_t more = (slots - t->slots) * sizeof *t->slot;
    if (budget_take(t->budget, more)) {
        if (set_slots(t, slots))
            return true;
        budget_give(t->budget, more);
    }
    return false;
}

static uint32_t no_memory(struct intern *t)
{
    t->err = -ENOMEM;
    return INTERN_NONE;
}

/* Where an element is, or would be. */
struct found {
    uint32_t *slot;
    uint32_t tag;
};

static bool has_tag(const struct intern *t, uint32_t slot, uint32_t tag)
{
    return (slot & tag_bits(t->slots)) == tag;
}

static struct found find_record(const struct intern *t, const void *record)
{
    uint64_t h = hash_key(t, record);
    uint32_t tag = tag_of(h, t->slots), slot;
    size_t at = (size_t)h & (t->slots - 1);
    while ((slot = t->slot[at]) && !(has_tag(t, slot, tag) &&
                                     is_equal_key(record_at(t, index_at(t, slot)), record, t->key)))
        at = (at + 1) & (t->slots - 1);
    return (struct found){&t->slot[at], tag};
}

uint32_t intern_find(const struct intern *t, const void *record)
{
    uint32_t slot = t->slots ? *find_record(t, record).slot : 0;
    return slot ? index_at(t, slot) : INTERN_NONE;
}

uint32_t intern_append(struct intern *t, const void *record)
{
    bool full = t->count == t->cap;
    if (t->count >= INTERN_NONE - 1 ||
        (full && !budget_grow(t->budget, &t->record, &t->cap, t->count, t->each)))
        return no_memory(t);
    memcpy(record_at(t, t->count), record, t->each);
    return (uint32_t)t->count++;
}

uint32_t intern(struct intern *t, const void *record)
{
    if (t->count * 2 >= t->slots && !grow_slots(t))
        return no_memory(t);
    struct found at = find_record(t, record);
    if (*at.slot)
        return index_at(t, *at.slot);
    uint32_t i = intern_append(t, record);
    if (i != INTERN_NONE)
        *at.slot = at.tag | (i + 1);
    return i;
}

/* --- strings --- */

static struct found find_string(const struct intern *t, const char *string, size_t len)
{
    uint64_t h = hash((const uint8_t *)string, len);
    uint32_t tag = tag_of(h, t->slots), slot;
    size_t at = (size_t)h & (t->slots - 1);
    while ((slot = t->slot[at]) &&
           !(has_tag(t, slot, tag) && strcmp(intern_string_at(t, index_at(t, slot)), string) == 0))
        at = (at + 1) & (t->slots - 1);
    return (struct found){&t->slot[at], tag};
}

static bool add_block(struct intern *t, size_t cap)
{
    size_t bytes = sizeof(struct intern_block) + cap;
    struct intern_block *block = budget_take(t->budget, bytes) ? malloc(bytes) : NULL;
    if (!block)
        return false;
    *block = (struct intern_block){.older = t->block, .cap = cap};
    t->block = block;
    t->block_bytes += bytes;
    return true;
}

static const char *copy_bytes(struct intern *t, const char *bytes, size_t len)
{
    if (!t->block || t->block->cap - t->block->used < len)
        if (!add_block(t, len < BLOCK_BYTES ? BLOCK_BYTES : len))
            return NULL;
    char *copy = memcpy(t->block->bytes + t->block->used, bytes, len);
    t->block->used += len;
    return copy;
}

uint32_t intern_string(struct intern *t, const char *string)
{
    if (t->count * 2 >= t->slots && !grow_slots(t))
        return no_memory(t);
    size_t len = strlen(string);
    struct found at = find_string(t, string, len);
    if (*at.slot)
        return index_at(t, *at.slot);
    t->each = sizeof string;
    const char *copy = copy_bytes(t, string, len + 1);
    uint32_t i = copy ? intern_append(t, &copy) : no_memory(t);
    if (i != INTERN_NONE)
        *at.slot = at.tag | (i + 1);
    return i;
}

const char *intern_copy(struct intern *t, const char *string)
{
    uint32_t i = intern_string(t, string);
    return i == INTERN_NONE ? NULL : intern_string_at(t, i);
}

const char *intern_append_copy(struct intern *t, const char *string)
{
    const char *copy = copy_bytes(t, string, strlen(string) + 1);
    if (!copy)
        no_memory(t);
    return copy;
}

static void free_blocks(struct intern *t)
{
    while (t->block) {
        struct intern_block *older = t->block->older;
        free(t->block);
        t->block = older;
    }
    budget_give(t->budget, t->block_bytes);
}

void intern_release(struct intern *t)
{
    free_blocks(t);
    budget_free(t->budget, t->record, t->cap, t->each);
    budget_free(t->budget, t->slot, t->slots, sizeof *t->slot);
    *t = (struct intern){.each = t->each, .key = t->key, .step = t->step, .budget = t->budget};
}

void intern_settle(struct intern *t)
{
    budget_shrink(t->budget, &t->record, &t->cap, t->count, t->each);
    budget_free(t->budget, t->slot, t->slots, sizeof *t->slot);
    t->slot = NULL;
    t->slots = 0;
}
