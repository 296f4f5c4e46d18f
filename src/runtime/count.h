/*
 * count: counts calls only, without frames: a call belongs to the place it was made from, so that
 * whatever leaves functions (longjmp, exceptions, signals, other stacks) needs no care, and an exit
 * does nothing. In the file the root has a node of no calls for each call site, just before the
 * address the call returns to, which a reader maps to the function that holds it; below it are
 * the functions that were called from there, with their calls.
 *
 * A thread's table maps the place and the function of a call to its node; what is not there takes
 * the slow path (count.c). A node of the table is meant if its pc is the function and its
 * private_[0] the place. The table is taken by one load, with its size in it: a handler may bring
 * another.
 */
#pragma once

#include "cpu.h"
#include "runtime.h"

struct rt_arcs {
    uintptr_t mask; /* of an offset into to, in bytes */
    struct psprof_node *to[1];
};

/* Sites are 4 bytes apart or more where they call the same function, so these differ in bits of the
   offset. */
RT_HOT struct psprof_node **rt_arc(struct rt_arcs *a, uintptr_t fn, uintptr_t site)
{
    return (struct psprof_node **)((char *)a->to + ((fn + 4 * site) & a->mask));
}

RT_HOT void rt_count(uintptr_t fn, uintptr_t site)
{
    struct psprof_node *n = *rt_arc(psprof_tls.arcs, fn, site);
    if (RT_UNLIKELY((uintptr_t)n->pc != fn || (uintptr_t)n->private_[0] != site))
        rt_count_slow(fn, site);
    else
        cpu_add_one(&n->count);
}
