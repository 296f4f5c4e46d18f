/*
 * libgcc's functions that raise an exception save all registers, as a structure that they unwind in
 * place: from its second phase on, what was the return address and the stack pointer of the
 * function that raised are those of a frame further out. The frames between are missing in a chain
 * that goes on there.
 */
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
