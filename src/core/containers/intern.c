#include "core/containers/intern.h"

#include "core/base/grow.h"

#include <string.h>

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

static bool grow_slots(struct intern *t)
{
    size_t slots = t->slots ? t->slots * 2 : 64;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t i = 0; i < t->count; i++) {
        size_t at = (size_t)hash(record_at(t, i), t->key) & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = i + 1;
    }
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    return true;
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
    if (t->count >= INTERN_NONE - 1 || !grow(&t->record, &t->cap, t->count, t->each))
        return INTERN_NONE;
    memcpy(record_at(t, t->count), record, t->each);
    return (uint32_t)t->count++;
}

uint32_t intern(struct intern *t, const void *record)
{
    if (t->count * 2 >= t->slots && !grow_slots(t))
        return INTERN_NONE;
    uint32_t *slot = slot_of(t, record);
    if (*slot)
        return *slot - 1;
    uint32_t i = intern_append(t, record);
    if (i != INTERN_NONE)
        *slot = i + 1;
    return i;
}

void intern_release(struct intern *t)
{
    free(t->record);
    free(t->slot);
    t->record = t->slot = NULL;
    t->count = t->cap = t->slots = 0;
}
