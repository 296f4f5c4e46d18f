/*
 * span: address ranges that may overlap, and the flat map that is built from them.
 */
#pragma once

#include "core/base/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
    uint64_t start, end; /* not empty */
    uint32_t id;
};

struct spans {
    struct span *span;
    size_t count, cap;
    size_t max;            /* more than so many are not taken; empty ones count */
    struct budget *budget; /* of which all memory is taken, a map's, too; may be NULL */
};

/* Empty ones are left out. False when it is full, or out of memory or budget. */
bool spans_add(struct spans *s, uint64_t start, uint64_t end, uint32_t id);
/* Takes one of the places away: what adds nothing costs time too. False when it is full. */
bool spans_spend(struct spans *s);
void spans_release(struct spans *s);

struct span_map {
    struct span_start {
        uint64_t start;
        uint32_t id; /* until the next one's start */
    } * at;
    size_t count, cap;
    struct budget *budget;
};
enum { SPAN_NONE = -1 }; /* an id that is none: UINT32_MAX */

/* Sorts s. Where spans overlap, the greatest id wins. False when out of memory or budget. */
bool span_map_make(struct span_map *m, struct spans *s);
void span_map_release(struct span_map *m);

/* The id at an address, (uint32_t)SPAN_NONE in gaps. */
uint32_t span_map_find(const struct span_map *m, uint64_t addr);
