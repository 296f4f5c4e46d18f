/*
 * stack_cache: the part of a stack that a sample's slice does not reach, read from the process when
 * the sample is processed. By then the thread has gone on, so what is read proves nothing by
 * itself.
 *
 * Pages are kept: one reading serves the samples of a round, and where the process is gone what was
 * read before, for a sample of at most STACK_CACHE_MAX_AGE_NS earlier.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STACK_CACHE_REACH = 1 << 20, /* bytes above the stack pointer */
    STACK_CACHE_PAGE_BYTES = 4096,
    STACK_CACHE_PAGES = STACK_CACHE_REACH / STACK_CACHE_PAGE_BYTES,
    STACK_CACHE_MAX_AGE_NS = 200000000
};

struct stack_cache_page {
    uint64_t number;  /* address / STACK_CACHE_PAGE_BYTES */
    uint64_t round;   /* in which it was last asked for */
    uint64_t time_ns; /* of the sample that it was read for */
    uint32_t pid;
    bool valid;
};

/* As of sampled.h's read_stack. */
typedef size_t stack_cache_reader(void *arg, uint32_t pid, uint64_t from, void *bytes, size_t len);

struct stack_cache {
    uint64_t round;
    uint64_t last_read_round;                        /* in which something was read; 0: none */
    struct stack_cache_page page[STACK_CACHE_PAGES]; /* by their number */
    uint8_t bytes[STACK_CACHE_PAGES][STACK_CACHE_PAGE_BYTES];
};

struct stack_cache_sample { /* of a sample */
    uint32_t pid;
    uint64_t sp, end; /* end: of the slice */
    uint64_t time_ns;
};

/* len bytes, 8 at most, beyond the slice; false when they are not to be had. */
bool stack_cache_read(struct stack_cache *l, const struct stack_cache_sample *s, uint64_t addr,
                      void *bytes, size_t len, stack_cache_reader *read, void *arg);
