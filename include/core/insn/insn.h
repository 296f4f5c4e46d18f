/*
 * insn: what an instruction does to the flow of control, on each processor.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_kind {
    INSN_PLAIN,         /* the next instruction follows; also a system call */
    INSN_NOP,           /* has no effect: padding */
    INSN_LANDING,       /* has no effect but to mark a target of indirect jumps: ENDBR64, BTI */
    INSN_JUMP,          /* to a fixed place */
    INSN_BRANCH,        /* there, or to the next instruction */
    INSN_CALL,          /* of a fixed place */
    INSN_JUMP_INDIRECT, /* to where a register or memory says */
    INSN_CALL_INDIRECT,
    INSN_RETURN,
    INSN_TRAP, /* INT3, UD2, HLT and the like: nothing follows */
};

/* Whether the next instruction is not reached from this one. A call is expected to return. */
static inline bool insn_ends_flow(enum insn_kind k)
{
    return k == INSN_JUMP || k == INSN_JUMP_INDIRECT || k == INSN_RETURN || k == INSN_TRAP;
}
