#include "ptrace/iotrace.h"

#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

const struct iotrace_arch iotrace_arch[] = {{IO_ARM64, AUDIT_ARCH_AARCH64},
                                            {IO_ARM, AUDIT_ARCH_ARM}};
const size_t iotrace_arches = sizeof iotrace_arch / sizeof iotrace_arch[0];

/* x0 to x30, sp, pc, pstate; of a 32-bit program r0 to r15, cpsr, and r0 as the call had it. */
int iotrace_regs_read(int tid, struct iotrace_regs *out)
{
    union {
        uint64_t x[34];
        uint32_t r[18];
    } regs;
    struct iovec into = {&regs, sizeof regs};
    if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &into) < 0)
        return -errno;
    if (into.iov_len == sizeof regs.r) {
        const uint32_t *r = regs.r;
        *out = (struct iotrace_regs){
            IO_ARM, r[7], {r[17], r[1], r[2], r[3], r[4], r[5]}, (int32_t)r[0]};
    } else {
        *out = (struct iotrace_regs){.arch = IO_ARM64, .number = regs.x[8]};
        memcpy(out->arg, regs.x, sizeof out->arg);
        out->result = (int64_t)regs.x[0];
    }
    return 0;
}
