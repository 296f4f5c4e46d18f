/*
 * Whether a frame's function can have been called from where it returns to. The call names the
 * function; or code that goes on there by a jump: a function that ends in a call of it, one whose
 * seldom used part it is, a stub of the procedure linkage table, which jumps through memory.
 */
#include "arm_memo.h"
#include "step.h"

enum { STUB = 16 };

struct extent {
    uint64_t start, end;
};

static bool function_at(const struct unwind_space *s, uint64_t pc, struct extent *out)
{
    struct unwind_code code = {0};
    if (!s->code(s->arg, pc, &code) || !code.cfi ||
        !cfi_function(code.cfi, pc - code.bias, &out->start, &out->end))
        return false;
    out->start += code.bias;
    out->end += code.bias;
    return true;
}

static bool is_in(const struct extent *e, uint64_t pc)
{
    return pc >= e->start && pc < e->end;
}

/* A jump through a register leads anywhere; in a function it may as well be a switch's. */
static bool jumps_into(const struct unwind_space *s, uint64_t from, const struct extent *to)
{
    const struct unwind_cpu *cpu = &unwind_cpus[s->machine];
    struct extent own = {from, from + STUB};
    uint64_t target;
    function_at(s, from, &own);
    for (uint64_t pc = from; pc < own.end && pc - from < cpu->code_searched; pc += cpu->code_step)
        if (cpu->jumps(s, pc, &target) && (target ? is_in(to, target) : pc - from < STUB))
            return true;
    return false;
}

bool unwind_jumps_near(const struct unwind_space *s, uint64_t from, uint64_t pc)
{
    return jumps_into(s, from, &(struct extent){pc < STUB ? 0 : pc - STUB + 1, pc + 1});
}

bool unwind_jumps_indirect(const struct unwind_space *s, uint64_t from)
{
    struct extent own;
    uint64_t target;
    if (!function_at(s, from, &own))
        return false;
    for (uint64_t pc = from; pc < own.end && pc - from < unwind_cpus[s->machine].code_searched;
         pc += unwind_cpus[s->machine].code_step)
        if (unwind_cpus[s->machine].jumps(s, pc, &target) && !target)
            return true;
    return false;
}

/* 32-bit ARM's tables need not know the function. Then a frame at pc was found before, with a
 * caller that called just this, and nothing spoke against it. */
static bool is_remembered(const struct unwind_space *s, uint64_t target, uint64_t pc)
{
    struct unwind_code code = {0};
    if (s->machine != UNWIND_ARM || !s->code(s->arg, pc, &code) || !code.cfi)
        return false;
    const struct arm_row *row =
        arm_memo_find(code.cfi, (uint32_t)(pc + pc % 2 - code.bias) | pc % 2);
    return row && !row->named && row->target == (target ? (uint32_t)(target - code.bias) : 0);
}

bool unwind_is_call(const struct unwind_space *s, uint64_t returns_to, uint64_t pc)
{
    struct extent function;
    uint64_t target;
    bool unread;
    if (!unwind_cpus[s->machine].called(s, returns_to, &target, &unread))
        return false;
    if (!function_at(s, pc, &function))
        return is_remembered(s, target, pc);
    return !target || is_in(&function, target) || jumps_into(s, target, &function);
}
