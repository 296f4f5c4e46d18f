/*
 * tracee_step: breakpoints and single steps of a stopped thread; one implementation per processor.
 * The thread is in a ptrace-stop of the calling thread. Results are 0 or -errno. Registers that are
 * written are the thread's once it goes on by tracee_go.
 */
#pragma once

#include "core/insn/displaced.h"
#include "core/insn/exclusive.h"
#include "plat/breaks.h"
#include "tracee_registers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACEE_CODE_BYTES = 8 }; /* of a breakpoint, and of a system call, at most */

struct tracee_code {
    uint8_t bytes[TRACEE_CODE_BYTES];
    size_t len;
};
/* The processor steps, or the kernel does; else a thread runs to the breakpoint of its slot. */
extern const bool tracee_single_steps;
/* Bits of an address of code that say how it is executed: 1 on 32-bit ARM, where bit 0 is for T32,
 * else 0. */
extern const uint64_t tracee_mode_bits;
/* What covers an instruction that is displaced. */
struct tracee_code tracee_breakpoint(const struct displaced *d);
/* A system call for the mode of an address, and on ARM a breakpoint; its own bytes come first. */
struct tracee_code tracee_call_code(uint64_t address);
extern const size_t tracee_call_bytes;
/* Behind a breakpoint that was reached, the pc is so many bytes further. */
extern const unsigned tracee_breakpoint_moves_pc;
extern const int tracee_breakpoint_code; /* si_code of its SIGTRAP */
/* The kernel has set the pc back to a system call that it may begin again when a signal stops it,
 * not behind that. */
extern const bool tracee_calls_go_back;

/* displaced_x86, displaced_arm64, displaced_arm. */
bool tracee_displace(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                     struct displaced *out);

/* Whether an atomic sequence may begin there, where no breakpoint is; exclusive_copy_arm64, _arm.
 */
bool tracee_begins_exclusive(const struct breaks_image *m, uint64_t address);
bool tracee_copy_exclusive(exclusive_read *read, void *arg, uint64_t address,
                           struct exclusive *out);

/* The instruction at *pc, where the thread goes on, if it has not to be executed in a slot: what it
 * does is done, and *pc is behind it. */
enum tracee_done {
    TRACEE_NOT_DONE,
    TRACEE_DONE,
    TRACEE_PASSED, /* its condition did not hold: it was not executed */
};
enum tracee_done tracee_do(struct tracee *t, const struct displaced *d, exclusive_read *read,
                           void *arg, uint64_t *pc);

/* The registers that a slot changes beside what its instruction does: what they were. */
struct tracee_aside {
    uint32_t word[17];
};
/* Goes into the slot of the instruction at pc. */
int tracee_enter_slot(struct tracee *t, const struct displaced *d, uint64_t pc, uint64_t slot,
                      struct tracee_aside *aside);
/* *pc: where the thread goes on, as far as its address tells that; there, it has the registers that
 * it had without the slot. */
int tracee_leave_slot(struct tracee *t, const struct displaced *d, const struct tracee_aside *aside,
                      bool executed, uint64_t *pc);
/* Whether a breakpoint may be where it stands: not in a T32 block of conditional instructions. */
bool tracee_can_be_left(struct tracee *t);

int tracee_read_pc(struct tracee *t, uint64_t *pc);
int tracee_write_pc(struct tracee *t, uint64_t pc);
int tracee_write_reg(struct tracee *t, unsigned reg, uint64_t value);
/* Adds to the return address that a call has just left. */
int tracee_move_return(struct tracee *t, uint64_t distance);

struct tracee_call {
    long number;
    uint64_t pc, arg[6];
};
/* Registers as a system call of so many arguments at pc needs them; what it has returned. */
int tracee_begin_call(struct tracee *t, const struct tracee_call *call);
int tracee_call_result(struct tracee *t, int64_t *result);

/* tracee_calls.c: calls that map pages of memory that can be executed at this place, if the kernel
 * follows, and that unmap them. */
struct tracee_call tracee_map_call(uint64_t address, uint64_t bytes);
struct tracee_call tracee_unmap_call(uint64_t address, uint64_t bytes);
