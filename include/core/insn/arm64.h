/*
 * arm64: reads an A64 instruction as far as the flow of control and what is relative to its own
 * address. From Arm's Architecture Reference Manual (DDI 0487), chapter C4. A word that is no
 * instruction is INSN_PLAIN, but for UDF.
 */
#pragma once

#include "core/insn/insn.h"

enum { ARM64_FP = 29, ARM64_LR = 30, ARM64_SP = 31 };

/* What is relative to its own address. */
enum arm64_relative {
    ARM64_NOT_RELATIVE,
    ARM64_B,       /* B and BL */
    ARM64_BRANCH,  /* B.cond, CBZ, CBNZ */
    ARM64_TEST,    /* TBZ, TBNZ */
    ARM64_ADR,     /* an address */
    ARM64_ADRP,    /* of a page of 4 KB */
    ARM64_LITERAL, /* a load */
};

struct arm64_insn {
    enum insn_kind kind;
    enum arm64_relative relative;
    uint8_t rd;       /* of ADR, ADRP and loads */
    bool signs;       /* PACIASP or PACIBSP */
    int64_t distance; /* from its address; of ADRP from its page */
};

void arm64_insn_read(uint32_t word, struct arm64_insn *out);

/* The address that its relative bits mean, when the instruction is at addr. */
static inline uint64_t arm64_insn_target(const struct arm64_insn *i, uint64_t addr)
{
    uint64_t from = i->relative == ARM64_ADRP ? addr & ~UINT64_C(4095) : addr;
    return from + (uint64_t)i->distance;
}

/* A store of a 64-bit register, or of two, with an address of a register and a number. */
struct arm64_store {
    uint8_t base, reg, reg2; /* reg2 is reg when there is one */
    int32_t offset;          /* of reg from the base as it was before; reg2 is 8 behind it */
};
bool arm64_store_read(uint32_t word, struct arm64_store *out);

/* By how much the instruction changes the stack pointer: 0 if it leaves it. False: it sets it to
 * something else. */
bool arm64_stack_change(uint32_t word, int32_t *by);
