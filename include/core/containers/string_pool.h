/*
 * texts: a pool of unique strings: equal strings have the same address. They do not move until the
 * release.
 */
#ifndef PSUITE_CORE_CONTAINERS_STRING_POOL_H
#define PSUITE_CORE_CONTAINERS_STRING_POOL_H

#include <stddef.h>
#include <stdint.h>

struct texts {
    struct texts_block *block; /* the newest first */
    const char **slot;
    size_t slots, used;
};

void texts_release(struct texts *t);

/* The string that is equal, copied when new. NULL when out of memory. */
const char *texts_intern(struct texts *t, const char *text);

#endif
