/*
 * arm_path: follows instructions of 32-bit ARM along the paths of a function, with what is known of
 * the registers and the stack. Either way of a branch is a path; a call comes back, and leaves no
 * return address in lr.
 */
#pragma once

#include "step.h"

#include "core/insn/arm_code.h"

enum {
    ARM_MAX_STEPS = 1024,
    ARM_MAX_PATHS = 64,
    ARM_MAX_WALKS = 8,
    ARM_MAX_SLOTS = 32,
    ARM_SEEN = 2048,
    ARM_REGISTERS = 16
};
enum { ARM_LOST_BY_CALLS = 0x500f /* r0-r3, r12, lr */ };

/* What a value is, by the registers before the first instruction. */
enum { ARM_FROM_ELSEWHERE, ARM_FROM_REGISTER, ARM_FROM_STACK };
struct arm_origin {
    uint8_t kind, reg; /* the value is that register + by, or the word of the stack there */
    int32_t by;
};

struct arm_slot { /* a word of the stack that the instructions have written */
    uint32_t at, value;
    bool known;
    struct arm_origin from;
};

struct arm_path {
    uint32_t r[ARM_REGISTERS], known, pc;
    struct arm_origin from[ARM_REGISTERS];
    bool thumb, restored; /* lr's value came from the stack */
    uint8_t conditional;  /* so many instructions of an IT block are left */
    uint8_t slots;
    struct arm_slot slot[ARM_MAX_SLOTS];
};

enum arm_outcome { ARM_GOES_ON, ARM_DEAD_END, ARM_AT_RETURN, ARM_AT_EXIT, ARM_AT_UNREAD };

struct arm_run {
    const struct unwind_state *u;
    uint32_t bottom; /* the stack pointer of pc: what is below is not the stack's */
    struct arm_path now, later[ARM_MAX_PATHS];
    unsigned paths, walks; /* walks: from what was called to here */
    struct {               /* where a path came along: again is no use */
        uint32_t pc, sp;
    } seen[ARM_SEEN];
    bool thumb, doubtful; /* doubtful: returns_to, for want of a better one */
    bool named;           /* it would be, if what returns there did not call this function */
    uint32_t returns_to;
    struct arm_origin returns_from;
    uint64_t unread;
};

static inline bool arm_is_known(const struct arm_path *p, unsigned reg)
{
    return p->known >> reg & 1;
}

/* A push of lr, and of others or not. */
static inline bool arm_pushes_link(const struct arm_code *c)
{
    return c->kind == ARM_STORE && c->rn == ARM_SP && c->step < 0 && c->mask >> ARM_LR & 1;
}

/* --- arm_word.c: registers and the stack --- */

struct arm_word {
    uint32_t value;
    bool known;
    struct arm_origin from;
};

struct arm_word arm_word_of(const struct arm_path *p, unsigned reg);
void arm_set_register(struct arm_path *p, unsigned reg, struct arm_word w);
void arm_forget_register(struct arm_path *p, unsigned reg);
struct arm_word arm_word_add(struct arm_word w, int32_t by);
/* The word of the stack at an address, which is known. */
struct arm_word arm_read_word(struct arm_run *r, struct arm_word address);
/* Without a place for it, it is a local's: registers are saved first. */
void arm_write_word(struct arm_path *p, uint32_t at, struct arm_word w);

/* --- arm_path.c --- */

/* Before the first instruction: the registers of u, at its pc. What is below its stack pointer is
 * not read. */
void arm_run_start(struct arm_run *r, const struct unwind_state *u, bool thumb);
/* The instruction at r->now.pc. */
enum arm_outcome arm_run_instruction(struct arm_run *r);
/* Goes on with a path that was left; false when there is none. */
bool arm_run_next_path(struct arm_run *r);
