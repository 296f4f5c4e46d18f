/*
 * heap: the blocks that a process has allocated, and what each site has of them: in all, now, and
 * at the moment when the process had most bytes. A site is where a block was allocated, as a number
 * of the caller's. All times are events: calls that changed something.
 *
 * A block belongs to the site that allocated it, and is given back there, whoever frees it. A block
 * that is resized is a new one of the site that did so, and the old one is freed in the same event.
 *
 * Memory: some 50 bytes a block that is allocated, 56 a site.
 */
#pragma once

#include "core/containers/imap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_amount {
    uint64_t blocks, bytes;
};

struct heap_block {
    uint64_t bytes;
    uint32_t site;  /* of a free one the next free one + 1 */
    bool inherited; /* by a fork: the other process counts it */
};

struct heap_sums {
    struct heap_amount allocated; /* blocks: calls */
    struct heap_amount now, peak;
};

struct heap_site {
    struct heap_sums
        sums;         /* peak: of the last event with a new peak, once `changed' is behind it */
    uint64_t changed; /* the last event that did; 0: none */
};

/* Called when a site gets bytes, or gives them back. */
struct heap_watch {
    void (*changed)(void *arg, uint32_t site, uint64_t bytes, bool gone);
    void *arg;
};

struct heap { /* of a process; starts as zeroes */
    struct heap_site *site;
    size_t sites;
    struct imap at; /* by address + 1: the block's number + 1 */
    struct heap_block *block;
    size_t blocks, cap;
    uint32_t free; /* number + 1 */
    struct heap_sums sums;
    uint64_t events, peak_event;
    uint64_t frees;
    uint64_t unknown; /* for the caller: frees and resizings of blocks that were not known */
    uint64_t missed;  /* blocks that were allocated again: their free was not seen */
    bool failed;      /* memory ended */
    const struct heap_watch *watch; /* the caller's; NULL: none */
};

void heap_release(struct heap *h);

/* A call allocated a block. */
void heap_allocated(struct heap *h, uint64_t address, uint64_t bytes, uint32_t site);
/* A block is freed. False: it is not known. */
bool heap_freed(struct heap *h, uint64_t address);

/* While a block is resized it is no more at its address, where another thread may get one, but it
 * still counts. False: it is not known. Ended by one of the two: of a call that failed, and of one
 * that made a new block of it. */
bool heap_take(struct heap *h, uint64_t address, struct heap_block *out);
void heap_put_back(struct heap *h, uint64_t address, const struct heap_block *taken);
void heap_resized(struct heap *h, const struct heap_block *taken, uint64_t address, uint64_t bytes,
                  uint32_t site);

/* A fork's process: it knows the blocks of the other one, but does not count them. */
void heap_fork(struct heap *h, const struct heap *from);

/* What processes had, added up, by site. */
struct heap_totals { /* starts as zeroes */
    struct heap_sums *site;
    size_t sites;
    struct heap_sums sums; /* peak: the sum of the processes' peaks */
    uint64_t processes, frees, unknown, missed;
    uint64_t lost; /* calls whose result was not seen */
};
void heap_totals_release(struct heap_totals *t);
/* A process has ended: now is at its end. False: memory ended. */
bool heap_add(struct heap_totals *t, const struct heap *h);
/* Room for a site, cleared; NULL: memory ended. */
struct heap_sums *heap_totals_site(struct heap_totals *t, uint32_t site);
