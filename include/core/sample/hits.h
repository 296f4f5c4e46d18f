/*
 * hits: the sampled addresses, as link-time addresses, sorted by set (thread or process), module
 * and address, so that those of one function are adjacent. Of chains the innermost place alone, of
 * waits that from which the thread waited, where one is known.
 */
#pragma once

#include "core/containers/radix.h"
#include "core/sample/sampled.h"

struct hit {
    uint32_t set, module; /* SAMPLED_OUTSIDE: no module */
    bool known;           /* vaddr is a link-time address; else the module could not be read */
    uint64_t vaddr, samples, weight;
    uint64_t wait; /* of weight: it did not run, called from here */
};

/* What is read by hits_next; of a million places only a sorted key each is in memory. */
struct hits {
    const struct sampled *sampled;
    const struct sampled_cell *cell;
    struct radix_key *key;
    size_t count, next; /* of key */
    bool whole;
};

/* Each (set, module, address) once; whole: the sets as one, number 0. 0 or -ENOMEM. s must outlive
 * the hits, and not be counted on meanwhile. */
int hits_make(const struct sampled *s, bool whole, struct hits *out);

/* Of these cells instead of all that were counted: a part of the samples. */
struct sampled_part {
    const struct sampled_cell *cell;
    size_t count;
};
int hits_make_part(const struct sampled *s, const struct sampled_part *part, bool whole,
                   struct hits *out);
/* The next one. False: there are no more. */
bool hits_next(struct hits *h, struct hit *out);
void hits_release(struct hits *h);
