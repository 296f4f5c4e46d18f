/*
 * arm_fields: the tables of arm_registers: which bits of an instruction number registers.
 */
#pragma once

#include "core/insn/arm_registers.h"

/* Fields of four bits by their lowest, read or written; optional: 15 is no register there. */
enum {
    R0 = 1 << 0,
    R8 = 1 << 1,
    R12 = 1 << 2,
    R16 = 1 << 3,
    W0 = 1 << 4,
    W8 = 1 << 5,
    W12 = 1 << 6,
    W16 = 1 << 7,
    OPTIONAL0 = 1 << 8,
    OPTIONAL8 = 1 << 9,
    OPTIONAL12 = 1 << 10,
    OPTIONAL16 = 1 << 11,
    PAIR12 = 1 << 12,  /* and the register behind that of 12 */
    LIST = 1 << 13,    /* bits 0 to 15, loaded or stored by bit 20 */
    UNKNOWN = 1 << 14, /* no instruction */
    ADDRESS0 = 1 << 15 /* R0, but 13 and 15 are no registers there */
};

/* What of them exists, by arm_exists.h; above the fields. */
enum {
    SIMD = 1 << 16,
    SIMD_T32 = 2 << 16, /* U is bit 28 */
    ELEMENTS = 3 << 16,
    FLOAT = 4 << 16,
    FLOAT_ALWAYS = 5 << 16,
    FLOAT_MOVE = 6 << 16,
    FLOAT_PAIR = 7 << 16,
    FLOAT_MEMORY = 8 << 16
};

struct arm_form {
    uint32_t mask, bits, fields;
};

/* The first that fits. */
extern const struct arm_form arm_a32_forms[], arm_a32_always_forms[], arm_t32_forms[];
