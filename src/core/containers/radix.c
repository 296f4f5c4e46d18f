#include "core/containers/radix.h"

#include <stdbool.h>

/* Of a key as one number: index, low, high. Fewer than FEW keys are moved one by one. */
enum { INDEX_BYTES = 4, BYTES = INDEX_BYTES + 16, VALUES = 256, FEW = 24 };

static unsigned byte_of(const struct radix_key *k, unsigned i)
{
    uint64_t word = i < INDEX_BYTES       ? (uint64_t)k->index << 32
                    : i < INDEX_BYTES + 8 ? k->low
                                          : k->high;
    return (unsigned)(word >> (i + INDEX_BYTES) % 8 * 8) & 0xff;
}

static bool is_before(const struct radix_key *a, const struct radix_key *b)
{
    return a->high != b->high ? a->high < b->high
           : a->low != b->low ? a->low < b->low
                              : a->index < b->index;
}

static void sort_few(struct radix_key *key, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct radix_key k = key[i];
        size_t to = i;
        for (; to > 0 && is_before(&k, &key[to - 1]); to--)
            key[to] = key[to - 1];
        key[to] = k;
    }
}

/* Keys with one value of the byte become adjacent, smaller values first: each key is put where the
 * next one of its value belongs, and what was there goes on. end: of each value's keys. */
static void order_by_byte(struct radix_key *key, size_t count, unsigned byte, size_t *end)
{
    size_t next[VALUES] = {0}, at = 0;
    for (size_t i = 0; i < count; i++)
        next[byte_of(&key[i], byte)]++;
    for (unsigned v = 0; v < VALUES; v++) {
        end[v] = at + next[v];
        next[v] = at;
        at = end[v];
    }
    for (unsigned v = 0; v < VALUES; v++)
        while (next[v] < end[v]) {
            struct radix_key k = key[next[v]];
            for (unsigned to; (to = byte_of(&k, byte)) != v;) {
                struct radix_key other = key[next[to]];
                key[next[to]++] = k;
                k = other;
            }
            key[next[v]++] = k;
        }
}

/* The bits that are not the same in all keys. */
static struct radix_key differences(const struct radix_key *key, size_t count)
{
    struct radix_key bits = {0};
    for (size_t i = 1; i < count; i++) {
        bits.high |= key[i].high ^ key[0].high;
        bits.low |= key[i].low ^ key[0].low;
        bits.index |= key[i].index ^ key[0].index;
    }
    return bits;
}

/* A byte that is the same everywhere needs no pass. */
void radix_sort(struct radix_key *key, size_t count)
{
    if (count < FEW) {
        sort_few(key, count);
        return;
    }
    const struct radix_key differ = differences(key, count);
    unsigned byte = BYTES - 1;
    while (byte > 0 && !byte_of(&differ, byte))
        byte--;
    size_t end[VALUES];
    order_by_byte(key, count, byte, end);
    for (size_t v = 0, at = 0; v < VALUES && byte > 0; at = end[v++])
        if (end[v] - at > 1)
            radix_sort(key + at, end[v] - at);
}
