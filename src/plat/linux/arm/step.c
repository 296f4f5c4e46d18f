/* This processor does not execute single steps: nothing has a breakpoint here. */
#include "ptrace/tracee_step.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

enum { R0 = 0, R7 = 7, SP = 13, LR = 14, PC = 15 };

const bool tracee_can_step = false;
const struct tracee_code tracee_breakpoint = {{0xf0, 0x01, 0xf0, 0xe7}, 4};  /* UDF #16 */
const struct tracee_code tracee_system_call = {{0x00, 0x00, 0x00, 0xef}, 4}; /* SVC #0 */
const unsigned tracee_breakpoint_moves_pc = 0;
const int tracee_breakpoint_code = TRAP_BRKPT;

bool tracee_displace(const uint8_t *code, size_t len, uint64_t from, uint64_t to,
                     struct displaced *out)
{
    (void)code;
    (void)len;
    (void)from;
    (void)to;
    (void)out;
    return false;
}

static int get_regs(int tid, struct user_regs *r)
{
    return ptrace(PTRACE_GETREGS, tid, NULL, r) < 0 ? -errno : 0;
}

static int set_regs(int tid, struct user_regs *r)
{
    return ptrace(PTRACE_SETREGS, tid, NULL, r) < 0 ? -errno : 0;
}

int tracee_read_pc(int tid, uint64_t *pc)
{
    struct user_regs r;
    int e = get_regs(tid, &r);
    *pc = e < 0 ? 0 : r.uregs[PC];
    return e;
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

int tracee_write_pc(int tid, uint64_t pc)
{
    return tracee_write_reg(tid, PC, pc);
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
    r.uregs[PC] = (unsigned long)call->pc;
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
