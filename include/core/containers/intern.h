/*
 * intern: a set of unique records, found by their first bytes. Each has a 32-bit index, in order of
 * insertion; the hash table takes 4 to 8 bytes per record.
 */
#ifndef PSUITE_CORE_CONTAINERS_INTERN_H
#define PSUITE_CORE_CONTAINERS_INTERN_H

#include <stddef.h>
#include <stdint.h>

enum { INTERN_NONE = UINT32_MAX };

struct intern {
    size_t each, key; /* bytes of a record; of it the key's, padding included */
    void *record;
    size_t count, cap;
    uint32_t *slot; /* index + 1; 0 free */
    size_t slots;   /* 0 or a power of two, at most half full */
};

#define INTERN_OF(type)                                                                            \
    {                                                                                              \
        .each = sizeof(type), .key = sizeof(type)                                                  \
    }

void intern_release(struct intern *t);

/* The index of the record that is equal in its key, which is copied when new. INTERN_NONE when
 * memory ends. */
uint32_t intern(struct intern *t, const void *record);

/* Appends a record that is known to be new, and will not be looked for. INTERN_NONE as above. */
uint32_t intern_append(struct intern *t, const void *record);

/* The same, of a record that is there; else INTERN_NONE. */
uint32_t intern_find(const struct intern *t, const void *record);

#endif
