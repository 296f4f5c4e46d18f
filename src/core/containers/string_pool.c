#include "core/containers/string_pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8192 };

struct texts_block {
    struct texts_block *older;
    size_t used, cap;
    char bytes[];
};

void texts_release(struct texts *t)
{
    while (t->block) {
        struct texts_block *older = t->block->older;
        free(t->block);
        t->block = older;
    }
    free(t->slot);
    *t = (struct texts){0};
}

static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *text; text++)
        h = (h ^ (uint8_t)*text) * 0x100000001b3u;
    return h ^ h >> 32;
}

static const char **slot_of(const struct texts *t, const char *text)
{
    size_t at = (size_t)hash(text) & (t->slots - 1);
    while (t->slot[at] && strcmp(t->slot[at], text) != 0)
        at = (at + 1) & (t->slots - 1);
    return &t->slot[at];
}

static bool grow_slots(struct texts *t)
{
    struct texts wider = {.slots = t->slots ? t->slots * 2 : 64};
    wider.slot = calloc(wider.slots, sizeof *wider.slot);
    if (!wider.slot)
        return false;
    for (size_t i = 0; i < t->slots; i++)
        if (t->slot[i])
            *slot_of(&wider, t->slot[i]) = t->slot[i];
    free(t->slot);
    t->slot = wider.slot;
    t->slots = wider.slots;
    return true;
}

static char *reserve_bytes(struct texts *t, size_t len)
{
    if (!t->block || t->block->cap - t->block->used < len) {
        size_t cap = len < BLOCK ? BLOCK : len;
        struct texts_block *fresh = malloc(sizeof *fresh + cap);
        if (!fresh)
            return NULL;
        *fresh = (struct texts_block){t->block, 0, cap};
        t->block = fresh;
    }
    return t->block->bytes + t->block->used;
}

const char *texts_intern(struct texts *t, const char *text)
{
    if (t->used * 2 >= t->slots && !grow_slots(t))
        return NULL;
    const char **slot = slot_of(t, text);
    if (*slot)
        return *slot;
    size_t len = strlen(text) + 1;
    char *copy = reserve_bytes(t, len);
    if (!copy)
        return NULL;
    memcpy(copy, text, len);
    t->block->used += len;
    t->used++;
    *slot = copy;
    return copy;
}
