/*
 * tally: the places of samples, counted before it is known in which function each is. A node and a
 * cell of a sample cost a search for the function and three for the records; most samples are at
 * places that others were at shortly before. So samples are added up here by module and offset, and
 * from time to time all places are counted in the order of their addresses, where a function is
 * looked for once and neighbours are near in memory.
 *
 * Memory: 1.4 MB.
 */
#pragma once

#include "core/sample/sampled.h"

struct tally_slot {
    uint64_t offset, weight;
    uint32_t set; /* as of a cell */
    uint16_t module;
    uint16_t samples; /* 0: free */
};

/* Whether a sample is added up here: sampled.want.bulk, and nobody needs its node at once. */
bool tally_takes(const struct sampled *s);

/* Adds a sample at a place. It is counted already but for its node and its cell. */
void tally_add(struct sampled *s, uint32_t set, const struct sampled_node *place, uint64_t weight);
