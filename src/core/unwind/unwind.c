#include "step.h"

static const char *const end_names[UNWIND_ENDS] = {
    [UNWIND_WHOLE] = "whole",
    [UNWIND_UNREADABLE] = "stack slice too short",
    [UNWIND_NO_CFI] = "no call frame information",
    [UNWIND_NO_VALUE] = "value of a register unknown",
    [UNWIND_BAD_CFA] = "frame address does not grow",
    [UNWIND_BAD_PC] = "return address not in code",
    [UNWIND_DEPTH] = "too deep",
    [UNWIND_GUESSED] = "guessed, not confirmed",
};

const char *unwind_end_name(enum unwind_end end)
{
    return (unsigned)end < UNWIND_ENDS ? end_names[end] : "unknown";
}

/* A call that does not return may be a function's last instruction: what called is at pc - 1. */
static bool step_with_code(struct unwind_state *u, const struct unwind_code *code)
{
    cfi_rule rule = code->cfi ? cfi_find(code->cfi, unwind_pc(u) - u->returns - code->bias) : NULL;
    if (u->space->machine == UNWIND_ARM && unwind_arm_has_raised(u)) {
        if (unwind_arm_raised(u, code))
            return true;
        unwind_add_doubt(u, DOUBT_MISMATCH);
    }
    if (u->space->machine == UNWIND_ARM && (!rule || cfi_at_calls(rule)))
        return unwind_arm_step(u, code, rule);
    return rule ? unwind_by_rule(u, code->cfi, rule) : unwind_by_guess(u, code);
}

bool unwind_step_out(struct unwind_state *u)
{
    struct unwind_code code = {0};
    bool executable = u->space->code(u->space->arg, unwind_pc(u), &code);
    if (executable && unwind_is_sigreturn(u, &code))
        return unwind_by_signal(u);
    if (!executable && u->returns) /* a call as the last instruction of its mapping */
        executable = u->space->code(u->space->arg, unwind_pc(u) - 1, &code);
    return step_with_code(u, &code);
}

static bool is_code(const struct unwind_state *u)
{
    struct unwind_code code;
    const struct unwind_space *s = u->space;
    return s->code(s->arg, unwind_pc(u) - u->returns, &code);
}

/* Whether the step arrived somewhere. Threads and kernel-made processes begin at 0. What a signal
 * interrupted may be anywhere: a call through a wild pointer. */
static bool check_caller(struct unwind_state *u)
{
    if (!unwind_pc(u) && u->returns)
        return unwind_stop(u, UNWIND_WHOLE, 0);
    if (u->returns && !is_code(u))
        return unwind_stop(u, UNWIND_BAD_PC, unwind_pc(u));
    return true;
}

/* A signal's handler returns to the first instruction of what asks the kernel to go on: no call is
 * before it, and often another function. */
static void mark_trampoline(struct unwind_frame *out, size_t frames)
{
    if (frames > 1 && out[frames - 1].method == UNWIND_SIGNAL_FRAME)
        out[frames - 2].returns = false;
}

struct unwind_result unwind(const struct unwind_space *s, const struct unwind_regs *start,
                            struct unwind_frame *out, size_t cap)
{
    struct unwind_result r = {.end = UNWIND_NO_VALUE};
    struct unwind_state u = {.space = s, .cpu = &unwind_cpus[s->machine], .signalled = true};
    u.regs = *start;
    if (!unwind_known(&u, UNWIND_PC) || !unwind_known(&u, u.cpu->sp))
        return r;
    u.regs.r[UNWIND_PC] = unwind_strip_pc(s, unwind_pc(&u));
    u.method = UNWIND_GIVEN;
    bool more = true;
    for (; more && r.frames < cap; more = unwind_step_out(&u) && check_caller(&u)) {
        out[r.frames++] = (struct unwind_frame){unwind_pc(&u), unwind_sp(&u), u.returns, u.method};
        mark_trampoline(out, r.frames);
        r.by_code += u.method == UNWIND_CODE;
        r.guessed += u.method >= UNWIND_LEAF;
    }
    if (more)
        unwind_stop(&u, UNWIND_DEPTH, unwind_pc(&u));
    else if (u.end == UNWIND_WHOLE && u.doubt)
        unwind_stop(&u, UNWIND_GUESSED, u.doubted);
    r.end = u.end;
    r.at = u.at;
    return r;
}
