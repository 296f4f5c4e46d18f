#include "parts.h"

#include "core/doctor/facts.h"
#include "fs/kernel_device.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void probe_result(struct facts *out, const char *key, int result)
{
    if (result < 0)
        facts_fail(out, key, result);
    else
        facts_add(out, key, "", 0);
}

/* A child that waits to be killed, and does not outlive us. */
static pid_t idle_child(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    return pid;
}

static int try_ptrace(void)
{
    pid_t pid = idle_child();
    if (pid < 0)
        return -errno;
    int r = ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0 ? -errno : 0;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return r;
}

static int try_userns(void)
{
    int status;
    pid_t pid = fork();
    if (pid == 0)
        _exit(unshare(CLONE_NEWUSER) < 0 ? errno : 0);
    if (pid < 0)
        return -errno;
    TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
    return WIFEXITED(status) ? -WEXITSTATUS(status) : -EPERM;
}

static int try_seccomp(void)
{
    unsigned action = SECCOMP_RET_TRACE;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) < 0 ? -errno : 0;
}

static void try_fuse(struct facts *out)
{
    bool private;
    SCOPED_FD fd = kernel_device_open("fuse", O_RDWR, &private);
    if (fd < 0) {
        facts_fail(out, "fuse", fd);
        return;
    }
    facts_addf(out, "fuse", "%s", private ? "private" : "");
}

static int try_socket(int family)
{
    SCOPED_FD fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd < 0 ? -errno : 0;
}

void probe_attempts(struct facts *out)
{
    probe_result(out, "unix", try_socket(AF_UNIX));
    probe_result(out, "inet", try_socket(AF_INET));
    probe_result(out, "ptrace", try_ptrace());
    probe_result(out, "userns", try_userns());
    probe_result(out, "seccomp", try_seccomp());
    try_fuse(out);
}
