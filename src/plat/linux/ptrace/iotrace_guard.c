/* The process that was started waits; its child traces. */
#include "iotrace.h"
#include "process/signal_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const int forwarded_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { FORWARDED_SIGNALS = sizeof forwarded_signals / sizeof forwarded_signals[0] };

static volatile sig_atomic_t forward_pid; /* 0: ours, and it ends the watching */
static volatile sig_atomic_t interrupted;

/* A signal from the terminal has already reached its foreground group. Where it ends the watching
 * it comes again and again, as the wait may just have begun. */
static void forward_signal(int signal, siginfo_t *info, void *context)
{
    (void)context;
    int err = errno;
    if (forward_pid && info->si_code != SI_KERNEL)
        kill((pid_t)forward_pid, signal);
    if (!forward_pid) {
        interrupted = signal;
        setitimer(ITIMER_REAL, &(struct itimerval){{0, 20000}, {0, 20000}}, NULL);
    }
    errno = err;
}

static void handle_signals(int pid, int flags)
{
    struct sigaction to = {.sa_sigaction = forward_signal, .sa_flags = SA_SIGINFO | flags};
    forward_pid = pid;
    for (size_t i = 0; i < FORWARDED_SIGNALS; i++)
        if (!dispositions_was_ignored(forwarded_signals[i]))
            sigaction(forwarded_signals[i], &to, NULL);
    if (!pid)
        sigaction(SIGALRM, &to, NULL);
}

void iotrace_signals(const struct iotrace *t)
{
    handle_signals(t->command ? t->pid : 0, t->command ? SA_RESTART : 0);
}

bool iotrace_interrupted(void)
{
    return interrupted != 0;
}

static _Noreturn void wait_and_exit(int pid, int from)
{
    int status;
    unsigned char code;
    handle_signals(pid, SA_RESTART);
    if (read(from, &code, 1) == 1)
        _exit(code);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
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
    close(t->guard_fd);
    t->guard_fd = -1;
}
