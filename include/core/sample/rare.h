/*
 * rare: room for new chains when there are nearly as many as memory allows (want.max_nodes). Chains
 * of the fewest samples lose their callers: each of their samples counts at its own place from then
 * on, and in count.merged. So what is left out is what is rare, not what came late.
 *
 * Node and cell numbers change: only who knows all that keep them may call it (as for forget.h).
 */
#pragma once

#include "core/sample/forget.h"

/* Which number became which; rare_merged_release. */
struct rare_merged {
    struct forgotten to;  /* modules stay as they are */
    uint32_t *origin;     /* of a new node: the old one that it was, with the same callers;
                             INTERN_NONE: it is new */
    struct intern before; /* the old nodes */
};

/* Merges when three quarters of the room are taken, and an eighth is new since the last time: down
 * to half of the room (places without callers stay, and chains of threads that wait now). An old
 * node to which nothing comes any more becomes node 0. False: nothing changed, as there is room, or
 * no memory to do it. */
bool sampled_merge_rare(struct sampled *s, struct rare_merged *out);

void rare_merged_release(struct rare_merged *out);
