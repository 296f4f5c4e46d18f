/*
 * radix: sorts many records by a key of 128 bits, in time that is linear in them, and in place.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct radix_key {
    uint64_t low, high;
    uint32_t index; /* the caller's: which record it is of */
};

/* By high, then low, then index. */
void radix_sort(struct radix_key *key, size_t count);
