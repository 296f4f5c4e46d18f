#include "cfi_table.h"

#include "core/base/budget.h"

#include <stdlib.h>

static uint32_t hash(const uint32_t *words, size_t count)
{
    uint64_t h = count;
    for (size_t i = 0; i < count; i++)
        h = (h ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) >> 1;
    return (uint32_t)(h >> 24);
}

/* A string's length is in its first word: of an expression by a bit that no rule has. */
static const uint32_t EXPRESSION = UINT32_C(1) << 31;

static size_t words_of_bytes(size_t len)
{
    return 1 + (len + 3) / 4;
}

static size_t length_at(const struct cfi_pool *p, uint32_t at)
{
    uint32_t w = p->words[at];
    return w & EXPRESSION ? words_of_bytes(w & ~EXPRESSION) : CFI_HEAD_WORDS + cfi_count(&w);
}

/* The slot of a string, or the free one it belongs into. */
static uint32_t *slot_of(const struct cfi_pool *p, const uint32_t *words, size_t count)
{
    for (size_t i = hash(words, count) & p->slot_mask;; i = (i + 1) & p->slot_mask) {
        uint32_t at = p->slots[i];
        if (!at || (p->words[at] == words[0] && length_at(p, at) == count &&
                    memcmp(p->words + at, words, count * sizeof *words) == 0))
            return &p->slots[i];
    }
}

static bool grow_slots(struct cfi_pool *p)
{
    size_t before = p->slots ? p->slot_mask + 1 : 0, now = before ? 2 * before : 256;
    uint32_t *old = p->slots, *slots = NULL;
    if (budget_take(p->budget, now * sizeof *slots))
        slots = calloc(now, sizeof *slots);
    if (!slots)
        return false;
    p->slots = slots;
    p->slot_mask = now - 1;
    for (size_t i = 0; i < before; i++)
        if (old[i])
            *slot_of(p, p->words + old[i], length_at(p, old[i])) = old[i];
    budget_free(p->budget, old, before, sizeof *old);
    return true;
}

static bool grow_words(struct cfi_pool *p, size_t count)
{
    if (!p->count)
        p->count = 1;
    if (p->cap - p->count >= count && p->cap)
        return true;
    size_t cap = p->cap + p->cap / 2 + count + 256;
    uint32_t *words = NULL;
    if (budget_take(p->budget, (cap - p->cap) * sizeof *words))
        words = realloc(p->words, cap * sizeof *words);
    if (!words)
        return false;
    p->words = words;
    p->cap = cap;
    return true;
}

static uint32_t append_string(struct cfi_pool *p, const uint32_t *words, size_t count)
{
    uint32_t at = (uint32_t)p->count;
    memcpy(p->words + at, words, count * sizeof *words);
    p->count += count;
    p->strings++;
    return at;
}

uint32_t cfi_pool_add(struct cfi_pool *p, const uint32_t *words, size_t count)
{
    if ((!p->slots || p->strings * 2 > p->slot_mask) && !grow_slots(p))
        p->no_memory = true;
    if (p->no_memory)
        return 0;
    uint32_t *slot = slot_of(p, words, count);
    if (*slot)
        return *slot;
    if (p->count + count >= CFI_MAX_WORDS)
        return 0;
    if (!grow_words(p, count)) {
        p->no_memory = true;
        return 0;
    }
    return *slot = append_string(p, words, count);
}

uint32_t cfi_pool_expression(struct cfi_pool *p, const uint8_t *bytes, size_t len)
{
    enum { MAX_BYTES = 1024 };
    uint32_t words[1 + MAX_BYTES / 4] = {EXPRESSION | (uint32_t)len};
    if (len > MAX_BYTES)
        return 0;
    memcpy(words + 1, bytes, len);
    return cfi_pool_add(p, words, words_of_bytes(len));
}

bool cfi_pool_bytes(const struct cfi_pool *p, uint32_t at, const uint8_t **bytes, size_t *len)
{
    if (!at || at >= p->count || !(p->words[at] & EXPRESSION))
        return false;
    *bytes = (const uint8_t *)(p->words + at + 1);
    *len = p->words[at] & ~EXPRESSION;
    return *len <= (p->count - at - 1) * sizeof *p->words;
}

static size_t slot_count(const struct cfi_pool *p)
{
    return p->slots ? p->slot_mask + 1 : 0;
}

void cfi_pool_trim(struct cfi_pool *p)
{
    budget_free(p->budget, p->slots, slot_count(p), sizeof *p->slots);
    p->slots = NULL;
    budget_shrink(p->budget, (void **)&p->words, &p->cap, p->count, sizeof *p->words);
}

void cfi_pool_release(struct cfi_pool *p)
{
    budget_free(p->budget, p->words, p->cap, sizeof *p->words);
    budget_free(p->budget, p->slots, slot_count(p), sizeof *p->slots);
    *p = (struct cfi_pool){0};
}
