/*
 * arm_registers: which general registers an instruction of 32-bit ARM names, from the ARM
 * Architecture Reference Manual (DDI0406), chapters A5 to A8, and for what ARMv8 added DDI0487,
 * chapters F3 to F5. What is not in the tables is unknown: what user programs do not use, and what
 * no processor has.
 */
#pragma once

#include "core/insn/arm_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arm_registers {
    uint16_t read, written; /* a bit a register. The target of a jump is no such use of the pc */
    uint32_t pc_fields;     /* bits of the instruction that name the pc as what it reads */
};

/* False: it is unknown. A conditional instruction names what it does if its condition holds. */
bool arm_registers_a32(uint32_t op, struct arm_registers *out);
bool arm_registers_t16(uint16_t op, struct arm_registers *out);
/* The first half above the second. */
bool arm_registers_t32(uint32_t op, struct arm_registers *out);

/* An instruction of either set, with what it does and the registers that it names. */
struct arm_insn {
    uint32_t op; /* of T32 with 32 bits the first half above the second */
    struct arm_code code;
    struct arm_registers regs;
    bool known; /* the registers are */
    bool thumb; /* it is T32 */
};

/* That at bytes, of which len may be read. False: it is not there whole. */
bool arm_insn_read(const uint8_t *bytes, size_t len, bool thumb, struct arm_insn *out);
