/* The process that was started waits; its child traces. */
#include "forward.h"
#include "iotrace.h"
#include "process/descriptors.h"
#include "process/signal_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

void iotrace_signals(const struct iotrace *t)
{
    if (t->command)
        forward_signals(t->pid);
    else
        forward_none();
}

static _Noreturn void wait_and_exit(int pid, int from)
{
    int status;
    unsigned char code;
    forward_signals(pid);
    if (read(from, &code, 1) == 1)
        _exit(code);
    if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0)
        _exit(1);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

int iotrace_guard(struct iotrace *t, struct fail *f)
{
    int word[2];
    dispositions_save();
    dispositions_default_sigchld();
    if (pipe2(word, O_CLOEXEC) < 0)
        return fail_set(f, errno, "pipe");
    t->guard_pid = getpid();
    int pid = fork();
    if (pid > 0) {
        close(word[1]);
        wait_and_exit(pid, word[0]);
    }
    int err = errno;
    close(word[0]);
    if (pid == 0) {
        t->guard_fd = word[1];
        return 0;
    }
    close(word[1]);
    return fail_set(f, err, "fork");
}

void iotrace_guard_dismiss(struct iotrace *t, int status)
{
    unsigned char code = (unsigned char)status;
    if (t->guard_fd < 0)
        return;
    ssize_t ignored = write(t->guard_fd, &code, 1);
    (void)ignored;
    descriptor_close(&t->guard_fd);
}
