#include "core/containers/radix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 16, VALUES = 256 };

static unsigned byte_of(const struct radix_key *k, unsigned i)
{
    return (unsigned)((i < 8 ? k->low : k->high) >> i % 8 * 8) & 0xff;
}

/* The bits that are not the same in all keys. */
static struct radix_key differences(const struct radix_key *key, size_t count)
{
    struct radix_key bits = {0};
    for (size_t k = 1; k < count; k++) {
        bits.low |= key[k].low ^ key[0].low;
        bits.high |= key[k].high ^ key[0].high;
    }
    return bits;
}

static void sort_by_byte(const struct radix_key *from, struct radix_key *to, size_t count,
                         unsigned byte)
{
    size_t place[VALUES] = {0}, at = 0;
    for (size_t k = 0; k < count; k++)
        place[byte_of(&from[k], byte)]++;
    for (unsigned v = 0; v < VALUES; v++) {
        size_t n = place[v];
        place[v] = at;
        at += n;
    }
    for (size_t k = 0; k < count; k++)
        to[place[byte_of(&from[k], byte)]++] = from[k];
}

/* A byte that is the same everywhere needs no pass. */
int radix_sort(struct radix_key *key, size_t count)
{
    const struct radix_key differ = differences(key, count);
    if (!differ.low && !differ.high)
        return 0;
    struct radix_key *other = malloc(count * sizeof *other), *from = key, *to = other;
    if (!other)
        return -ENOMEM;
    for (unsigned i = 0; i < BYTES; i++) {
        if (!byte_of(&differ, i))
            continue;
        sort_by_byte(from, to, count, i);
        struct radix_key *swap = from;
        from = to;
        to = swap;
    }
    if (from != key)
        memcpy(key, from, count * sizeof *key);
    free(other);
    return 0;
}
