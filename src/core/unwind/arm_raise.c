/*
 * libgcc's functions that raise an exception save all registers, as a structure that they unwind in
 * place: from its second phase on, what was the return address and the stack pointer of the
 * function that raised are those of a frame further out. The frames between are missing in a chain
 * that goes on there.
 *
 * The other registers are those of the function that raised: the frames further in have kept them.
 * Only where the call returns is lost. It is behind one of the calls of this function that there
 * are in all modules, and the tables lead from the right one to a return address. If they lead to
 * one from a single call, that is it.
 */
#include "cfi_table.h"
#include "step.h"

#include <string.h>

/* From the stack pointer on: r2, r3, r0 to r12, the stack pointer at entry, lr, and lr as the pc.
 */
enum { SAVED_SP = 60, SAVED_LR = 64, SAVED_PC = 68, SIZE = 72 };

/* ldr lr, [sp, #64]; add sp, #72; bx lr */
static bool is_wrapper(const struct unwind_state *u)
{
    static const uint8_t t32[] = {0xdd, 0xf8, 0x40, 0xe0, 0x12, 0xb0, 0x70, 0x47},
                         a32[] = {0x40, 0xe0, 0x9d, 0xe5, 0x48, 0xd0, 0x8d, 0xe2};
    const struct unwind_space *s = u->space;
    uint8_t code[8];
    return u->returns && s->memory(s->arg, unwind_pc(u), code, sizeof code) &&
           (memcmp(code, t32, sizeof code) == 0 || memcmp(code, a32, sizeof code) == 0);
}

static bool is_overwritten(const struct unwind_state *u)
{
    uint64_t sp = unwind_sp(u), saved_sp, lr, pc;
    return unwind_number(u->space, sp + SAVED_SP, 4, &saved_sp) &&
           unwind_number(u->space, sp + SAVED_LR, 4, &lr) &&
           unwind_number(u->space, sp + SAVED_PC, 4, &pc) && (saved_sp != sp + SIZE || lr != pc);
}

bool unwind_arm_has_raised(const struct unwind_state *u)
{
    return is_wrapper(u) && is_overwritten(u);
}

/* --- the call --- */

enum { CALLEE_SAVED = 0x0ff0 /* r4-r11 */, SP = 13, MAX_CALLS = 1024, MAX_MAPPINGS = 4096 };

struct search {             /* for the call that a frame returns to */
    struct unwind_state at; /* pc: of the module that is searched */
    const struct cfi *last; /* a module may have several mappings */
    enum arm_raising raising;
    uint64_t found; /* with the bit of Thumb */
    unsigned fits;  /* 2: several, or not all calls are known */
    unsigned tried;
};

static void begin_at(struct unwind_state *u, uint64_t returns_to)
{
    struct unwind_regs caller = u->regs;
    caller.known = (caller.known & CALLEE_SAVED) | UINT64_C(1) << SP | UINT64_C(1) << UNWIND_PC;
    caller.r[SP] = (uint32_t)(unwind_sp(u) + SIZE);
    caller.r[UNWIND_PC] = returns_to;
    unwind_set_caller(u, &caller, UNWIND_CODE);
}

/* add ip, pc, #..; add ip, ip, #..; ldr pc, [ip, #..]! */
static bool is_stub(const struct unwind_space *s, uint64_t target)
{
    uint8_t b[4];
    return s->memory(s->arg, target + 8, b, sizeof b) && b[3] == 0xe5 && b[2] == 0xbc &&
           b[1] >> 4 == 0xf;
}

/* The function that a call names: by a stub, or by its first instruction. -1: none of them. */
static int raising_called(const struct unwind_space *s, uint64_t target)
{
    struct unwind_code code = {0};
    const struct arm_raiser *r = s->code(s->arg, target, &code) && code.cfi
                                     ? arm_raiser_called(code.cfi, target - code.bias)
                                     : NULL;
    return r ? r->raising : -1;
}

/* What called the function that the call is in names it, as far as can be told. */
static bool is_named(const struct unwind_state *at, const struct unwind_code *code,
                     const struct arm_raiser *in, uint64_t returns_to)
{
    const struct unwind_space *s = at->space;
    uint64_t target, start, end;
    bool unread;
    if (!unwind_called_arm(s, returns_to, &target, &unread) || !target)
        return true;
    if (raising_called(s, target) != (in ? in->raising : -1))
        return false;
    return !cfi_function(code->cfi, unwind_pc(at) - 1 - code->bias, &start, &end) ||
           target == code->bias + start || is_stub(s, target) ||
           unwind_jumps_near(s, target, code->bias + start);
}

static bool fits(const struct unwind_state *at, const struct unwind_code *code)
{
    struct unwind_state outer = *at;
    uint64_t vaddr = unwind_pc(at) - 1 - code->bias;
    cfi_rule rule = cfi_find(code->cfi, vaddr);
    return rule && unwind_by_rule(&outer, code->cfi, rule) &&
           unwind_is_called_arm(&outer, unwind_pc(&outer)) &&
           is_named(at, code, arm_raiser_at(code->cfi, vaddr), unwind_pc(&outer));
}

static void search_module(struct search *s, const struct unwind_code *code)
{
    const struct arm_raisers *r = code->cfi->raisers;
    if (!r)
        return;
    s->tried += r->calls;
    if (r->calls > ARM_RAISE_CALLS || s->tried > MAX_CALLS)
        s->fits = 2;
    for (unsigned i = 0; i < r->calls && s->fits < 2; i++) {
        struct unwind_state at = s->at;
        uint64_t returns_to = (uint32_t)(code->bias + r->call[i].returns_to);
        begin_at(&at, returns_to);
        if (r->call[i].raising != s->raising || !fits(&at, code))
            continue;
        s->fits++;
        s->found = returns_to;
    }
}

static unsigned search_all(struct search *s)
{
    const struct unwind_space *space = s->at.space;
    uint64_t at = 0;
    for (unsigned i = 0; i < MAX_MAPPINGS && s->fits < 2 && space->next(space->arg, at, &at); i++) {
        struct unwind_code code = {0};
        if (!space->code(space->arg, at, &code) || !code.cfi || code.cfi == s->last)
            continue;
        s->last = code.cfi;
        search_module(s, &code);
    }
    return s->fits;
}

bool unwind_arm_raised(struct unwind_state *u, const struct unwind_code *code)
{
    const struct arm_raiser *r =
        code->cfi ? arm_raiser_at(code->cfi, unwind_pc(u) - code->bias) : NULL;
    struct search s = {.at = *u};
    if (!r || r->raising >= ARM_CXX || !u->space->next)
        return false;
    s.raising = (enum arm_raising)r->raising;
    if (search_all(&s) != 1)
        return false;
    begin_at(u, s.found);
    return true;
}
