/*
 * unwind_step: what the files of unwind share: one step outwards.
 */
#pragma once

#include "core/unwind/unwind.h"

/* --- machine.c --- */

struct unwind_cpu {
    unsigned elf, sp, fp, lr; /* DWARF numbers; UNWIND_REGISTERS = it has none such */
    unsigned word;            /* bytes */
    uint64_t perf_mask;
    const uint8_t *perf; /* DWARF number + 1 by perf's; 0 = not of interest */
    size_t perf_count;
    /* Whether the code before a return address is a call; *target when that is written there, else
     * 0. False, too, when the code cannot be read: then *unread. */
    bool (*called)(const struct unwind_space *s, uint64_t pc, uint64_t *target, bool *unread);
    /* Whether the instruction at pc is a jump; *target when that is written there, else 0. False,
     * too, when the code cannot be read. Of x86-64 pc may be within an instruction. */
    bool (*jumps)(const struct unwind_space *s, uint64_t pc, uint64_t *target);
    unsigned code_searched; /* bytes of a function that are searched for jumps */
    unsigned code_step;     /* bytes from an instruction to the next, at least */
    /* Offsets from sp, at a return from a signal, to the saved registers. 0 = they are not known.
     */
    unsigned context;     /* of the first in saved */
    const uint8_t *saved; /* DWARF numbers in the kernel's order, saved_count of them */
    size_t saved_count;
    bool (*is_sigreturn)(const struct unwind_space *s, uint64_t pc,
                         unsigned *context); /* or NULL */
    uint8_t sigreturn[16], sigreturn_step, sigreturn_len;
};
extern const struct unwind_cpu unwind_cpus[UNWIND_MACHINES];

/* --- arm_calls.c: 32-bit ARM's --- */

struct arm_code;
bool unwind_read_arm(const struct unwind_space *s, uint64_t pc, bool thumb, struct arm_code *out);
/* So many entries has the table of a jump (TBB, TBH) at an address, whose index an instruction in
 * front of it compares (0: none does); and where entry i of it leads. */
uint32_t arm_table_length(const struct unwind_space *s, uint32_t at, unsigned index);
bool arm_table_entry(const struct unwind_space *s, uint32_t at, const struct arm_code *c,
                     uint32_t i, uint32_t *out);
/* bl and blx of an address, in front of a return address. */
bool arm_call_target(const uint8_t call[4], uint64_t pc, bool thumb, uint64_t *target);
bool unwind_called_arm(const struct unwind_space *s, uint64_t pc, uint64_t *target, bool *unread);
/* Whether a call in front of a return address names a function; *thumb: of that set. */
bool unwind_called_mode_arm(const struct unwind_space *s, uint64_t value, uint64_t *target,
                            bool *thumb);
/* The function that a call through a register led to, by the caller's registers: that one is saved
 * by functions, or was loaded from the stack. */
bool unwind_register_target_arm(const struct unwind_space *s, const struct unwind_regs *caller,
                                uint64_t *target);
bool unwind_jumps_arm(const struct unwind_space *s, uint64_t pc, uint64_t *target);
/* *context: where the registers are from the stack pointer on. */
bool unwind_is_sigreturn_arm(const struct unwind_space *s, uint64_t pc, unsigned *context);

/* --- memory.c --- */

bool unwind_number(const struct unwind_space *s, uint64_t addr, unsigned size, uint64_t *out);
/* An address without what the processor adds to it: a signature, Thumb's bit. */
uint64_t unwind_strip_pc(const struct unwind_space *s, uint64_t pc);

/* --- the steps --- */

enum unwind_doubt {
    DOUBT_NONE,
    DOUBT_UNREAD,  /* the code before the return address is not known: a later guess may confirm */
    DOUBT_MISMATCH /* a frame may be missing: it calls another function than this one, or something
                 nearer may be a return address, or it was overwritten */
};

enum unwind_mode { MODE_UNKNOWN, MODE_A32, MODE_T32 }; /* of 32-bit ARM */

struct unwind_state { /* a frame whose caller is wanted */
    const struct unwind_space *space;
    const struct unwind_cpu *cpu;
    struct unwind_regs regs; /* its own; the caller's after a step */
    bool returns,
        signalled;    /* as of unwind_frame; signalled: interrupted by a signal, or the innermost */
    uint8_t mode;     /* enum unwind_mode, of the code at pc */
    uint8_t method;   /* how the caller was found */
    uint8_t doubt;    /* enum unwind_doubt, of a guess in the chain */
    uint64_t doubted; /* the pc whose caller it found */
    uint64_t unread;  /* registers, a bit each, whose saved value could not be read, */
    uint64_t unread_at;  /* the last of them there */
    enum unwind_end end; /* when a step failed */
    uint64_t at;
};

static inline uint64_t unwind_pc(const struct unwind_state *u)
{
    return u->regs.r[UNWIND_PC];
}
static inline uint64_t unwind_sp(const struct unwind_state *u)
{
    return u->regs.r[u->cpu->sp];
}
static inline bool unwind_known(const struct unwind_state *u, unsigned reg)
{
    return reg < UNWIND_REGISTERS && u->regs.known >> reg & 1;
}
static inline bool unwind_stop(struct unwind_state *u, enum unwind_end end, uint64_t at)
{
    u->end = end;
    u->at = at;
    return false;
}

/* A register that is needed has no value: its saved one lay where the slice does not reach, or
 * nothing saved it. */
static inline bool unwind_stop_at_register(struct unwind_state *u, unsigned reg)
{
    if (reg < UNWIND_REGISTERS && u->unread >> reg & 1)
        return unwind_stop(u, UNWIND_UNREADABLE, u->unread_at);
    return unwind_stop(u, UNWIND_NO_VALUE, unwind_pc(u));
}

/* The caller's pc, as it was saved: with what the processor adds. */
static inline void unwind_return_to(struct unwind_state *u, uint64_t saved)
{
    u->regs.r[UNWIND_PC] = unwind_strip_pc(u->space, saved);
    u->mode = u->space->machine != UNWIND_ARM ? MODE_UNKNOWN : saved & 1 ? MODE_T32 : MODE_A32;
}

/* A step that found these registers of the caller's, and its pc as it was saved. */
static inline void unwind_set_caller(struct unwind_state *u, const struct unwind_regs *caller,
                                     enum unwind_method method)
{
    u->regs = *caller;
    unwind_return_to(u, caller->r[UNWIND_PC]);
    u->unread = 0;
    u->method = (uint8_t)method;
    u->signalled = false;
    u->returns = true;
}

/* Each is false when it set end. unwind.c: of whichever kind */
bool unwind_step_out(struct unwind_state *u);
/* rule.c */
bool unwind_by_rule(struct unwind_state *u, const struct cfi *cfi, cfi_rule rule);
/* epilogue.c: whether the innermost function has given the caller its register back, and
 * what the rule says is a slot that it has left, below its stack pointer. */
bool unwind_is_restored(const struct unwind_state *u, unsigned reg, uint64_t slot);
/* redzone.c: the caller's stack pointer, when a rule wants it of memory that is below the
 * stack pointer and so is not known; guessed. */
bool unwind_from_red_zone(const struct unwind_state *u, uint64_t addr, uint64_t *out);
/* signal.c */
bool unwind_is_sigreturn(const struct unwind_state *u, const struct unwind_code *code);
bool unwind_by_signal(struct unwind_state *u);
/* call.c: whether the function at from jumps to where pc is, or a few bytes before it, as to
 * the start of a stub; or is a stub itself, which jumps anywhere. */
bool unwind_jumps_near(const struct unwind_space *s, uint64_t from, uint64_t pc);
/* Whether the function at from has a jump through a register or memory. */
bool unwind_jumps_indirect(const struct unwind_space *s, uint64_t from);
/* ahead.c: the caller's registers at the return of code without information; of those that
 * a caller needs all are right, and UNWIND_PC's is what is taken for its address. */
bool unwind_by_code_scan(const struct unwind_state *u, struct unwind_regs *out);
/* arm_calls.c: whether a return address is behind a call, or the kernel's, of a signal's handler.
 */
bool unwind_is_called_arm(const struct unwind_state *u, uint64_t value);
enum { ARM_FIRST_SAVED = 4, ARM_LAST_SAVED = 11, ARM_LINK = 14 };
enum { UNWIND_ARM_NEAR = 1 << 16 }; /* bytes of a function of 32-bit ARM */
/* Where a function has its caller's registers, r4-r11 and the return address (ARM_LINK), by the
 * value of one register. What it has not saved is as it was. */
struct arm_frame {
    unsigned base;
    int32_t cfa, saved[ARM_LINK + 1]; /* from the base; cfa: the caller's stack pointer */
    uint32_t has_saved, lost;         /* a bit a register */
};
static inline void arm_frame_save(struct arm_frame *f, unsigned reg, int32_t at)
{
    f->saved[reg] = at;
    f->has_saved |= 1u << reg;
}

struct unwind_arm_caller {
    struct unwind_regs regs; /* UNWIND_PC with the bit of Thumb */
    struct arm_frame frame;  /* how they were found, if framed */
    bool framed;
    bool doubtful;   /* the path may have left the function */
    bool named;      /* it would be, if another function had been called */
    uint64_t unread; /* of ARM_UNREAD: where the return address is */
};
/* arm_ahead.c: 32-bit ARM's, by the instructions from pc to the return. */
enum unwind_arm_end {
    ARM_NO_RETURN, /* none was found */
    ARM_RETURNS,
    ARM_UNREAD, /* the stack does not reach to the return address */
    ARM_EXITS,  /* the thread ends there, or the return address is 0; no path returns behind a call
                 */
};
enum unwind_arm_end unwind_by_arm_code(const struct unwind_state *u, bool thumb,
                                       struct unwind_arm_caller *out);
/* arm_reach.c: whether the instructions from a function's begin lead to u's pc; *moved: what they
 * add to the stack pointer. Not all of them can be followed: then the least that any adds. */
enum unwind_arm_reach { ARM_REACHES_NOT, ARM_MAY_REACH, ARM_REACHES };
enum unwind_arm_reach unwind_arm_reaches(const struct unwind_state *u, uint64_t from, bool thumb,
                                         int64_t *moved);
/* How the instructions lead from a function's begin to u's pc, each with another stack pointer: how
 * far that has moved, and the registers that are written there, a bit each. 0: none leads there, or
 * one saves, sets or loses lr, or not all of them are known. */
enum { UNWIND_ARM_WAYS = 4 };
struct unwind_arm_way {
    int64_t moved;
    uint16_t written;
};
unsigned unwind_arm_ways(const struct unwind_state *u, uint64_t from, bool thumb,
                         struct unwind_arm_way way[UNWIND_ARM_WAYS]);
/* arm_link.c: of a function that neither saves lr nor returns by it, as one that jumps out of
 * several functions: lr is behind the call of it. */
bool unwind_by_arm_link(const struct unwind_state *u, struct unwind_arm_caller *out);
/* arm_prologue.c: by the instructions from the function's begin to pc. */
enum unwind_arm_begin {
    ARM_NO_BEGIN,
    ARM_BEGIN_GUESSED, /* what returns there called through a register */
    ARM_BEGINS,        /* what returns there called that function */
    ARM_MAY_LEAD,      /* ... and its frame fits; not all ways there are known */
    ARM_LEADS_HERE,    /* the instructions lead from there to pc, and what returns there calls */
};
enum unwind_arm_begin unwind_by_arm_prologue(const struct unwind_state *u, bool thumb,
                                             struct unwind_arm_caller *out);
/* arm_raise.c: whether this is a function of libgcc that has overwritten its return address: frames
 * may be missing behind it, unless its caller is found. */
bool unwind_arm_has_raised(const struct unwind_state *u);
bool unwind_arm_raised(struct unwind_state *u, const struct unwind_code *code);
/* arm_step.c: where .debug_frame has no rule; rule is that of .ARM.exidx, or NULL. */
bool unwind_arm_step(struct unwind_state *u, const struct unwind_code *code, cfi_rule rule);
/* guess.c: a frame may be missing behind this one, or not */
void unwind_add_doubt(struct unwind_state *u, enum unwind_doubt how);
/* Without call frame information. */
bool unwind_by_guess(struct unwind_state *u, const struct unwind_code *code);
