/*
 * imap: a hash map from integers to integers, with open addressing: 16 bytes per slot, at most
 * three quarters full. A value of 0 means none: a key that was never set reads as 0. Memory is that
 * of the keys whose value is not 0: setting 0 removes a key.
 */
#ifndef PSUITE_CORE_CONTAINERS_IMAP_H
#define PSUITE_CORE_CONTAINERS_IMAP_H

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
uint64_t imap_get(const struct imap *m, uint64_t key);

/* The address of key's value, which is made (as 0) when new; valid until the next imap_at. NULL
 * when memory ends. */
uint64_t *imap_at(struct imap *m, uint64_t key);

/* Walks all slots whose value is not 0: for (size_t i = 0; imap_next(m, &i, &slot);) */
int imap_next(const struct imap *m, size_t *i, struct imap_slot *out);

#endif
