/*
 * A signal's handler returns into a few instructions that ask the kernel to go on with what was
 * interrupted; its registers lie on the stack where the kernel put them. Call frame information of
 * these instructions is missing in musl, and on AArch64 it leads past the interrupted function
 * where it is there: they are known by what they are.
 */
#include "step.h"

#include <string.h>

/* pc is before the first instruction or before the second. */
static bool is_in_memory(const struct unwind_state *u)
{
    const struct unwind_space *s = u->space;
    const struct unwind_cpu *cpu = u->cpu;
    uint8_t first[8], second[8];
    unsigned rest = cpu->sigreturn_len - cpu->sigreturn_step;
    uint64_t pc = unwind_pc(u);
    if (!s->memory(s->arg, pc, first, rest))
        return false;
    if (memcmp(first, cpu->sigreturn + cpu->sigreturn_step, rest) == 0)
        return pc >= cpu->sigreturn_step &&
               s->memory(s->arg, pc - cpu->sigreturn_step, first, cpu->sigreturn_step) &&
               memcmp(first, cpu->sigreturn, cpu->sigreturn_step) == 0;
    return s->memory(s->arg, pc, first, cpu->sigreturn_step) &&
           s->memory(s->arg, pc + cpu->sigreturn_step, second, rest) &&
           memcmp(first, cpu->sigreturn, cpu->sigreturn_step) == 0 &&
           memcmp(second, cpu->sigreturn + cpu->sigreturn_step, rest) == 0;
}

bool unwind_is_sigreturn(const struct unwind_state *u, const struct unwind_code *code)
{
    unsigned context;
    if (u->cpu->is_sigreturn)
        return u->cpu->is_sigreturn(u->space, unwind_pc(u), &context);
    uint64_t vaddr = unwind_pc(u) - code->bias;
    if (!u->cpu->context || (code->cfi && cfi_is_plain(code->cfi, vaddr)))
        return false;
    bool is = is_in_memory(u);
    if (!is && code->cfi)
        cfi_note_plain(code->cfi, vaddr);
    return is;
}

bool unwind_by_signal(struct unwind_state *u)
{
    struct unwind_regs r = {0};
    unsigned context = u->cpu->context;
    if (u->cpu->is_sigreturn)
        u->cpu->is_sigreturn(u->space, unwind_pc(u), &context);
    uint64_t at = unwind_sp(u) + context;
    for (size_t i = 0; i < u->cpu->saved_count; i++, at += u->cpu->word) {
        unsigned reg = u->cpu->saved[i];
        if (!unwind_number(u->space, at, u->cpu->word, &r.r[reg]))
            return unwind_stop(u, UNWIND_UNREADABLE, at);
        r.known |= UINT64_C(1) << reg;
    }
    u->regs = r;
    u->mode = MODE_UNKNOWN;
    u->unread = 0;
    u->method = UNWIND_SIGNAL_FRAME;
    u->signalled = true;
    u->returns = false;
    return true;
}
