/* Why a process may not be traced, and what to do about it. */
#include "core/base/buf.h"
#include "plat/file.h"
#include "plat/proc.h"
#include "tracee_status.h"

#include "process/capability.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <unistd.h>

static long yama_scope(void)
{
    SCOPED_BUF text = BUF_INIT;
    file_read("/proc/sys/kernel/yama/ptrace_scope", 64, &text, NULL);
    return strtol(buf_str(&text), NULL, 10); /* 0 without Yama */
}

static void add_hint(int pid, struct fail *f)
{
    long tracer = ptrace_status(pid, "\nTracerPid:"), scope = yama_scope();
    long uid = ptrace_status(pid, "\nUid:");
    if (tracer > 0)
        fail_hint(
            f,
            "process %ld already traces it (a debugger, strace?): a process has at most one tracer",
            tracer);
    else if (pid == getpid())
        fail_hint(f, "a process cannot trace itself");
    else if (scope == 3)
        fail_hint(f, "kernel.yama.ptrace_scope is 3: no tracing until the next boot");
    else if (uid >= 0 && geteuid() != 0 && uid != (long)geteuid())
        fail_hint(f, "it belongs to user %ld: run as that user or as root", uid);
    else if (scope > 0 && geteuid() != 0)
        fail_hint(f, "kernel.yama.ptrace_scope is %ld: set it to 0, run as root%s", scope,
                  scope == 1 ? ", or start the command with -x" : "");
    else if (geteuid() != 0)
        fail_hint(f, "it has privileges or is not dumpable: run as root");
    else if (!capability_is_ours(CAP_SYS_PTRACE))
        fail_hint(f, "CAP_SYS_PTRACE is missing here (a container?)");
    else
        fail_hint(f, "a kernel thread, or a security module or namespace forbids it");
}

int ptrace_fail_denied(int pid, int err, struct fail *f)
{
    if (err == ENOENT && proc_check(f) < 0)
        return -err;
    fail_set(f, err, "tracing process %d", pid);
    if (err == EPERM || err == EACCES)
        add_hint(pid, f);
    else if (err == E2BIG)
        fail_hint(f, "it has more than 8192 threads");
    else if (err == ENOSYS)
        fail_hint(f, "this kernel was built without ptrace");
    return -err;
}
