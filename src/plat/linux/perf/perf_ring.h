/*
 * perf_ring: the memory into which the kernel writes an event's records (linux/perf_event.h,
 * struct perf_event_mmap_page): a page of positions, then a power of two of bytes.
 */
#pragma once

#include "sampler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PERF_RING_RECORD_MAX = 65536 };

struct perf_event_mmap_page;

struct perf_ring {
    int fd;                            /* the event whose ring it is; not the ring's to close */
    struct perf_event_mmap_page *page; /* NULL: none */
    const uint8_t *data;
    size_t bytes; /* of data */
};

/* The size of a ring that holds at least so many bytes. */
size_t perf_ring_size(size_t want);

/* Maps the ring of fd. -errno; -ENOBUFS when it is more than a user may lock. */
int perf_ring_map(struct perf_ring *r, int fd, size_t bytes);
void perf_ring_unmap(struct perf_ring *r);

/* Passes every record to take and frees its space. One that wraps around the ring's end is made
 * contiguous in spare, of PERF_RING_RECORD_MAX bytes. */
void perf_ring_read(struct perf_ring *r, uint8_t *spare, sample_record_fn *emit, void *arg);

/* Whether a record that was not read yet tells of the start of this thread. */
bool perf_ring_has_fork(const struct perf_ring *r, uint32_t tid);
