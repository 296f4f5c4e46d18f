/*
 * io_latency: a latency histogram with buckets of an eighth of a power of two: percentiles are
 * exact within 13%, in constant memory.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { IO_LATENCY_BUCKETS = 62 * 8 };

struct io_latency {
    uint64_t count[IO_LATENCY_BUCKETS];
};

void io_latency_add(struct io_latency *l, uint64_t ns);
/* The time that a share (0..1) of them did not exceed: the upper end of its bucket; 0 when there
 * are none. */
uint64_t io_latency_quantile(const struct io_latency *l, double share);
/* How many took [from, 2 * from) ns; from is a power of two, 1 also has those of 0. */
uint64_t io_latency_octave(const struct io_latency *l, uint64_t from);
