/*
 * arm_movable: whether instructions of 32-bit ARM can be made to do the same at another address.
 *
 * An instruction that reads the pc can, if it could read another register that holds the original
 * address. A call that is moved keeps its return address: it returns to the original code.
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
