#include "core/containers/intern.h"

#include "core/base/budget.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 8192 };

struct intern_block {
    struct intern_block *older;
    size_t used, cap;
    char bytes[];
};

static uint64_t hash(const uint8_t *bytes, size_t len)
{
    uint64_t h = len, word;
    for (; len; bytes += sizeof word, len -= sizeof word) {
        word = 0;
        if (len < sizeof word) {
            memcpy(&word, bytes, len);
            return (h ^ word) * 0x9e3779b97f4a7c15u >> 20;
        }
        memcpy(&word, bytes, sizeof word);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
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
    return string ? hash((const uint8_t *)string, strlen(string)) : hash(record_at(t, i), t->key);
}

static bool set_slots(struct intern *t, size_t slots)
{
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t i = 0; i < t->count; i++) {
        size_t at = (size_t)hash_at(t, i) & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = i + 1;
    }
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

/* The slot of the equal record, or the free one that it would have. */
static uint32_t *slot_of(const struct intern *t, const void *record)
{
    size_t at = (size_t)hash(record, t->key) & (t->slots - 1);
    while (t->slot[at] && !is_equal_key(record_at(t, t->slot[at] - 1), record, t->key))
        at = (at + 1) & (t->slots - 1);
    return &t->slot[at];
}

uint32_t intern_find(const struct intern *t, const void *record)
{
    return t->slots ? *slot_of(t, record) - 1 : INTERN_NONE; /* 0 - 1 is INTERN_NONE */
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
    uint32_t *slot = slot_of(t, record);
    if (*slot)
        return *slot - 1;
    uint32_t i = intern_append(t, record);
    if (i != INTERN_NONE)
        *slot = i + 1;
    return i;
}

/* --- strings --- */

static uint32_t *slot_of_string(const struct intern *t, const char *string, size_t len)
{
    size_t at = (size_t)hash((const uint8_t *)string, len) & (t->slots - 1);
    while (t->slot[at] && strcmp(intern_string_at(t, t->slot[at] - 1), string) != 0)
        at = (at + 1) & (t->slots - 1);
    return &t->slot[at];
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
    uint32_t *slot = slot_of_string(t, string, len);
    if (*slot)
        return *slot - 1;
    t->each = sizeof string;
    const char *copy = copy_bytes(t, string, len + 1);
    uint32_t i = copy ? intern_append(t, &copy) : no_memory(t);
    if (i != INTERN_NONE)
        *slot = i + 1;
    return i;
}

const char *intern_copy(struct intern *t, const char *string)
{
    uint32_t i = intern_string(t, string);
    return i == INTERN_NONE ? NULL : intern_string_at(t, i);
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
    *t = (struct intern){.each = t->each, .key = t->key, .budget = t->budget};
}

void intern_settle(struct intern *t)
{
    budget_shrink(t->budget, &t->record, &t->cap, t->count, t->each);
    budget_free(t->budget, t->slot, t->slots, sizeof *t->slot);
    t->slot = NULL;
    t->slots = 0;
}

size_t intern_bytes(const struct intern *t)
{
    return t->cap * t->each + t->slots * sizeof *t->slot + t->block_bytes;
}
