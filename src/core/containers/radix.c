#include "core/containers/radix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 16, VALUES = 256 };

static unsigned byte_of(const struct radix_key *k, unsigned i)
{
    return (unsigned)((i < 8 ? k->low : k->high) >> i % 8 * 8) & 0xff;
}

/* How often each value of each byte comes. */
static void count_all(const struct radix_key *key, size_t count, size_t (*times)[VALUES])
{
    for (size_t k = 0; k < count; k++)
        for (unsigned i = 0; i < BYTES; i++)
            times[i][byte_of(&key[k], i)]++;
}

static void sort_by_byte(const struct radix_key *from, struct radix_key *to, size_t count,
                         unsigned byte, size_t *times)
{
    size_t at = 0;
    for (unsigned v = 0; v < VALUES; v++) {
        size_t n = times[v];
        times[v] = at;
        at += n;
    }
    for (size_t k = 0; k < count; k++)
        to[times[byte_of(&from[k], byte)]++] = from[k];
}

/* A byte that is the same everywhere needs no pass. */
int radix_sort(struct radix_key *key, size_t count)
{
    size_t(*times)[VALUES] = calloc(BYTES, sizeof *times);
    struct radix_key *other = malloc((count + 1) * sizeof *other), *from = key, *to = other;
    int r = times && other ? 0 : -ENOMEM;
    if (r == 0 && count)
        count_all(key, count, times);
    for (unsigned i = 0; r == 0 && count && i < BYTES; i++) {
        if (times[i][byte_of(key, i)] == count)
            continue;
        sort_by_byte(from, to, count, i, times[i]);
        struct radix_key *swap = from;
        from = to;
        to = swap;
    }
    if (r == 0 && from != key)
        memcpy(key, from, count * sizeof *key);
    free(times);
    free(other);
    return r;
}
