/*
 * strtable: numbers unique strings in the order in which they were added, for the string tables of
 * file formats.
 */
#ifndef PSUITE_CORE_CONTAINERS_STRTABLE_H
#define PSUITE_CORE_CONTAINERS_STRTABLE_H

#include "core/containers/imap.h"
#include "core/containers/string_pool.h"

struct strtable {
    struct texts texts;
    struct imap index; /* offset of a text -> its number + 1 */
    const char **text;
    size_t count, cap;
    int err; /* 0 or -ENOMEM */
};

/* The number of text; 0 and err when out of memory. All zeros is an empty table. */
uint32_t strtable_index(struct strtable *t, const char *text);
void strtable_release(struct strtable *t);

#endif
