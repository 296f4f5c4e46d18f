#include "forward.h"

#include "process/signal_state.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static const int forwarded_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { FORWARDED_SIGNALS = sizeof forwarded_signals / sizeof forwarded_signals[0] };

static volatile sig_atomic_t forward_pid; /* 0: ours, and it ends the watching */
static volatile sig_atomic_t interrupted;

/* A signal from the terminal has already reached its foreground group. Where it ends the watching
 * it comes again and again, as the wait may just have begun. */
static void forward_signal(int signal, siginfo_t *info, void *context)
{
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

void forward_signals(int pid)
{
    handle_signals(pid, SA_RESTART);
}

void forward_none(void)
{
    handle_signals(0, 0);
}

bool forward_was_interrupted(void)
{
    return interrupted != 0;
}
