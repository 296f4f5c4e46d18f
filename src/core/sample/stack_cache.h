/*
 * late: the part of a stack that a sample's slice does not reach, read from the process when the
 * sample is processed. By then the thread has gone on, so what is read proves nothing by itself.
 *
 * Pages are kept: one reading serves the samples of a round, and where the process is gone what was
 * read before, for a sample of at most LATE_NS earlier.
 */
#ifndef PSUITE_CORE_SAMPLE_STACK_CACHE_H
#define PSUITE_CORE_SAMPLE_STACK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LATE_REACH = 1 << 20, /* bytes above the stack pointer */
    LATE_PAGE = 4096,
    LATE_PAGES = LATE_REACH / LATE_PAGE,
    LATE_NS = 200000000
};

struct late_page {
    uint64_t number;  /* address / LATE_PAGE */
    uint64_t round;   /* in which it was last asked for */
    uint64_t time_ns; /* of the sample that it was read for */
    uint32_t pid;
    bool there;
};

/* As of sampled.h's read_stack. */
typedef size_t late_reader(void *arg, uint32_t pid, uint64_t from, void *bytes, size_t len);

struct late {
    uint64_t round, asked; /* asked: the last round in which something was read; 0: none */
    struct late_page page[LATE_PAGES]; /* by their number */
    uint8_t bytes[LATE_PAGES][LATE_PAGE];
};

struct late_stack { /* of a sample */
    uint32_t pid;
    uint64_t sp, end; /* end: of the slice */
    uint64_t time_ns;
};

/* len bytes, 8 at most, beyond the slice; false when they are not to be had. */
bool late_read(struct late *l, const struct late_stack *s, uint64_t addr, void *bytes, size_t len,
               late_reader *read, void *arg);

#endif
