/*
 * This processor does not execute single steps, and the kernel makes none for it: an instruction is
 * executed in a slot, before a breakpoint, or done on the registers (core/insn/arm_step.h).
 */
#include "core/insn/arm_step.h"
#include "ptrace/tracee_step.h"

#include <signal.h>
#include <string.h>

enum { R0 = 0, R7 = 7, SP = 13, LR = 14, PC = 15, CPSR = 16, THUMB = 1 };

const bool tracee_single_steps = false;
const uint64_t tracee_mode_bits = THUMB;
const size_t tracee_call_bytes = 4;
const unsigned tracee_breakpoint_moves_pc = 0;
const int tracee_breakpoint_code = TRAP_BRKPT;
const bool tracee_calls_go_back = true;

/* The kernel has one for each length, so that a block of conditional instructions, where it may be
 * passed over, goes on at the right place. */
struct tracee_code tracee_breakpoint(const struct displaced *d)
{
    if (d->len == 2)
        return (struct tracee_code){{0x01, 0xde}, 2};
    return d->thumb ? (struct tracee_code){{0xf0, 0xf7, 0x00, 0xa0}, 4}
                    : (struct tracee_code){{0xf0, 0x01, 0xf0, 0xe7}, 4};
}

struct tracee_code tracee_call_code(uint64_t address)
{
    if (address & THUMB)
        return (struct tracee_code){{0x00, 0xdf, 0x01, 0xde}, 4};
    return (struct tracee_code){{0x00, 0x00, 0x00, 0xef, 0xf0, 0x01, 0xf0, 0xe7}, 8};
}

bool tracee_displace(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                     struct displaced *out)
{
    return displaced_arm(code, len, from, to, out);
}

/* Each instruction that is stepped has a slot, and is known. */
bool tracee_begins_exclusive(const struct breaks_image *m, uint64_t address)
{
    return false;
}

bool tracee_copy_exclusive(exclusive_read *read, void *arg, uint64_t address, struct exclusive *out)
{
    return exclusive_copy_arm(read, arg, address, out);
}

/* --- the state of core --- */

static struct arm_state state_of(const struct user_regs *r)
{
    struct arm_state s = {.cpsr = (uint32_t)r->uregs[CPSR]};
    for (unsigned i = 0; i <= PC; i++)
        s.reg[i] = (uint32_t)r->uregs[i];
    return s;
}

static void set_state(struct user_regs *r, const struct arm_state *s)
{
    r->uregs[CPSR] = s->cpsr;
    for (unsigned i = 0; i <= PC; i++)
        r->uregs[i] = s->reg[i];
}

static int get_state(struct tracee *t, struct arm_state *out)
{
    int e = tracee_hold(t);
    if (e == 0)
        *out = state_of(&t->user);
    return e;
}

static void put_state(struct tracee *t, const struct arm_state *s)
{
    set_state(&t->user, s);
    t->is_changed = true;
}

static uint64_t pc_of(const struct arm_state *s)
{
    return s->reg[PC] | (s->cpsr & ARM_CPSR_T ? THUMB : 0);
}

static void set_pc(struct arm_state *s, uint64_t pc)
{
    s->reg[PC] = (uint32_t)pc & ~UINT32_C(1);
    s->cpsr = (s->cpsr & ~(uint32_t)ARM_CPSR_T) | (pc & THUMB ? ARM_CPSR_T : 0);
}

/* --- the pc --- */

int tracee_read_pc(struct tracee *t, uint64_t *pc)
{
    struct arm_state s;
    int e = get_state(t, &s);
    *pc = e < 0 ? 0 : pc_of(&s);
    return e;
}

int tracee_write_pc(struct tracee *t, uint64_t pc)
{
    struct arm_state s;
    int e = get_state(t, &s);
    if (e < 0)
        return e;
    set_pc(&s, pc);
    put_state(t, &s);
    return 0;
}

/* --- steps --- */

enum tracee_done tracee_do(struct tracee *t, const struct displaced *d, exclusive_read *read,
                           void *arg, uint64_t *pc)
{
    struct arm_state s;
    enum tracee_done done = TRACEE_DONE;
    if (get_state(t, &s) < 0)
        return TRACEE_NOT_DONE;
    set_pc(&s, *pc);
    if (!arm_is_executed(&s, d->op, d->len)) {
        arm_pass(&s, d->len);
        done = TRACEE_PASSED;
    } else if (d->fix != DISPLACED_REGISTERS || !arm_do(&s, d, read, arg))
        return TRACEE_NOT_DONE;
    put_state(t, &s);
    *pc = pc_of(&s);
    return done;
}

int tracee_enter_slot(struct tracee *t, const struct displaced *d, uint64_t pc, uint64_t slot,
                      struct tracee_aside *aside)
{
    struct arm_state s;
    int e = get_state(t, &s);
    if (e < 0)
        return e;
    set_pc(&s, pc);
    _Static_assert(sizeof s == sizeof *aside, "all of it is kept");
    memcpy(aside, &s, sizeof s);
    arm_enter_slot(&s, d, (uint32_t)slot);
    put_state(t, &s);
    return 0;
}

/* A return from a signal has led elsewhere. */
int tracee_leave_slot(struct tracee *t, const struct displaced *d, const struct tracee_aside *aside,
                      bool executed, uint64_t *pc)
{
    struct arm_state s, before;
    int e = get_state(t, &s);
    memcpy(&before, aside, sizeof before);
    if (e < 0 || (executed && *pc != pc_of(&before) + d->len))
        return e;
    arm_leave_slot(&s, &before, d, executed);
    put_state(t, &s);
    *pc = pc_of(&s);
    return 0;
}

bool tracee_can_be_left(struct tracee *t)
{
    return tracee_hold(t) < 0 || !arm_it((uint32_t)t->user.uregs[CPSR]);
}

int tracee_write_reg(struct tracee *t, unsigned reg, uint64_t value)
{
    int e = tracee_hold(t);
    if (e < 0)
        return e;
    t->user.uregs[reg] = (unsigned long)value;
    t->is_changed = true;
    return 0;
}

int tracee_move_return(struct tracee *t, uint64_t distance)
{
    int e = tracee_hold(t);
    return e < 0 ? e : tracee_write_reg(t, LR, t->user.uregs[LR] + distance);
}

int tracee_begin_call(struct tracee *t, const struct tracee_call *call)
{
    struct arm_state s;
    int e = get_state(t, &s);
    if (e < 0)
        return e;
    for (unsigned i = 0; i < 6; i++)
        s.reg[R0 + i] = (uint32_t)call->arg[i];
    s.reg[R7] = (uint32_t)call->number;
    set_pc(&s, call->pc);
    s.cpsr = arm_with_it(s.cpsr, 0);
    put_state(t, &s);
    return 0;
}

int tracee_call_result(struct tracee *t, int64_t *result)
{
    int e = tracee_hold(t);
    *result = e < 0 ? 0 : (int32_t)t->user.uregs[R0];
    return e;
}

/* --- functions (AAPCS32) --- */

int breaks_arguments(const struct breaks_stop *s, uint64_t out[4])
{
    int e = tracee_hold(s->tracee);
    for (unsigned i = 0; e == 0 && i < 4; i++)
        out[i] = s->tracee->user.uregs[R0 + i];
    return e;
}

static int read_register(const struct breaks_stop *s, unsigned reg, uint64_t *out)
{
    int e = tracee_hold(s->tracee);
    *out = e < 0 ? 0 : s->tracee->user.uregs[reg];
    return e;
}

int breaks_stack(const struct breaks_stop *s, uint64_t *sp)
{
    return read_register(s, SP, sp);
}

int breaks_return_address(const struct breaks_stop *s, uint64_t *address)
{
    return read_register(s, LR, address);
}

int breaks_result(const struct breaks_stop *s, uint64_t *value)
{
    return read_register(s, R0, value);
}
