#include "ptrace/tracee_registers.h"

#include "process/descriptors.h"
#include "process/proc_open.h"

#include <asm/perf_regs.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

enum { X0 = 0, X8 = 8, X29 = 29 };
#define SVC 0xd4000001u
#define ADDRESS_BITS                                                                               \
    0xffffffffffffu /* above them is a return address's authentication code                        \
                     */

static int get_regs(int tid, struct user_regs_struct *r, size_t *len)
{
    struct iovec v = {r, sizeof *r};
    if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &v) < 0)
        return -errno;
    *len = v.iov_len;
    return 0;
}

/* The kernel forgets before the stop whether there was a call: the instruction tells. A call that
 * is to be restarted has the program counter set back to it already. */
static bool is_svc(struct tracee_memory *m, uint64_t at)
{
    uint64_t instruction;
    return tracee_read_word(m, at, 4, &instruction) && instruction == SVC;
}

/* A program of 32-bit ARM: r0-r15, cpsr. Its calls are of another table. */
static void read_narrow(const uint32_t *r, struct tracee_regs *out)
{
    bool thumb = r[16] & 0x20;
    *out = (struct tracee_regs){
        .pc = r[15], .sp = r[13], .fp = thumb ? r[7] : r[11], .narrow = true, .call = -1};
}

uint64_t tracee_user_values(const tracee_user *r, uint64_t value[TRACEE_REGISTERS])
{
    memcpy(value, r->regs, sizeof r->regs);
    value[PERF_REG_ARM64_SP] = r->sp;
    value[PERF_REG_ARM64_PC] = r->pc;
    return (UINT64_C(1) << PERF_REG_ARM64_MAX) - 1;
}

int tracee_user_read(int tid, tracee_user *out)
{
    size_t len = 0;
    int r = get_regs(tid, out, &len);
    return r < 0 ? r : len < sizeof *out ? -ENOTSUP : 0;
}

int tracee_user_write(int tid, const tracee_user *r)
{
    struct iovec v = {(void *)r, sizeof *r};
    return ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &v) < 0 ? -errno : 0;
}

int tracee_regs_read(int tid, struct tracee_regs *out)
{
    struct user_regs_struct r;
    size_t len;
    int e = get_regs(tid, &r, &len);
    if (e < 0)
        return e;
    if (len < sizeof r) {
        uint32_t narrow[18];
        memcpy(narrow, &r, sizeof narrow);
        read_narrow(narrow, out);
        return 0;
    }
    struct tracee_memory m = {.tid = tid};
    bool returned = is_svc(&m, r.pc - 4);
    *out = (struct tracee_regs){
        .pc = r.pc,
        .sp = r.sp,
        .fp = r.regs[X29],
        .in_call = returned || is_svc(&m, r.pc),
        .call = (long)r.regs[X8],
        .result = returned ? (int64_t)r.regs[X0] : 0,
    };
    memcpy(out->arg, r.regs, sizeof out->arg);
    out->given = tracee_user_values(&r, out->reg);
    return 0;
}

static int set_call(int tid, int call)
{
    struct iovec v = {&call, sizeof call};
    return ptrace(PTRACE_SETREGSET, tid, (void *)NT_ARM_SYSTEM_CALL, &v) < 0 ? -errno : 0;
}

/* The result has overwritten it, and no register set has it; but the kernel remembers it, and tells
 * it of a thread that is in a call: this one is for the moment. */
int tracee_first_argument(int tid, const struct tracee_regs *r, uint64_t *out)
{
    char text[256];
    int e = set_call(tid, (int)r->call);
    SCOPED_FD fd = e < 0 ? e : proc_open(tid, "syscall");
    descriptor_text(fd, text, sizeof text);
    set_call(tid, -1);
    unsigned long long first;
    long call;
    if (sscanf(text, "%ld %llx", &call, &first) != 2 || call != r->call)
        return -ENOSYS;
    *out = first;
    return 0;
}

const bool tracee_kernel_restarts = false;

void tracee_user_set_call(tracee_user *r, uint64_t first, const uint64_t arg[3], int direction)
{
    r->regs[X0] = first;
    r->regs[X0 + 1] = arg[1];
    r->regs[X0 + 2] = arg[2];
    r->pc += (uint64_t)(int64_t)(4 * direction);
}

bool tracee_caller_frame(struct tracee_memory *m, bool narrow, uint64_t *fp, uint64_t *pc)
{
    uint64_t next;
    if (narrow || *fp % 8 || !tracee_read_word(m, *fp, 8, &next) ||
        !tracee_read_word(m, *fp + 8, 8, pc))
        return false;
    *pc &= ADDRESS_BITS;
    *fp = next > *fp ? next : 0;
    return *pc != 0;
}
