/*
 * x86_code: decodes x86-64 instructions as far as is needed to follow a function to its return:
 * their length, and their effect on the stack pointer. From Intel's manual, volume 2, appendix A.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { X86_MAX_BYTES = 15, X86_SP = 4, X86_FP = 5 /* as instructions number registers */ };

enum x86_kind {
    X86_PLAIN,    /* leaves the stack pointer alone; a call comes back, a branch is not taken */
    X86_PUSH,     /* reg */
    X86_POP,      /* reg */
    X86_MOVES_SP, /* by so many bytes */
    X86_SETS_FP,  /* to the stack pointer */
    X86_LEAVE,    /* sets the stack pointer to the frame pointer and pops that */
    X86_JUMP,     /* by so many bytes from its end */
    X86_JUMP_INDIRECT, /* to an address in a register or memory */
    X86_RETURN,
};

struct x86_code {
    enum x86_kind kind;
    unsigned len, reg;
    int32_t by;
};

/* False for an unknown instruction, an unknown end of a function and one that sets the stack
 * pointer to another value. */
bool x86_code_read(const uint8_t bytes[X86_MAX_BYTES], struct x86_code *out);
