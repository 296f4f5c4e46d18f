/*
 * This processor does not execute single steps, and the kernel makes none for it: an instruction is
 * executed in a slot, before a breakpoint, or done on the registers (core/insn/arm_step.h).
 */
#include "core/insn/arm_step.h"
#include "ptrace/tracee_step.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

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
    (void)m;
    (void)address;
    return false;
}

bool tracee_copy_exclusive(exclusive_read *read, void *arg, uint64_t address, struct exclusive *out)
{
    return exclusive_copy_arm(read, arg, address, out);
}

static int get_regs(int tid, struct user_regs *r)
{
    return ptrace(PTRACE_GETREGS, tid, NULL, r) < 0 ? -errno : 0;
}

static int set_regs(int tid, struct user_regs *r)
{
    return ptrace(PTRACE_SETREGS, tid, NULL, r) < 0 ? -errno : 0;
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

static int get_state(int tid, struct user_regs *r, struct arm_state *out)
{
    int e = get_regs(tid, r);
    if (e == 0)
        *out = state_of(r);
    return e;
}

static int put_state(int tid, struct user_regs *r, const struct arm_state *s)
{
    set_state(r, s);
    return set_regs(tid, r);
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

int tracee_read_pc(int tid, uint64_t *pc)
{
    struct user_regs r;
    int e = get_regs(tid, &r);
    if (e < 0)
        return e;
    struct arm_state s = state_of(&r);
    *pc = pc_of(&s);
    return 0;
}

int tracee_write_pc(int tid, uint64_t pc)
{
    struct user_regs r;
    struct arm_state s;
    int e = get_state(tid, &r, &s);
    if (e < 0)
        return e;
    set_pc(&s, pc);
    return put_state(tid, &r, &s);
}

/* --- steps --- */

enum tracee_done tracee_do(int tid, const struct displaced *d, exclusive_read *read, void *arg,
                           uint64_t *pc)
{
    struct user_regs r;
    enum tracee_done done = TRACEE_DONE;
    if (get_regs(tid, &r) < 0)
        return TRACEE_NOT_DONE;
    struct arm_state s = state_of(&r);
    set_pc(&s, *pc);
    if (!arm_is_executed(&s, d->op, d->len)) {
        arm_pass(&s, d->len);
        done = TRACEE_PASSED;
    } else if (d->fix != DISPLACED_REGISTERS || !arm_do(&s, d, read, arg))
        return TRACEE_NOT_DONE;
    set_state(&r, &s);
    *pc = pc_of(&s);
    return set_regs(tid, &r) < 0 ? TRACEE_NOT_DONE : done;
}

int tracee_enter_slot(int tid, const struct displaced *d, uint64_t pc, uint64_t slot,
                      struct tracee_aside *aside)
{
    struct user_regs r;
    struct arm_state s;
    int e = get_state(tid, &r, &s);
    if (e < 0)
        return e;
    set_pc(&s, pc);
    _Static_assert(sizeof s == sizeof *aside, "all of it is kept");
    memcpy(aside, &s, sizeof s);
    arm_enter_slot(&s, d, (uint32_t)slot);
    return put_state(tid, &r, &s);
}

/* A return from a signal has led elsewhere. */
int tracee_leave_slot(int tid, const struct displaced *d, const struct tracee_aside *aside,
                      bool executed, uint64_t *pc)
{
    struct user_regs r;
    struct arm_state before;
    int e = get_regs(tid, &r);
    memcpy(&before, aside, sizeof before);
    if (e < 0 || (executed && *pc != pc_of(&before) + d->len))
        return e;
    struct arm_state s = state_of(&r);
    arm_leave_slot(&s, &before, d, executed);
    set_state(&r, &s);
    *pc = pc_of(&s);
    return set_regs(tid, &r);
}

bool tracee_can_be_left(int tid)
{
    struct user_regs r;
    return get_regs(tid, &r) < 0 || !arm_it((uint32_t)r.uregs[CPSR]);
}

int tracee_write_reg(int tid, unsigned reg, uint64_t value)
{
    struct user_regs r;
    int e = get_regs(tid, &r);
    if (e < 0)
        return e;
    r.uregs[reg] = (unsigned long)value;
    return set_regs(tid, &r);
}

int tracee_move_return(int tid, uint64_t distance)
{
    struct user_regs r;
    int e = get_regs(tid, &r);
    return e < 0 ? e : tracee_write_reg(tid, LR, r.uregs[LR] + distance);
}

int tracee_begin_call(int tid, const struct tracee_call *call, struct tracee_saved *before)
{
    struct user_regs r;
    int e = get_regs(tid, &r);
    if (e < 0)
        return e;
    memcpy(before->bytes, &r, sizeof r);
    for (unsigned i = 0; i < 6; i++)
        r.uregs[R0 + i] = (unsigned long)call->arg[i];
    r.uregs[R7] = (unsigned long)call->number;
    struct arm_state s = state_of(&r);
    set_pc(&s, call->pc);
    s.cpsr = arm_with_it(s.cpsr, 0);
    set_state(&r, &s);
    return set_regs(tid, &r);
}

int tracee_end_call(int tid, const struct tracee_saved *before, int64_t *result)
{
    struct user_regs r;
    int e = get_regs(tid, &r);
    if (e < 0)
        return e;
    *result = (int32_t)r.uregs[R0];
    memcpy(&r, before->bytes, sizeof r);
    return set_regs(tid, &r);
}

/* --- functions (AAPCS32) --- */

int breaks_arguments(const struct breaks_stop *s, uint64_t out[4])
{
    struct user_regs r;
    int e = get_regs(s->tid, &r);
    for (unsigned i = 0; e == 0 && i < 4; i++)
        out[i] = r.uregs[R0 + i];
    return e;
}

int breaks_return_address(const struct breaks_stop *s, uint64_t *address, uint64_t *sp)
{
    struct user_regs r;
    int e = get_regs(s->tid, &r);
    *address = e < 0 ? 0 : r.uregs[LR];
    *sp = e < 0 ? 0 : r.uregs[SP];
    return e;
}

int breaks_result(const struct breaks_stop *s, uint64_t *value, uint64_t *sp)
{
    struct user_regs r;
    int e = get_regs(s->tid, &r);
    *value = e < 0 ? 0 : r.uregs[R0];
    *sp = e < 0 ? 0 : r.uregs[SP];
    return e;
}
