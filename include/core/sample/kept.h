/*
 * kept: the last samples of a sampling, and nothing else of it: what is older is taken out of all
 * counts, so that a report or a recording is of the last seconds alone, and memory depends on these
 * and on what runs, not on what ran since the beginning.
 *
 * Samples are in spans of a KEPT_SPANSth of the time to keep; a span is dropped as a whole when all
 * of it is too old. So at least keep_ns are kept, and at most a span more. What is counted without
 * a sample (losses, idle time, how chains ended) is dropped with the span in which it was counted.
 *
 * Memory: KEPT_SAMPLE_BYTES a sample, max_samples at most: then the kept time is shorter. Nodes,
 * cells, threads and modules that no kept sample has are dropped when there are as many of them as
 * of the others.
 *
 *     hooks.counted: kept_add; now and then kept_round, and behind it kept_compact
 */
#pragma once

#include "core/sample/forget.h"
#include "core/sample/sampled.h"

enum {
    KEPT_SPANS = 64,
    KEPT_MAX_SPANS = 2 * KEPT_SPANS + 2, /* by time, by number, and the ends of both */
    KEPT_SAMPLE_BYTES = sizeof(struct sampled_one),
    KEPT_MIN_SAMPLES = 1 << 16, /* 2 MB */
    KEPT_AMOUNTS = 15
};

/* Which are counted without a sample, in a span or so far: amounts_of in kept.c has their order;
 * chains by index of sampled_unwound.ends. */
struct kept_counts {
    uint64_t amount[KEPT_AMOUNTS];
    uint64_t *chains;
    size_t ends;
};

struct kept_span {
    uint64_t start_ns;
    struct sampled_one *one;
    size_t count, cap;
    struct kept_counts counts; /* once it is closed */
};

struct kept {
    uint64_t keep_ns;
    size_t max_samples;
    struct kept_span span[KEPT_MAX_SPANS]; /* the oldest first; the last is open */
    size_t spans, samples;
    struct kept_counts closed;      /* of all spans but the last */
    uint64_t dropped_lost;          /* losses that are not counted any more */
    bool turned;                    /* a span was closed since the last kept_round */
    bool full;                      /* max_samples were there before keep_ns had passed */
    size_t nodes, threads, modules; /* that the last kept_compact left */
};

/* kept.max_samples for a machine with so much memory: a sixteenth of it. */
size_t kept_samples_for_memory(size_t memory_bytes);

void kept_init(struct kept *k, uint64_t keep_ns, size_t max_samples);
void kept_release(struct kept *k);

/* A sample that s has just counted. Without memory for it, it is not counted any more, and s->err
 * says so. */
void kept_add(struct kept *k, struct sampled *s, const struct sampled_one *one);

/* Drops what is too old at this time. True when a span was closed: some 64 times in keep_ns. */
bool kept_round(struct kept *k, struct sampled *s, uint64_t now_ns);

/* The time that is kept, up to now. */
uint64_t kept_length_ns(const struct kept *k, uint64_t now_ns);

/* In order. */
void kept_each(const struct kept *k, void (*each)(void *arg, const struct sampled_one *one),
               void *arg);

/* Drops what no kept sample has: when it is much, or always. All indexes change. Modules that left
 * are in *out, which is the caller's as in core/sample/forget.h; false: none did. When memory ends
 * nothing is changed. */
bool kept_compact(struct kept *k, struct sampled *s, bool always, struct forgotten *out);
