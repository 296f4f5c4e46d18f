/*
 * arm_step: one instruction of 32-bit ARM, which has no single step: what reads or writes the pc is
 * done on a copy of the registers, all else is executed in a slot (core/insn/displaced.h). So no
 * breakpoint is set where a thread goes on, and none has to be taken away. By the ARM Architecture
 * Reference Manual (DDI0406), chapters A2, A5, A6 and A8.
 */
#pragma once

#include "core/insn/displaced.h"

enum { ARM_CPSR_T = 1 << 5 };

struct arm_state {
    uint32_t reg[16]; /* the pc: the instruction's address */
    uint32_t cpsr;
};

/* What is left of an IT block, as the processor keeps it; 0: nothing. */
unsigned arm_it(uint32_t cpsr);
uint32_t arm_with_it(uint32_t cpsr, unsigned it);
unsigned arm_it_next(unsigned it);

/* Whether the instruction is executed: by its own condition or that of its IT block. */
bool arm_is_executed(const struct arm_state *s, uint32_t op, unsigned len);

/* Behind an instruction that is not executed. */
void arm_pass(struct arm_state *s, unsigned len);

/* Code or data at an address; false: it cannot be read. */
typedef bool arm_memory(void *arg, uint64_t address, void *to, size_t len);

/* Does a DISPLACED_REGISTERS. False: its memory cannot be read, and nothing has changed. */
bool arm_do(struct arm_state *s, const struct displaced *d, arm_memory *read, void *arg);

/* The registers for a slot at an address, in which the thread goes on; and what they are when the
 * instruction there was executed, or was not. before: as they were before the slot. */
void arm_enter_slot(struct arm_state *s, const struct displaced *d, uint32_t slot);
void arm_leave_slot(struct arm_state *s, const struct arm_state *before, const struct displaced *d,
                    bool executed);
