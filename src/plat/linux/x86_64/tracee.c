#include "ptrace/tracee_registers.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/user.h>

enum { USER32_CS = 0x23 };

/* Those that functions hand on or keep, the stack pointer and the pc. */
uint64_t tracee_user_values(const tracee_user *r, uint64_t value[TRACEE_REGISTERS])
{
    const struct {
        unsigned number;
        uint64_t value;
    } all[] = {
        {PERF_REG_X86_AX, r->rax},  {PERF_REG_X86_BX, r->rbx},  {PERF_REG_X86_CX, r->rcx},
        {PERF_REG_X86_DX, r->rdx},  {PERF_REG_X86_SI, r->rsi},  {PERF_REG_X86_DI, r->rdi},
        {PERF_REG_X86_BP, r->rbp},  {PERF_REG_X86_SP, r->rsp},  {PERF_REG_X86_IP, r->rip},
        {PERF_REG_X86_R8, r->r8},   {PERF_REG_X86_R9, r->r9},   {PERF_REG_X86_R10, r->r10},
        {PERF_REG_X86_R11, r->r11}, {PERF_REG_X86_R12, r->r12}, {PERF_REG_X86_R13, r->r13},
        {PERF_REG_X86_R14, r->r14}, {PERF_REG_X86_R15, r->r15},
    };
    uint64_t given = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        value[all[i].number] = all[i].value;
        given |= UINT64_C(1) << all[i].number;
    }
    return given;
}

int tracee_user_read(int tid, tracee_user *out)
{
    return ptrace(PTRACE_GETREGS, tid, NULL, out) < 0 ? -errno : 0;
}

int tracee_user_write(int tid, const tracee_user *r)
{
    return ptrace(PTRACE_SETREGS, tid, NULL, r) < 0 ? -errno : 0;
}

/* orig_rax is -1 when it came into the kernel by an interrupt. */
int tracee_regs_read(int tid, struct tracee_regs *out)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, tid, NULL, &r) < 0)
        return -errno;
    bool narrow = r.cs == USER32_CS;
    long call = (long)r.orig_rax;
    *out = (struct tracee_regs){
        .pc = r.rip,
        .sp = r.rsp,
        .fp = r.rbp,
        .narrow = narrow,
        .in_call = narrow ? (int32_t)call >= 0 : call >= 0,
        .call = narrow ? -1 : call,
        .result = narrow ? (int32_t)r.rax : (int64_t)r.rax,
        .arg = {r.rdi, r.rsi, r.rdx},
    };
    if (!narrow)
        out->given = tracee_user_values(&r, out->reg);
    return 0;
}

int tracee_first_argument(int tid, const struct tracee_regs *r, uint64_t *out)
{
    *out = r->arg[0];
    return 0;
}

const bool tracee_kernel_restarts = true;

void tracee_user_set_call(tracee_user *r, uint64_t first, const uint64_t arg[3], int direction)
{
    r->rax = first;
    r->rdi = arg[0];
    r->rsi = arg[1];
    r->rdx = arg[2];
}

bool tracee_caller_frame(struct tracee_memory *m, bool narrow, uint64_t *fp, uint64_t *pc)
{
    size_t word = narrow ? 4 : 8;
    uint64_t next;
    if (*fp % word || !tracee_read_word(m, *fp, word, &next) ||
        !tracee_read_word(m, *fp + word, word, pc) || !*pc)
        return false;
    bool up = next > *fp;
    *fp = up ? next : 0;
    return true;
}
