/*
 * Functions of 32-bit ARM that neither save lr nor return by it, as those that jump out of several
 * functions at once. Their instructions show no return, and they have no frame: what lies in front
 * of them, or what a table merged with them, is another function's. But lr is still behind the call
 * that led there, and that call names where they begin.
 */
#include "step.h"

#include "core/insn/arm_code.h"

enum { CALLEE_SAVED = 0x0ff0 /* r4-r11 */ };

static void set_registers(const struct unwind_state *u, const struct arm_frame *f,
                          struct unwind_regs *out)
{
    *out = u->regs;
    out->known &= CALLEE_SAVED & ~(uint64_t)f->lost;
    out->known |= UINT64_C(1) << ARM_SP | UINT64_C(1) << UNWIND_PC;
    out->r[ARM_SP] = (uint32_t)((uint32_t)unwind_sp(u) + (uint32_t)f->cfa);
    out->r[UNWIND_PC] = u->regs.r[ARM_LR];
}

/* The frame of the caller is where its own caller is found. */
static bool goes_on(const struct unwind_state *u, const struct unwind_regs *caller)
{
    struct unwind_state outer = *u;
    unwind_set_caller(&outer, caller, UNWIND_CODE);
    outer.doubt = DOUBT_NONE;
    if (!unwind_step_out(&outer))
        return outer.end == UNWIND_WHOLE || outer.end == UNWIND_UNREADABLE;
    return outer.method < UNWIND_LEAF && !outer.doubt;
}

/* Of the ways one alone fits. */
static bool choose_way(const struct unwind_state *u, const struct unwind_arm_way *way,
                       unsigned count, struct unwind_arm_caller *out)
{
    unsigned fits = 0;
    for (unsigned i = 0; i < count && fits < 2; i++) {
        struct arm_frame frame = {
            .base = ARM_SP, .cfa = (int32_t)-way[i].moved, .lost = way[i].written & CALLEE_SAVED};
        struct unwind_regs regs;
        set_registers(u, &frame, &regs);
        if (regs.r[ARM_SP] < unwind_sp(u) || !goes_on(u, &regs))
            continue;
        fits++;
        *out = (struct unwind_arm_caller){
            .regs = regs, .frame = frame, .framed = count == 1, .named = true};
    }
    return fits == 1;
}

bool unwind_by_arm_link(const struct unwind_state *u, struct unwind_arm_caller *out)
{
    struct unwind_arm_way way[UNWIND_ARM_WAYS];
    uint64_t target;
    bool thumb;
    if (u->returns || !unwind_known(u, ARM_LR) ||
        !unwind_called_mode_arm(u->space, u->regs.r[ARM_LR], &target, &thumb) ||
        unwind_pc(u) - target >= UNWIND_ARM_NEAR)
        return false;
    return choose_way(u, way, unwind_arm_ways(u, target, thumb, way), out);
}
