/*
 * collector: a thread that empties the rings of a sampling into memory while the engine unwinds,
 * reads a module's tables, or waits for a CPU. The kernel reserves 64 KB of a ring for a sample
 * with a slice of stack, of which a few are filled: a ring of 16 MB holds 50 ms at 4999 Hz, and the
 * same memory some ten times as much of what is filled.
 *
 * The thread shares no more than the rings and what was collected, under one lock. It runs at the
 * highest priority that it may give itself, as it only copies.
 */
#pragma once

#include "core/base/buf.h"
#include "core/perf/perfrec.h"
#include "perf/perf_ring.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct collector {
    struct perf_ring *ring; /* not the collector's */
    int rings;
    struct perfrec_format format;
    size_t max_bytes; /* so much collected: the rest stays in the rings */
    pthread_mutex_t lock;
    struct buf filling, reading;
    size_t populated; /* of filling: so many bytes are in memory */
    uint64_t lost;    /* for want of memory */
    uint8_t spare[PERF_RING_RECORD_MAX];
    pthread_t thread;
    bool runs;
    struct pollfd *on; /* the rings, and stop */
    int ready, stop;   /* eventfds: half of max_bytes are collected; the thread is to end */
};

/* NULL: memory. Where no thread can be had, records are collected at collector_read alone, and runs
 * is false. */
struct collector *collector_new(struct perf_ring *ring, int rings,
                                const struct perfrec_format *format, size_t max_bytes);
void collector_free(struct collector *c); /* NULL: nothing */

/* Passes all records that there were in the rings at one time: of those that come later none is
 * older than the last one of its ring. Each is at its full length, but for the part of a stack
 * slice that was not filled. */
void collector_read(struct collector *c, sample_record_fn *emit, void *arg);

/* The same, but in *bytes, which is to be empty, and whose memory the collector fills next. */
void collector_take(struct collector *c, struct buf *bytes);

/* Records that memory was too short for. */
uint64_t collector_lost(struct collector *c);
