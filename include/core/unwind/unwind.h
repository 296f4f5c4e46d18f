/*
 * unwind: finds the call chain of a thread from its registers and its stack, by call frame
 * information (core/unwind/cfi.h), without frame pointers; of 32-bit ARM by instructions, too.
 * Where a module has no such information, the step is guessed and marked.
 *
 * Registers go by their DWARF numbers: x86-64 0-15 (rax rdx rcx rbx rsi rdi rbp rsp r8-r15),
 * AArch64 0-31 (x0-x30, sp), ARM 0-15. Frames of signals are those that Linux's kernel makes.
 */
#pragma once

#include "core/unwind/cfi.h"

/* --- registers --- */

enum unwind_machine { UNWIND_X86_64, UNWIND_AARCH64, UNWIND_ARM, UNWIND_MACHINES };

/* By e_machine of ELF; false when none of ours. */
bool unwind_machine_of(unsigned e_machine, enum unwind_machine *out);

/* By uname -m, of those whose functions can be unwound without frame pointers. */
bool unwind_machine_named(const char *machine, enum unwind_machine *out);

enum { UNWIND_PC = CFI_REGISTERS, UNWIND_REGISTERS };

struct unwind_regs {
    uint64_t r[UNWIND_REGISTERS]; /* at UNWIND_PC the pc */
    uint64_t known;               /* a bit a register */
};

/* What perf_event_attr.sample_regs_user must ask for, so that chains come out whole. */
uint64_t unwind_perf_mask(enum unwind_machine m);
/* How its samples are: the ABI that they name, the bit of the pc, the bytes of an address; and how
 * far before a return address its call is, at most. */
struct unwind_perf {
    uint64_t abi;
    unsigned pc, word, call;
};
struct unwind_perf unwind_perf_of(enum unwind_machine m);
/* The registers of a sample (PERF_SAMPLE_REGS_USER): values in the order of the bits of the mask
 * that it was taken with; numbers are those of asm/perf_regs.h. abi is the sample's. False when
 * there are none, or they are of a 32-bit program where 64-bit ones were meant. */
bool unwind_regs_of_perf(enum unwind_machine m, uint64_t abi, uint64_t mask, const uint64_t *values,
                         size_t count, struct unwind_regs *out);

/* The stack pointer among them. */
uint64_t unwind_stack(enum unwind_machine m, const struct unwind_regs *regs);

/* --- what is asked of the caller --- */

struct unwind_code {
    struct cfi *cfi; /* of the module there; NULL when it has none, or is none (a JIT compiler's) */
    uint64_t bias;   /* run-time address = link-time address + bias */
};

struct unwind_space {
    enum unwind_machine machine;
    bool big_endian;  /* memory's byte order */
    unsigned va_bits; /* of AArch64's user addresses: what is above is a signature; 0 = 48 */
    /* All len bytes at a run-time address, or false. It is asked for the stack, and, where a step
     * has to be guessed, for code: who can answer for both proves more. len is 8 at most. */
    bool (*memory)(void *arg, uint64_t addr, void *bytes, size_t len);
    /* What is at an address; false when it is not in an executable mapping. */
    bool (*code)(void *arg, uint64_t pc, struct unwind_code *out);
    /* Where the next mapping begins above an address, one of code or not; false when there is none.
     * NULL: other modules are not searched for callers. */
    bool (*next)(void *arg, uint64_t addr, uint64_t *start);
    void *arg;
};

/* A copy of a stretch of a stack, as perf samples carry it. */
struct unwind_slice {
    uint64_t addr;
    const uint8_t *bytes;
    size_t len;
};
/* For a memory function to call. */
bool unwind_slice_read(const struct unwind_slice *s, uint64_t addr, void *bytes, size_t len);

/* --- the chain --- */

/* How a frame was found. */
enum unwind_method {
    UNWIND_GIVEN,         /* the registers: the innermost */
    UNWIND_CFI,           /* proven by call frame information */
    UNWIND_SIGNAL_FRAME,  /* the kernel's record of what a signal interrupted */
    UNWIND_CODE,          /* 32-bit ARM's instructions, followed to a return behind a call */
    UNWIND_LEAF,          /* guessed: code without information had not yet moved its stack */
    UNWIND_FRAME_POINTER, /* guessed: code without information that keeps a frame
                             pointer */
    UNWIND_RED_ZONE,      /* guessed: what the information wants is below the stack pointer,
                             and was found again above it */
    UNWIND_CODE_SCAN,     /* guessed: code without information, by its instructions up to the
                         return */
};

struct unwind_frame {
    uint64_t pc;
    uint64_t sp; /* the stack pointer there */
    /* pc is where a call will return to: what called is at pc - 1. Else pc itself was executing:
     * the innermost frame, and one that a signal interrupted; or a signal's handler returns there,
     * to the first instruction of a function. */
    bool returns;
    uint8_t method; /* enum unwind_method */
};

/* Where to look this frame's function and line up. */
static inline uint64_t unwind_lookup_pc(const struct unwind_frame *f)
{
    return f->pc - f->returns;
}

/* Why there is no frame further out; and what `at' of the result is then. */
enum unwind_end {
    UNWIND_WHOLE,      /* it is the outermost: 0 */
    UNWIND_UNREADABLE, /* the address that could not be read, of what is needed now or
                         of a register saved there further in: the slice was too short
                       */
    UNWIND_NO_CFI,     /* the pc whose caller is not known, nor could be guessed */
    UNWIND_NO_VALUE,   /* the pc where a register or expression that is needed has no
                          value */
    UNWIND_BAD_CFA,    /* the CFA: not further out than the frame before, or not aligned
                        */
    UNWIND_BAD_PC,     /* the return address: not in executable memory */
    UNWIND_DEPTH,      /* the pc of the next frame: there was no more room */
    UNWIND_GUESSED,    /* it is the outermost, but the way there has a guess that nothing
                          confirmed: the pc whose caller was guessed */
    UNWIND_ENDS
};
/* In a word or two: "whole", "stack slice too short", ... */
const char *unwind_end_name(enum unwind_end end);

/*
 * A guess is confirmed by what it found: its return address follows an instruction that could
 * be read and calls; when that names the function it calls, then one without call frame
 * information, as the code here is, or one that jumps here; and a frame record has nothing between
 * the stack pointer and itself that could be a return address, too, of a frame that would be
 * missing. Of guesses in a row by frame pointers, one whose call was read confirms those before it
 * whose code could not be. What lies beyond is then found by call frame information, which a wrong
 * guess does not survive: the chain is whole only if it comes to the outermost frame.
 */
struct unwind_result {
    size_t frames;  /* innermost first; 0 when the registers lack pc or sp */
    size_t by_code; /* of them found by UNWIND_CODE */
    size_t guessed; /* of them found by a guess */
    enum unwind_end end;
    uint64_t at;
};

/* At most room frames are stored. Work is bounded by room and CFI_REGISTERS, whatever the bytes
 * are. */
struct unwind_result unwind(const struct unwind_space *s, const struct unwind_regs *start,
                            struct unwind_frame *out, size_t cap);

/* Whether a return address follows a call that can have led to the function at pc: one
 * of it, through a register or memory, or of code that jumps there. False, too, where the code
 * cannot be read or the function is not known. */
bool unwind_is_call(const struct unwind_space *s, uint64_t returns_to, uint64_t pc);
