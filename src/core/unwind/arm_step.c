/*
 * Steps out of functions of 32-bit ARM. .debug_frame holds at every instruction, .ARM.exidx where a
 * function calls. So the function that was interrupted is left by its instructions; and any that
 * the tables do not tell of, as linkers merge entries that cannot be unwound over functions that
 * have frames.
 */
#include "arm_memo.h"
#include "step.h"

#include "core/insn/arm_code.h"

/* --- which instruction set --- */

/* In A32 most instructions have the condition "always", the highest digit of their word, or are of
 * those that have none: SIMD, preloads. Few words of Thumb look so. */
static bool looks_like_a32(const struct unwind_state *u)
{
    enum { BEFORE = 32, BEHIND = 64 };
    const struct unwind_space *s = u->space;
    uint64_t pc = unwind_pc(u);
    unsigned words = 0, always = 0;
    uint8_t bytes[4];
    for (uint64_t at = pc < BEFORE ? 0 : pc - BEFORE; at < pc + BEHIND; at += sizeof bytes)
        if (s->memory(s->arg, at, bytes, sizeof bytes)) {
            words++;
            always += bytes[3] >> 4 == 0xe || (bytes[3] >= 0xf2 && bytes[3] <= 0xf5);
        }
    return 4 * always > words;
}

enum { NEAR = 1024 }; /* bytes from a function's begin to its code */

/* The set of a function that a call in front of an address names, if that is the one of pc. */
static enum unwind_mode mode_called(const struct unwind_state *u, uint64_t value)
{
    const struct unwind_space *s = u->space;
    uint64_t target;
    bool thumb, direct = unwind_called_mode_arm(s, value, &target, &thumb);
    if (!direct || unwind_pc(u) - target >= NEAR)
        return MODE_UNKNOWN;
    return thumb ? MODE_T32 : MODE_A32;
}

/* A return address says it; of a sample's pc the kernel does not. */
static bool is_thumb(const struct unwind_state *u)
{
    enum unwind_mode mode = (enum unwind_mode)u->mode;
    if (unwind_pc(u) % 4)
        return true;
    if (mode == MODE_UNKNOWN && unwind_known(u, ARM_LR))
        mode = mode_called(u, u->regs.r[ARM_LR]);
    return mode == MODE_UNKNOWN ? !looks_like_a32(u) : mode == MODE_T32;
}

/* --- by the instructions --- */

enum { LOST_BY_CALLS = 0x500f /* r0-r3, r12, lr */ };

/* How much speaks for what the instructions of one set say: that the caller calls a function of
 * this set, or of the other. */
enum grade { NOTHING, ENDS_THERE, CALLS_OTHER, IS_CALLED, CALLS_THIS };

static enum grade grade_of(const struct unwind_state *u, bool thumb, enum unwind_arm_end end,
                           const struct unwind_arm_caller *caller)
{
    if (end == ARM_NO_RETURN)
        return NOTHING;
    if (end != ARM_RETURNS)
        return ENDS_THERE;
    enum unwind_mode called = mode_called(u, caller->regs.r[UNWIND_PC]);
    if (called == MODE_UNKNOWN)
        return IS_CALLED;
    return (called == MODE_T32) == thumb ? CALLS_THIS : CALLS_OTHER;
}

/* Whether lr is the return address still, by the instructions of a set. */
static bool is_link(const struct unwind_state *u, const struct unwind_arm_caller *caller)
{
    return unwind_known(u, ARM_LR) && caller->regs.r[UNWIND_PC] == u->regs.r[ARM_LR];
}

/* By the set that it looks like; of a sample's pc by the other, too, if that says more. A32 whose
 * instructions are conditional looks like T32; but T32 that is followed as A32 does not lead to lr.
 */
static enum unwind_arm_end follow(const struct unwind_state *u, struct unwind_arm_caller *caller)
{
    struct unwind_arm_caller other;
    bool thumb = is_thumb(u);
    enum unwind_arm_end end = unwind_by_arm_code(u, thumb, caller), other_end;
    enum grade grade = grade_of(u, thumb, end, caller), other_grade;
    bool weak = grade < IS_CALLED || (grade == IS_CALLED && thumb && !is_link(u, caller));
    if (!weak || u->mode != MODE_UNKNOWN || unwind_pc(u) % 4)
        return end;
    other_end = unwind_by_arm_code(u, !thumb, &other);
    other_grade = grade_of(u, !thumb, other_end, &other);
    if (other_grade < grade ||
        (other_grade == grade && !(grade == IS_CALLED && is_link(u, &other))))
        return end;
    *caller = other;
    return other_end;
}

/* --- by a row of arm_memo --- */

static uint32_t key_of(const struct unwind_state *u, const struct unwind_code *code)
{
    return (uint32_t)(unwind_pc(u) - code->bias) | u->returns;
}

/* The function that was called for a frame; 0: not known. */
static uint32_t target_of(const struct unwind_state *u, const struct unwind_code *code,
                          const struct unwind_regs *caller, bool by_begin)
{
    const struct unwind_space *s = u->space;
    uint64_t target;
    bool unread;
    if (!unwind_called_arm(s, unwind_strip_pc(s, caller->r[UNWIND_PC]), &target, &unread) ||
        (!target && !(by_begin && unwind_register_target_arm(s, caller, &target))))
        return 0;
    return (uint32_t)(target - code->bias);
}

/* As the search that made the row would have it; a stub of another place may lead anywhere. */
static bool may_have_called(const struct unwind_state *u, const struct unwind_code *code,
                            const struct unwind_regs *caller, const struct arm_row *row)
{
    uint32_t target = target_of(u, code, caller, row->by_begin);
    bool far = (uint32_t)(unwind_pc(u) - code->bias) - target >= UNWIND_ARM_NEAR;
    if (target == row->target)
        return true;
    return !row->named && (!target || (far && !row->by_begin));
}

static bool by_memo(struct unwind_state *u, const struct unwind_code *code)
{
    const struct arm_row *row = code->cfi ? arm_memo_find(code->cfi, key_of(u, code)) : NULL;
    struct unwind_state outer = *u;
    if (!row || !unwind_by_rule(&outer, code->cfi, row->rule))
        return false;
    struct unwind_regs caller = outer.regs;
    caller.r[UNWIND_PC] |= outer.mode == MODE_T32;
    if (!unwind_is_called_arm(&outer, unwind_pc(&outer)) || !may_have_called(u, code, &caller, row))
        return false;
    *u = outer;
    u->regs.known &= ~(uint64_t)LOST_BY_CALLS;
    u->method = UNWIND_CODE;
    return true;
}

static void remember(const struct unwind_state *u, const struct unwind_code *code,
                     const struct unwind_arm_caller *caller, enum unwind_arm_begin begin)
{
    struct arm_row row = {.key = key_of(u, code), .by_begin = begin, .named = caller->named};
    if (!code->cfi || !caller->framed)
        return;
    row.target = target_of(u, code, &caller->regs, begin);
    arm_row_set_rule(&row, &caller->frame);
    arm_memo_add(code->cfi, &row);
}

/* By the set that it looks like; of a sample's pc by the other, too, if nothing else is known. */
static enum unwind_arm_begin find_begin(const struct unwind_state *u, enum unwind_arm_begin least,
                                        struct unwind_arm_caller *caller)
{
    struct unwind_arm_caller other;
    bool thumb = is_thumb(u);
    enum unwind_arm_begin begin = unwind_by_arm_prologue(u, thumb, caller), other_begin;
    if (begin >= ARM_BEGINS || least > ARM_BEGIN_GUESSED || u->mode != MODE_UNKNOWN ||
        unwind_pc(u) % 4)
        return begin;
    other_begin = unwind_by_arm_prologue(u, !thumb, &other);
    if (other_begin <= begin)
        return begin;
    *caller = other;
    return other_begin;
}

static bool by_prologue(struct unwind_state *u, const struct unwind_code *code,
                        enum unwind_arm_begin least)
{
    struct unwind_arm_caller caller;
    enum unwind_arm_begin begin = find_begin(u, least, &caller);
    if (begin < least)
        return false;
    if (begin >= ARM_BEGINS)
        remember(u, code, &caller, begin);
    unwind_set_caller(u, &caller.regs, begin >= ARM_BEGINS ? UNWIND_CODE : UNWIND_CODE_SCAN);
    return true;
}

/* --- by lr --- */

static bool by_link(struct unwind_state *u, const struct unwind_code *code)
{
    struct unwind_arm_caller caller;
    if (!unwind_by_arm_link(u, &caller))
        return false;
    remember(u, code, &caller, ARM_NO_BEGIN);
    unwind_set_caller(u, &caller.regs, UNWIND_CODE);
    return true;
}

/* --- by .ARM.exidx --- */

/* A return address that nothing saved was in lr when the function was entered, and is lost since it
 * called. */
static bool saves_return(const struct unwind_state *u, cfi_rule rule)
{
    for (unsigned i = 0; i < cfi_count(rule); i++)
        if (cfi_saved_at(rule, i).reg == cfi_return_register(rule))
            return true;
    return !u->returns;
}

static bool by_exidx(struct unwind_state *u, const struct unwind_code *code, cfi_rule rule)
{
    struct unwind_state at_call = *u;
    if (!rule || !saves_return(u, rule))
        return false;
    if (!unwind_by_rule(&at_call, code->cfi, rule)) {
        if (at_call.end == UNWIND_UNREADABLE)
            *u = at_call;
        return false;
    }
    if (unwind_pc(&at_call) && !unwind_is_called_arm(&at_call, unwind_pc(&at_call)))
        return false;
    *u = at_call;
    return true;
}

/* What the table says of an interrupted function, if its instructions say the same, is proven. */
static void confirm(struct unwind_state *u, const struct unwind_state *inner,
                    const struct unwind_code *code, cfi_rule rule)
{
    struct unwind_state by_table = *inner;
    if (rule && saves_return(inner, rule) && unwind_by_rule(&by_table, code->cfi, rule) &&
        unwind_pc(&by_table) == unwind_pc(u) && unwind_sp(&by_table) == unwind_sp(u))
        *u = by_table;
}

/* --- the order --- */

static bool is_due(const struct unwind_state *u, const struct unwind_code *code, enum arm_search s)
{
    return !code->cfi || arm_search_is_due(code->cfi, key_of(u, code), s);
}

static void search_ended(const struct unwind_state *u, const struct unwind_code *code,
                         enum arm_search s, bool found)
{
    if (code->cfi)
        arm_search_ended(code->cfi, key_of(u, code), s, found);
}

static bool search_begin(struct unwind_state *u, const struct unwind_code *code)
{
    struct unwind_state inner = *u;
    if (!is_due(u, code, ARM_FROM_BEGIN))
        return false;
    bool found = by_prologue(u, code, ARM_BEGIN_GUESSED);
    search_ended(&inner, code, ARM_FROM_BEGIN, found);
    return found;
}

static bool by_code(struct unwind_state *u, const struct unwind_code *code, bool *stopped)
{
    struct unwind_arm_caller caller;
    enum unwind_arm_end end = follow(u, &caller);
    *stopped = end == ARM_EXITS || end == ARM_UNREAD;
    if (end == ARM_EXITS) /* a function may end so that has a caller; a thread's first has none */
        return by_link(u, code) || search_begin(u, code) || unwind_stop(u, UNWIND_WHOLE, 0);
    if (end == ARM_UNREAD)
        return unwind_stop(u, UNWIND_UNREADABLE, caller.unread);
    if (end == ARM_RETURNS && caller.doubtful && by_prologue(u, code, ARM_MAY_LEAD))
        return true;
    if (end == ARM_RETURNS && !caller.framed && by_link(u, code)) /* a jump out of functions */
        return true;
    if (end == ARM_RETURNS) {
        remember(u, code, &caller, ARM_NO_BEGIN);
        unwind_set_caller(u, &caller.regs, UNWIND_CODE);
    }
    return end == ARM_RETURNS;
}

static bool search_return(struct unwind_state *u, const struct unwind_code *code, bool *stopped)
{
    struct unwind_state inner = *u;
    if (!is_due(u, code, ARM_TO_RETURN))
        return false;
    bool found = by_code(u, code, stopped);
    search_ended(&inner, code, ARM_TO_RETURN, found || *stopped);
    return found;
}

static bool starts_here(const struct unwind_state *u, const struct unwind_code *code)
{
    enum { LAST_CALL = 64, LAST = 48 }; /* bytes of a program's start, and what it calls follows */
    uint64_t entry = code->cfi ? cfi_entry(code->cfi) & ~UINT64_C(1) : 0;
    return entry && unwind_pc(u) - code->bias - entry < (u->returns ? LAST_CALL : LAST);
}

bool unwind_arm_step(struct unwind_state *u, const struct unwind_code *code, cfi_rule rule)
{
    bool stopped = false, first = !u->returns || !rule;
    struct unwind_state inner = *u;
    if (starts_here(u, code))
        return unwind_stop(u, UNWIND_WHOLE, 0);
    if (!first && by_exidx(u, code, rule))
        return true;
    if (by_memo(u, code) || search_return(u, code, &stopped)) {
        if (u->method == UNWIND_CODE)
            confirm(u, &inner, code, rule);
        return true;
    }
    if (stopped)
        return false;
    if (by_link(u, code) || (first && by_exidx(u, code, rule)) || search_begin(u, code))
        return true;
    return unwind_by_guess(u, code);
}
