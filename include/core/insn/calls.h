/*
 * insn_calls: the places that a piece of code calls or jumps to, as its instructions name them.
 * Calls by pointers name none. What is no instruction is passed over.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_machine { INSN_X86_64, INSN_ARM64, INSN_ARM }; /* INSN_ARM: A32, not Thumb */

/* By uname's name of it; false: none of them. */
bool insn_machine_named(const char *name, enum insn_machine *out);

typedef void insn_call_fn(void *arg, uint64_t target);

/* The code of len bytes is at addr. Conditional jumps are left out: no compiler calls by them. */
void insn_calls(enum insn_machine machine, const uint8_t *code, size_t len, uint64_t addr,
                insn_call_fn *emit, void *arg);
