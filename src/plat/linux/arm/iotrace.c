#include "ptrace/iotrace.h"

#include <errno.h>
#include <linux/audit.h>
#include <sys/ptrace.h>
#include <sys/user.h>

const struct iotrace_arch iotrace_arch[] = {{IO_ARM, AUDIT_ARCH_ARM}};
const size_t iotrace_arches = sizeof iotrace_arch / sizeof iotrace_arch[0];

int iotrace_regs_read(int tid, struct iotrace_regs *out)
{
    struct user_regs regs;
    if (ptrace(PTRACE_GETREGS, tid, NULL, &regs) < 0)
        return -errno;
    const unsigned long *r = regs.uregs;
    *out =
        (struct iotrace_regs){IO_ARM, r[7], {r[17], r[1], r[2], r[3], r[4], r[5]}, (int32_t)r[0]};
    return 0;
}
