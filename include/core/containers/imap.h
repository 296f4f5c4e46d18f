/*
 * imap: a hash map from integers to integers, with open addressing: 16 bytes per slot, at most
 * three quarters full. A value of 0 means none: a key that was never set reads as 0. Memory is that
 * of the keys whose value is not 0: setting 0 removes a key.
 *
 * Slots are taken by a non-zero stored key: keys are kept plus one, so that 0 means free. The one
 * key this cannot hold (all ones) is no address and no id of ours.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct imap_slot {
    uint64_t key, value;
};

struct imap {
    struct imap_slot *slot;
    size_t slots, used; /* slots is 0 or a power of two */
};

void imap_release(struct imap *m);

/* The slot of a key that is stored as this, or the free one that it would have. */
static inline size_t imap_slot_of(const struct imap *m, uint64_t stored)
{
    size_t i = (size_t)(stored * 0x9e3779b97f4a7c15u >> 20) & (m->slots - 1);
    while (m->slot[i].key && m->slot[i].key != stored)
        i = (i + 1) & (m->slots - 1);
    return i;
}

static inline uint64_t imap_get(const struct imap *m, uint64_t key)
{
    return m->slots ? m->slot[imap_slot_of(m, key + 1)].value : 0;
}

/* A key's value, and removes the key. */
static inline uint64_t imap_take(struct imap *m, uint64_t key)
{
    uint64_t *at = m->slots ? &m->slot[imap_slot_of(m, key + 1)].value : NULL;
    uint64_t value = at ? *at : 0;
    if (value)
        *at = 0;
    return value;
}

/* The address of key's value, which is made (as 0) when new; valid until the next imap_at. NULL
 * when memory ends. */
uint64_t *imap_at(struct imap *m, uint64_t key);

/* Walks all slots whose value is not 0: for (size_t i = 0; imap_next(m, &i, &slot);) */
int imap_next(const struct imap *m, size_t *i, struct imap_slot *out);

/* The same of values that are pointers to what is the caller's; NULL: none. Set: false when memory
 * ends. */
static inline void *imap_pointer(const struct imap *m, uint64_t key)
{
    return (void *)(uintptr_t)imap_get(m, key);
}
static inline void *imap_take_pointer(struct imap *m, uint64_t key)
{
    return (void *)(uintptr_t)imap_take(m, key);
}
static inline bool imap_set_pointer(struct imap *m, uint64_t key, void *value)
{
    uint64_t *at = imap_at(m, key);
    if (at)
        *at = (uintptr_t)value;
    return at;
}
static inline void *imap_next_pointer(const struct imap *m, size_t *i)
{
    struct imap_slot slot;
    return imap_next(m, i, &slot) ? (void *)(uintptr_t)slot.value : NULL;
}
