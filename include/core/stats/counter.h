/*
 * stats_counter: how far a counter of the kernel came from one reading to the next.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* One counter, or the sum of the CPUs'. */
struct stats_counter {
    uint64_t since; /* the reading before */
    uint64_t total; /* since the first one */
    bool known;     /* both readings are there */
    bool fell;      /* it went backwards */
    bool absent;    /* the file has none */
};

/* How far it came. One that fell passed 2^32 or 2^64 if it was near it and is small now; otherwise
 * it went backwards: false. */
bool stats_counter_since(uint64_t before, uint64_t now, uint64_t *since);

/* Adds that to since and total, or sets fell. */
void stats_counter_step(struct stats_counter *c, uint64_t before, uint64_t now);
