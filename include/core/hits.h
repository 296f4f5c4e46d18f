/*
 * hits: the sampled places of one thread, or of all, with their link-time addresses: sorted by
 * module and address, so that those of one function stand together.
 */
#ifndef PSUITE_CORE_HITS_H
#define PSUITE_CORE_HITS_H

#include "core/sampled.h"

struct hit {
    size_t module;
    uint64_t vaddr, samples;
    bool known; /* vaddr is one; else the module could not be read */
};

struct hits {
    struct hit *hit;
    size_t count;
};

/* Of one set of places (sampled.h). 0 or -ENOMEM. */
int hits_make(const struct sampled *s, const struct imap *places, struct hits *out);
void hits_release(struct hits *h);

#endif
