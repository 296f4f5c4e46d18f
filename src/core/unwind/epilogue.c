/*
 * Compilers do not say of x86-64's epilogues that a register has its caller's value again: the rule
 * still names its slot, which the pop left below the stack pointer, where the stack of a sample
 * does not reach. The instructions tell that it was restored.
 */
#include "step.h"

enum { WORD = 8, MAX_POPS = 8, WIDE = 0x41, LEAVE = 0xc9 };

static bool is_pop(uint8_t op)
{
    return (op & 0xf8) == 0x58;
}

static bool is_return(const uint8_t *code)
{
    bool prefix = code[0] == 0xf2 || code[0] == 0xf3; /* bnd ret, rep ret */
    return code[prefix] == 0xc3;
}

/* Nothing is left to do but pops, which read above the stack pointer, and the return: what is to be
 * restored and lies below has been. */
static bool before_return(const struct unwind_space *s, uint64_t pc)
{
    uint8_t code[2];
    for (int i = 0; i <= MAX_POPS; i++) {
        if (!s->memory(s->arg, pc, code, sizeof code))
            return false;
        bool wide = code[0] == WIDE;
        if (!is_pop(code[wide]))
            return is_return(code);
        pc += 1u + wide;
    }
    return false;
}

/* The bytes of the instruction that ends there when it is one that pops. */
static bool popped_before(const struct unwind_space *s, uint64_t pc, uint8_t code[2])
{
    return pc > 2 && s->memory(s->arg, pc - 2, code, 2) && (is_pop(code[1]) || code[1] == LEAVE);
}

static bool is_pop_of(const uint8_t code[2], unsigned reg)
{
    static const uint8_t dwarf[] = {0, 2, 1, 3, 7, 6, 4, 5}; /* by the numbers in instructions */
    bool wide = code[0] == WIDE;
    if (code[1] == LEAVE)
        return reg == 6;
    return reg == (wide ? 8u + (code[1] & 7) : dwarf[code[1] & 7]);
}

/* The pops in front of pc: the last one's slot is the word below the stack pointer. */
static bool behind_pop(const struct unwind_space *s, uint64_t pc, unsigned reg, uint64_t words)
{
    uint8_t code[2];
    for (; words && popped_before(s, pc, code); words--) {
        if (words == 1)
            return is_pop_of(code, reg);
        pc -= code[0] == WIDE && code[1] != LEAVE ? 2 : 1;
    }
    return false;
}

bool unwind_is_restored(const struct unwind_state *u, unsigned reg, uint64_t slot)
{
    const struct unwind_space *s = u->space;
    uint64_t pc = unwind_pc(u), below = unwind_sp(u) - slot;
    if (s->machine != UNWIND_X86_64 || !u->signalled || !below || below % WORD ||
        below > WORD * MAX_POPS)
        return false;
    return before_return(s, pc) || behind_pop(s, pc, reg, below / WORD);
}
