#include "intern.h"

#include "grow.h"

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

static uint8_t *record_at(const struct intern *t, size_t i)
{
    return (uint8_t *)t->record + i * t->each;
}

static bool widen(struct intern *t)
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

uint32_t intern(struct intern *t, const void *record)
{
    if (t->count * 2 >= t->slots && !widen(t))
        return INTERN_NONE;
    size_t at = (size_t)hash(record, t->key) & (t->slots - 1);
    for (; t->slot[at]; at = (at + 1) & (t->slots - 1))
        if (memcmp(record_at(t, t->slot[at] - 1), record, t->key) == 0)
            return t->slot[at] - 1;
    if (t->count >= INTERN_NONE - 1 || !grow(&t->record, &t->room, t->count, t->each))
        return INTERN_NONE;
    memcpy(record_at(t, t->count), record, t->each);
    t->slot[at] = (uint32_t)++t->count;
    return t->slot[at] - 1;
}

void intern_release(struct intern *t)
{
    free(t->record);
    free(t->slot);
    t->record = t->slot = NULL;
    t->count = t->room = t->slots = 0;
}
