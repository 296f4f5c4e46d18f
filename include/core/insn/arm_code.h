/*
 * arm_code: decodes instructions of 32-bit ARM as far as is needed to follow a function to its
 * return: their length, and what they do to the stack pointer, to registers that may be copies of
 * it, and to the registers that functions save. Both instruction sets, by the ARM Architecture
 * Reference Manual (DDI0406), chapters A5, A6 and A8.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { ARM_SP = 13, ARM_LR = 14, ARM_PC = 15, ARM_MAX_BYTES = 4 };

enum arm_kind {
    ARM_PLAIN,       /* nothing of what follows */
    ARM_ADD,         /* rd = rn + by */
    ARM_MOVE,        /* rd = rn; a jump when rd is the pc */
    ARM_CONSTANT,    /* rd = by */
    ARM_LITERAL,     /* rd = the word at the aligned pc + by */
    ARM_LOST,        /* rd gets another value */
    ARM_LOAD,        /* registers of mask, the lowest from rn + by; then rn += step */
    ARM_STORE,       /* the same */
    ARM_JUMP,        /* to the pc + by */
    ARM_JUMP_TABLE,  /* to an address in memory that is not the stack's */
    ARM_COMPUTED,    /* to the pc + by, or behind that */
    ARM_TABLE,       /* to the pc + 4 + twice the number rn of a table there, step bytes each */
    ARM_BRANCH,      /* to the pc + by, or not */
    ARM_CALL,        /* of the pc + by if it is direct, else of rn; comes back */
    ARM_SYSTEM_CALL, /* its number is in r7 */
    ARM_IF,          /* the next `by' instructions are conditional */
    ARM_UNKNOWN,     /* no instruction */
};

struct arm_code {
    enum arm_kind kind;
    unsigned len;
    bool conditional; /* executed or not */
    bool direct;      /* a call of a place */
    bool exchanges;   /* that is of the other instruction set */
    unsigned rd, rn, mask;
    int32_t by, step; /* a jump's counts from the instruction's own address */
};

/* Where a jump, a branch or a direct call at an address leads to. */
uint32_t arm_code_target(const struct arm_code *c, bool thumb, uint32_t addr);

/* The instruction at an address, of which 4 bytes are there. */
void arm_code_read(uint32_t word, struct arm_code *out);                     /* A32 */
void thumb_code_read(uint16_t first, uint16_t second, struct arm_code *out); /* T32 */
