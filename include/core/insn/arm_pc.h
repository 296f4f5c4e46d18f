/*
 * arm_pc: instructions of T32 with 32 bits that access memory relative to the pc. A register as
 * their base has other encodings: of the same access with a distance of 0.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether it is such an access, and how far from the aligned pc. */
bool arm_pc_access(uint32_t op, uint32_t *distance);
/* The same, of what a register points to. */
uint32_t arm_pc_access_by(uint32_t op, unsigned reg);
/* Whether it is ADR: a register gets an address at this distance. */
bool arm_pc_address(uint32_t op, uint32_t *distance);

/* TBB or TBH: jumps by a table of bytes or halves that a register, mostly the pc, points to. */
static inline bool arm_is_table_jump(uint32_t op)
{
    return (op & 0xfff0ffe0) == 0xe8d0f000;
}
