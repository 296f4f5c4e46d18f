#include "ptrace/tracee_registers.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/user.h>

enum { R0 = 0, R7 = 7, R11 = 11, SP = 13, PC = 15, CPSR = 16, ORIG_R0 = 17 };
#define THUMB_BIT 0x20u
#define SVC       0xef000000u
#define THUMB_SVC 0xdf00u

static unsigned long instruction_bytes(const struct user_regs *r)
{
    return r->uregs[CPSR] & THUMB_BIT ? 2 : 4;
}

/* Whether there was a call, the instruction tells: one that is to be restarted has the program
 * counter set back to it already. */
static bool is_svc(struct tracee_memory *m, const struct user_regs *r, unsigned long at)
{
    uint64_t instruction;
    size_t bytes = instruction_bytes(r);
    return tracee_read_word(m, at, bytes, &instruction) &&
           instruction == (bytes == 2 ? THUMB_SVC : SVC);
}

uint64_t tracee_user_values(const tracee_user *r, uint64_t value[TRACEE_REGISTERS])
{
    for (unsigned i = 0; i < PERF_REG_ARM_MAX; i++)
        value[i] = r->uregs[i];
    return (UINT64_C(1) << PERF_REG_ARM_MAX) - 1;
}

int tracee_user_read(int tid, tracee_user *out)
{
    return ptrace(PTRACE_GETREGS, tid, NULL, out) < 0 ? -errno : 0;
}

int tracee_user_write(int tid, const tracee_user *r)
{
    return ptrace(PTRACE_SETREGS, tid, NULL, r) < 0 ? -errno : 0;
}

int tracee_regs_read(int tid, struct tracee_regs *out)
{
    struct user_regs r;
    if (ptrace(PTRACE_GETREGS, tid, NULL, &r) < 0)
        return -errno;
    struct tracee_memory m = {.tid = tid};
    bool thumb = r.uregs[CPSR] & THUMB_BIT;
    bool returned = is_svc(&m, &r, r.uregs[PC] - instruction_bytes(&r));
    *out = (struct tracee_regs){
        .pc = r.uregs[PC],
        .sp = r.uregs[SP],
        .fp = r.uregs[thumb ? R7 : R11],
        .narrow = true,
        .in_call = returned || is_svc(&m, &r, r.uregs[PC]),
        .call = (long)r.uregs[R7],
        .result = returned ? (int32_t)r.uregs[R0] : 0,
        .arg = {r.uregs[ORIG_R0], r.uregs[1], r.uregs[2]},
    };
    out->given = tracee_user_values(&r, out->reg);
    return 0;
}

int tracee_first_argument(int tid, const struct tracee_regs *r, uint64_t *out)
{
    *out = r->arg[0];
    return 0;
}

const bool tracee_kernel_restarts = false;

void tracee_user_set_call(tracee_user *r, uint64_t first, const uint64_t arg[3], int direction)
{
    r->uregs[R0] = (unsigned long)first;
    r->uregs[R0 + 1] = (unsigned long)arg[1];
    r->uregs[R0 + 2] = (unsigned long)arg[2];
    r->uregs[PC] += (unsigned long)direction * instruction_bytes(r);
}

/* Compilers disagree where a frame keeps its caller's: {fp, lr} at fp (clang), below it as fp, lr
 * at fp - 4 (gcc), or the old standard's fp, sp, lr, pc at fp - 12. The caller's frame lies above,
 * and not far. */
enum { FAR = 1 << 20 };

static bool is_frame(struct tracee_memory *m, uint64_t fp, int next_at, int pc_at, uint64_t *next,
                     uint64_t *pc)
{
    return tracee_read_word(m, fp + (uint64_t)(int64_t)next_at, 4, next) && *next > fp &&
           *next - fp < FAR && tracee_read_word(m, fp + (uint64_t)(int64_t)pc_at, 4, pc) && *pc;
}

bool tracee_caller_frame(struct tracee_memory *m, bool narrow, uint64_t *fp, uint64_t *pc)
{
    uint64_t next;
    if (*fp % 4 || *fp < 16)
        return false;
    if (!is_frame(m, *fp, 0, 4, &next, pc) && !is_frame(m, *fp, -4, 0, &next, pc) &&
        !is_frame(m, *fp, -12, -4, &next, pc))
        return false;
    *fp = next;
    *pc &= ~(uint64_t)1;
    return true;
}
