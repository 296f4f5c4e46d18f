#include "ptrace/iotrace.h"

#include <errno.h>
#include <linux/audit.h>
#include <sys/ptrace.h>
#include <sys/user.h>

enum { USER32_CS = 0x23 };

const struct iotrace_arch iotrace_arch[] = {{IO_X86_64, AUDIT_ARCH_X86_64},
                                            {IO_I386, AUDIT_ARCH_I386}};
const size_t iotrace_arches = sizeof iotrace_arch / sizeof iotrace_arch[0];

int iotrace_regs_read(int tid, struct iotrace_regs *out)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, tid, NULL, &r) < 0)
        return -errno;
    if (r.cs == USER32_CS)
        *out = (struct iotrace_regs){IO_I386,
                                     (uint32_t)r.orig_rax,
                                     {(uint32_t)r.rbx, (uint32_t)r.rcx, (uint32_t)r.rdx,
                                      (uint32_t)r.rsi, (uint32_t)r.rdi, (uint32_t)r.rbp},
                                     (int32_t)r.rax};
    else
        *out = (struct iotrace_regs){
            IO_X86_64, r.orig_rax, {r.rdi, r.rsi, r.rdx, r.r10, r.r8, r.r9}, (int64_t)r.rax};
    return 0;
}
