/*
 * displaced: an instruction that a breakpoint covers, as it is executed elsewhere: in a slot, one
 * step at a time, with what is relative to its address made right before or behind the step. So the
 * breakpoint need never be taken away, and no other thread can pass it meanwhile.
 */
#pragma once

#include "core/insn/insn.h"

/* A slot begins at a multiple of this, on every processor. */
enum { DISPLACED_SLOT_BYTES = 16 };

/* What is done behind the step. */
enum displaced_fix {
    DISPLACED_MOVE,     /* the pc, by the distance between slot and original; of a system call that
                           has led elsewhere (a signal's return), nothing */
    DISPLACED_JUMP,     /* the pc, wherever it is */
    DISPLACED_CALL,     /* pc and return address */
    DISPLACED_RETURNED, /* the return address: the pc came from a register or memory */
    DISPLACED_NOTHING,  /* as DISPLACED_RETURNED, but it left no return address */
    /* Those that are not executed: */
    DISPLACED_SKIP,      /* it has no effect */
    DISPLACED_LOAD,      /* arm64: the register gets the address `value' */
    DISPLACED_REGISTERS, /* 32-bit ARM: arm_do of core/insn/arm_step.h */
};

struct displaced {
    uint8_t len;    /* of the original */
    uint8_t fix;    /* enum displaced_fix */
    uint8_t reg;    /* of DISPLACED_LOAD; 32-bit ARM: stands for the pc and has `value', 16: none */
    uint8_t target; /* 32-bit ARM: gets what the pc would get; 16: none */
    bool call;      /* ARM: of the system */
    bool returns;   /* not stepped, it goes on behind the original by itself */
    bool exclusive; /* ARM: a load-exclusive */
    bool thumb;     /* 32-bit ARM */
    uint32_t op;    /* of it: the original, of T32 the first half above the second */
    uint64_t value;
    /* What stands in the slot: len of them, and behind these the jump of `returns'; else on ARM a
     * breakpoint, for what gets there without a step. */
    uint8_t bytes[DISPLACED_SLOT_BYTES];
};

static inline bool displaced_runs(const struct displaced *d)
{
    return d->fix < DISPLACED_SKIP;
}

/* What is done behind an instruction of that kind, none of whose operands is relative to its
 * address. */
enum displaced_fix displaced_fix_of(enum insn_kind kind);

/* The instruction of `code', of which len bytes may be read, that belongs at address from, for a
 * slot at address to. False: it is unknown, or does not work there, as what it refers to is too far
 * away or it reads its own address in another way. */
bool displaced_x86(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                   struct displaced *out);
bool displaced_arm64(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                     struct displaced *out);
/* Bit 0 of from: it is T32. */
bool displaced_arm(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                   struct displaced *out);
