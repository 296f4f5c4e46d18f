/*
 * Whether the instructions of 32-bit ARM lead from a function's begin to where it is now, and how
 * far the stack pointer has moved on the way.
 */
#include "arm_path.h"

enum { ENTRY = 0x40000000 }; /* any stack pointer: only distances count */

enum unwind_arm_reach unwind_arm_reaches(const struct unwind_state *u, uint64_t from, bool thumb,
                                         int64_t *moved)
{
    struct unwind_state begin = {.space = u->space, .cpu = u->cpu, .mode = u->mode};
    struct arm_run r;
    begin.regs.r[UNWIND_PC] = from;
    begin.regs.r[ARM_SP] = ENTRY;
    begin.regs.known = UINT64_C(1) << ARM_SP | UINT64_C(1) << ARM_LR;
    arm_run_start(&r, &begin, thumb);
    r.bottom = UINT32_MAX; /* nothing of the stack is what it was then */
    for (unsigned i = 0; i < ARM_MAX_STEPS; i++) {
        if (r.now.pc == unwind_pc(u) && arm_is_known(&r.now, ARM_SP)) {
            *moved = (int64_t)r.now.r[ARM_SP] - ENTRY;
            return ARM_REACHES;
        }
        if (arm_run_instruction(&r) != ARM_GOES_ON && !arm_run_next_path(&r))
            return ARM_REACHES_NOT;
    }
    return ARM_TOO_FAR;
}
