/*
 * texts: strings that are there once, so that equal ones stand at one place. They stay where they
 * are until the release.
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

/* The string that is equal, copied when new. NULL when memory ends. */
const char *texts_intern(struct texts *t, const char *text);

#endif
