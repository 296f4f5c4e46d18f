/*
 * pprof_sites: the Locations of a pprof profile. A Location is one instruction: the function at
 * its address in the symbol table and all functions inlined into it, which are nodes of their own
 * in stacks. A site is an innermost frame with the site that it is inlined into.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/stacks/stacks.h"

struct pprof_site {
    uint32_t frame;
    uint32_t outer; /* STACKS_NONE: not inlined */
};

struct pprof_sites {
    struct intern sites; /* of struct pprof_site; a site's outer precedes it */
    uint32_t *of_node;
    uint8_t *ends; /* a flag a site: the innermost one somewhere */
};

int pprof_sites_make(struct pprof_sites *t, const struct stacks *s); /* 0 or -ENOMEM */
void pprof_sites_release(struct pprof_sites *t);                     /* either way */

static inline const struct pprof_site *pprof_site(const struct pprof_sites *t, uint32_t i)
{
    return (const struct pprof_site *)t->sites.record + i;
}

/* The node that called the function node's code is inlined into; STACKS_NONE: no node. */
uint32_t pprof_caller(const struct stacks *s, uint32_t node);
