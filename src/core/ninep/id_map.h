/*
 * ninep_map: a map from 32-bit numbers that the peer chose (fids, tags) to pointers. The caller
 * bounds its size.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is empty. */
struct ninep_map {
    struct ninep_slot {
        uint32_t key;
        void *value; /* NULL: free */
    } * slot;
    size_t slots; /* 0 or a power of two, at most half full */
    size_t count;
};

void ninep_map_release(struct ninep_map *m); /* the values are the caller's */

void *ninep_map_get(const struct ninep_map *m, uint32_t key); /* NULL: none */
/* The key must be new, the value not NULL. False: no memory. */
bool ninep_map_put(struct ninep_map *m, uint32_t key, void *value);
void *ninep_map_remove(struct ninep_map *m, uint32_t key); /* and removes it */
void *ninep_map_remove_any(struct ninep_map *m);           /* NULL: empty */
