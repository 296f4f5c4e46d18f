/*
 * arm_movable: whether instructions of 32-bit ARM can be made to do the same at another address.
 *
 * What reads the pc can if another register can hold that number meanwhile; a displaced call keeps
 * its return address, and returns to the original code.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arm_displaced {
    const uint8_t *bytes; /* whole instructions; of T32 an IT block as a whole, or not */
    size_t len;
    uint32_t addr; /* run-time address */
    bool thumb;    /* the instructions are T32 */
};

bool arm_is_movable(const struct arm_displaced *d);
