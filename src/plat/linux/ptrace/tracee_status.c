#include "tracee_status.h"

#include "core/base/buf.h"
#include "plat/proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *status_line(int pid, const char *key, struct buf *text)
{
    if (proc_text(pid, "status", text, NULL) < 0)
        return NULL;
    const char *at = strstr(buf_str(text), key);
    return at ? at + strlen(key) : NULL;
}

long ptrace_status(int pid, const char *key)
{
    SCOPED_BUF text = BUF_INIT;
    const char *at = status_line(pid, key, &text);
    return at ? strtol(at, NULL, 10) : -1;
}

/* --- sets of signals --- */

static unsigned long long read_signal_set(int pid, const char *key)
{
    SCOPED_BUF text = BUF_INIT;
    const char *at = status_line(pid, key, &text);
    unsigned long long v = at ? strtoull(at, NULL, 16) : 0;
    return v;
}

bool tracee_has_handler(int tid, int signal)
{
    return read_signal_set(tid, "\nSigCgt:") >> (signal - 1) & 1;
}

bool tracee_has_pending_signal(int tid)
{
    return (read_signal_set(tid, "\nSigPnd:") | read_signal_set(tid, "\nShdPnd:")) &
           ~read_signal_set(tid, "\nSigBlk:");
}

/* --- what threads have in common --- */

bool tracee_is_thread_of(int pid, int tid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d", pid, tid);
    return access(path, F_OK) == 0;
}

bool tracee_shares(int parent, int child, int what)
{
    long r = syscall(SYS_kcmp, parent, child, what, 0, 0);
    return r >= 0 ? r == 0 : tracee_is_thread_of(parent, child);
}
