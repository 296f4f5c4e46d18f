/*
 * Code of x86-64 without call frame information, as what every program and library runs when it
 * begins and ends (_init, _fini, crtbegin.o): its instructions are followed from pc to the return,
 * branches not taken, and what they do to the stack pointer tells where the return address is.
 */
#include "step.h"
#include "x86_code.h"

#include <string.h>

enum { MAX_INSTRUCTIONS = 96, MAX_PUSHES = 16, WORD = 8, FP = 6 };

struct ahead {
    const struct unwind_state *u;
    struct unwind_regs regs;
    uint64_t pc, sp, fp;
    bool framed;                /* fp is the frame pointer, set ahead */
    uint8_t pushed[MAX_PUSHES]; /* below the stack pointer of pc: what will have been put there */
    unsigned depth;
};

/* DWARF's number of a register. */
static unsigned dwarf_register(unsigned reg)
{
    static const uint8_t low[] = {0, 2, 1, 3, 7, 6, 4, 5};
    return reg < 8 ? low[reg] : reg;
}

static bool has_rule(const struct ahead *a)
{
    const struct unwind_space *s = a->u->space;
    struct unwind_code code = {0};
    return s->code(s->arg, a->pc, &code) && code.cfi && cfi_find(code.cfi, a->pc - code.bias);
}

static bool read_code(const struct ahead *a, struct x86_code *out)
{
    const struct unwind_space *s = a->u->space;
    uint8_t bytes[16];
    memset(bytes, 0x06, sizeof bytes); /* no instruction: where the module ends */
    for (unsigned i = 0; i < sizeof bytes; i += WORD)
        if (!s->memory(s->arg, a->pc + i, bytes + i, WORD) && i == 0)
            return false;
    return x86_code_read(bytes, out);
}

static bool push_reg(struct ahead *a, unsigned reg)
{
    if (a->sp > unwind_sp(a->u)) /* over what it has popped */
        return false;
    if (a->depth == MAX_PUSHES || a->sp != unwind_sp(a->u) - WORD * a->depth)
        return false;
    a->pushed[a->depth++] = (uint8_t)reg;
    a->sp -= WORD;
    return true;
}

/* What will have been pushed is given back to the register that it came from, or is of no use. */
static bool pop_pushed(struct ahead *a, unsigned reg)
{
    if (!a->depth || a->sp != unwind_sp(a->u) - WORD * a->depth)
        return false;
    if (a->pushed[--a->depth] != reg)
        a->regs.known &= ~(UINT64_C(1) << dwarf_register(reg));
    a->sp += WORD;
    return true;
}

static bool pop_reg(struct ahead *a, unsigned reg)
{
    unsigned to = dwarf_register(reg);
    if (a->sp < unwind_sp(a->u))
        return pop_pushed(a, reg);
    if (!unwind_number(a->u->space, a->sp, WORD, &a->regs.r[to]))
        return false;
    a->regs.known |= UINT64_C(1) << to;
    a->sp += WORD;
    return true;
}

static bool leave_frame(struct ahead *a)
{
    if (!a->framed && !unwind_known(a->u, FP))
        return false;
    uint64_t fp = a->framed ? a->fp : a->u->regs.r[FP];
    if (fp < a->sp)
        return false;
    a->sp = fp;
    return pop_reg(a, X86_FP);
}

/* One instruction further; *done at the one that leaves the function. */
static bool follow_instruction(struct ahead *a, const struct x86_code *c, bool *done)
{
    a->pc += c->len;
    switch (c->kind) {
    case X86_PUSH:
        return push_reg(a, c->reg);
    case X86_POP:
        return pop_reg(a, c->reg);
    case X86_MOVES_SP:
        a->sp += (uint64_t)(int64_t)c->by;
        return true;
    case X86_SETS_FP:
        a->framed = true;
        a->fp = a->sp;
        return true;
    case X86_LEAVE:
        return leave_frame(a);
    case X86_JUMP:
        a->pc += (uint64_t)(int64_t)c->by;
        *done = has_rule(a); /* the start of another function */
        return true;
    case X86_JUMP_INDIRECT:
    case X86_RETURN:
        *done = true;
        return true;
    case X86_PLAIN:
        break;
    }
    return !has_rule(a); /* what it called does not come back */
}

bool unwind_by_code_scan(const struct unwind_state *u, struct unwind_regs *out)
{
    struct ahead a = {.u = u, .regs = u->regs, .pc = unwind_pc(u), .sp = unwind_sp(u)};
    struct x86_code code;
    bool done = false;
    if (u->space->machine != UNWIND_X86_64)
        return false;
    for (int i = 0; i < MAX_INSTRUCTIONS && !done; i++)
        if (!read_code(&a, &code) || !follow_instruction(&a, &code, &done))
            return false;
    *out = a.regs;
    out->r[u->cpu->sp] = a.sp + WORD;
    return done && a.sp >= unwind_sp(u) && unwind_number(u->space, a.sp, WORD, &out->r[UNWIND_PC]);
}
