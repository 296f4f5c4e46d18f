/*
 * unwind_step: what the files of unwind share: one step outwards.
 */
#ifndef PSUITE_CORE_UNWIND_STEP_H
#define PSUITE_CORE_UNWIND_STEP_H

#include "core/unwind.h"

/* --- unwind_machine.c --- */

struct unwind_cpu {
    unsigned elf, sp, fp, lr; /* DWARF numbers; UNWIND_REGISTERS = it has none such */
    unsigned word;            /* bytes */
    uint64_t perf_mask;
    const uint8_t *perf; /* DWARF number + 1 by perf's; 0 = not of interest */
    size_t perf_count;
    /* Whether the code before a return address is a call; *target when that is written there, else
     * 0. False, too, when the code cannot be read: then *unread. */
    bool (*called)(const struct unwind_space *s, uint64_t pc, uint64_t *target, bool *unread);
    /* Offsets from sp, at a return from a signal, to the saved registers. 0 = they are not known.
     */
    unsigned context;     /* of the first in saved */
    const uint8_t *saved; /* DWARF numbers in the kernel's order, saved_count of them */
    size_t saved_count;
    uint8_t sigreturn[16], sigreturn_step, sigreturn_len;
};
extern const struct unwind_cpu unwind_cpus[UNWIND_MACHINES];

/* --- unwind_memory.c --- */

bool unwind_number(const struct unwind_space *s, uint64_t addr, unsigned size, uint64_t *out);
/* An address without what the processor adds to it: a signature, Thumb's bit. */
uint64_t unwind_plain(const struct unwind_space *s, uint64_t pc);

/* --- the steps --- */

struct unwind_at { /* a frame whose caller is wanted */
    const struct unwind_space *space;
    const struct unwind_cpu *cpu;
    struct unwind_regs regs; /* its own; the caller's after a step */
    bool returns,
        signalled; /* as of unwind_frame; signalled: interrupted by a signal, or the innermost */
    uint8_t by;    /* how the caller was found */
    enum unwind_end end; /* when a step failed */
    uint64_t at;
};

static inline uint64_t unwind_pc(const struct unwind_at *u)
{
    return u->regs.r[UNWIND_PC];
}
static inline uint64_t unwind_sp(const struct unwind_at *u)
{
    return u->regs.r[u->cpu->sp];
}
static inline bool unwind_known(const struct unwind_at *u, unsigned reg)
{
    return reg < UNWIND_REGISTERS && u->regs.known >> reg & 1;
}
static inline bool unwind_stop(struct unwind_at *u, enum unwind_end end, uint64_t at)
{
    u->end = end;
    u->at = at;
    return false;
}

/* Each is false when it set end. unwind_rule.c */
bool unwind_by_rule(struct unwind_at *u, const struct cfi *cfi, cfi_rule rule);
/* unwind_epilogue.c: whether the innermost function has given the caller its register back, and
 * what the rule says is a slot that it has left, below its stack pointer. */
bool unwind_is_restored(const struct unwind_at *u, unsigned reg, uint64_t slot);
/* unwind_redzone.c: the caller's stack pointer, when a rule wants it of memory that is below the
 * stack pointer and so is not known; guessed. */
bool unwind_from_red_zone(const struct unwind_at *u, uint64_t addr, uint64_t *out);
/* unwind_signal.c */
bool unwind_is_sigreturn(const struct unwind_at *u, const struct unwind_code *code);
bool unwind_by_signal(struct unwind_at *u);
/* unwind_guess.c: without call frame information */
bool unwind_by_guess(struct unwind_at *u, const struct unwind_code *code);

#endif
