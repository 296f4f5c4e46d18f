#include "latency.h"

enum { PARTS_LOG2 = 3, PARTS = 1 << PARTS_LOG2 };

/* Below PARTS a bucket is one ns; from there on the first digits behind the leading one count. */
static size_t bucket_of(uint64_t ns)
{
    if (ns < PARTS)
        return (size_t)ns;
    unsigned octave = 63u - (unsigned)__builtin_clzll(ns);
    return (octave - PARTS_LOG2 + 1) * PARTS + (size_t)(ns >> (octave - PARTS_LOG2)) - PARTS;
}

/* The least time of the bucket. */
static uint64_t start_of(size_t bucket)
{
    if (bucket < PARTS)
        return bucket;
    return (uint64_t)(PARTS + bucket % PARTS) << (bucket / PARTS - 1);
}

void io_latency_add(struct io_latency *l, uint64_t ns)
{
    l->count[bucket_of(ns)]++;
}

uint64_t io_latency_quantile(const struct io_latency *l, double share)
{
    uint64_t total = 0, sum = 0;
    for (size_t i = 0; i < IO_LATENCY_BUCKETS; i++)
        total += l->count[i];
    for (size_t i = 0; i < IO_LATENCY_BUCKETS; i++) {
        sum += l->count[i];
        if (l->count[i] && (double)sum >= share * (double)total)
            return i < PARTS ? i : start_of(i + 1) - 1;
    }
    return 0;
}

uint64_t io_latency_octave(const struct io_latency *l, uint64_t from)
{
    size_t first = from == 1 ? 0 : bucket_of(from), end = bucket_of(from * 2);
    uint64_t sum = 0;
    if (end < first) /* 2 * from is too large for a number */
        end = IO_LATENCY_BUCKETS;
    for (size_t i = first; i < end; i++)
        sum += l->count[i];
    return sum;
}
