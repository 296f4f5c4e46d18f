/*
 * profdev_memory: memory profiling of prof(3): how many bytes each place of a module has now, and
 * had at most; and each module, as a whole. A place is the address behind the call that allocates,
 * from the module's first on. Bytes that are given back are those of the place that allocated them.
 *
 * A module's cells are two numbers each, now and most: 0 and 1 the module's own, 2(i+1) and
 * 2(i+1)+1 those of the place at address i.
 */
#pragma once

#include "core/containers/imap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profdev_bytes {
    uint64_t now, most;
};

struct profdev_place {
    uint32_t module; /* a number of the caller's */
    uint64_t address;
    struct profdev_bytes bytes;
};

struct profdev_memory { /* starts as zeroes */
    struct profdev_place *place;
    size_t places, place_cap;
    struct profdev_bytes *module;
    size_t modules;
    struct imap index; /* 1 + a place's number */
};

enum {
    PROFDEV_MAX_PLACE_MODULES = 1 << 16,
    PROFDEV_MAX_PLACES = 1 << 24,
};

/* The number of a place, over 0, made when it is new. 0: there are too many, or memory ended; so
 * are addresses from 2^47 on. */
uint32_t profdev_memory_place(struct profdev_memory *m, uint32_t module, uint64_t address);

/* A place gets bytes, or gives them back. Place 0: nothing. */
void profdev_memory_changed(struct profdev_memory *m, uint32_t place, uint64_t bytes, bool gone);

/* The first of a place's two cells. */
static inline uint64_t profdev_memory_cell(const struct profdev_place *p)
{
    return 2 * (p->address + 1);
}
