#include "tracee_cpu.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

enum { USER32_CS = 0x23, RESTART_NO_HANDLER = -514 };

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
        .first_known = true,
        .call = narrow ? -1 : call,
        .result = narrow ? (int32_t)r.rax : (int64_t)r.rax,
        .arg = {r.rdi, r.rsi, r.rdx, r.r10, r.r8, r.r9},
    };
    return 0;
}

const bool tracee_kernel_decides = true;

/* The kernel looks at the result behind the stop: this one asks for a restart unless a handler is
 * to run. */
int tracee_call_again(int tid, uint64_t first_arg)
{
    (void)first_arg;
    return ptrace(PTRACE_POKEUSER, tid, offsetof(struct user, regs.rax),
                  (void *)(long)RESTART_NO_HANDLER) < 0
               ? -errno
               : 0;
}

int tracee_call_interrupt(int tid)
{
    (void)tid;
    return 0;
}

bool tracee_caller(struct tracee_memory *m, bool narrow, uint64_t *fp, uint64_t *pc)
{
    size_t word = narrow ? 4 : 8;
    uint64_t next;
    if (*fp % word || !tracee_word(m, *fp, word, &next) || !tracee_word(m, *fp + word, word, pc) ||
        !*pc)
        return false;
    bool up = next > *fp;
    *fp = up ? next : 0;
    return true;
}
