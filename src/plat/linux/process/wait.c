#include "plat/wait.h"

#include "signal_state.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { MAX_HANDLES = 1024 };

int wait_ready(struct wait_on *set, size_t n, int timeout_ms)
{
    struct pollfd p[MAX_HANDLES];
    if (n > MAX_HANDLES)
        n = MAX_HANDLES;
    for (size_t i = 0; i < n; i++)
        p[i] = (struct pollfd){.fd = set[i].handle, .events = set[i].for_write ? POLLOUT : POLLIN};
    int ready = poll(p, (nfds_t)n, timeout_ms);
    for (size_t i = 0; i < n; i++) {
        set[i].ready = ready > 0 && p[i].revents != 0;
        set[i].gone = ready > 0 && (p[i].revents & (POLLHUP | POLLERR | POLLNVAL));
    }
    return ready < 0 ? 0 : ready;
}

static int interrupt_fd = -1, status_request_fd = -1;

static int signal_handle(const sigset_t *set)
{
    sigprocmask(SIG_BLOCK, set, NULL);
    return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void interrupt_signals(sigset_t *set)
{
    const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (!dispositions_was_ignored(ends[i])) /* blocked, it would be queued all the same */
            sigaddset(set, ends[i]);
}

int interrupt_open(void)
{
    if (interrupt_fd >= 0)
        return interrupt_fd;
    sigset_t set;
    dispositions_save();
    interrupt_signals(&set);
    return interrupt_fd = signal_handle(&set);
}

int interrupt_read(bool *typed)
{
    struct signalfd_siginfo info;
    if (interrupt_fd < 0 || read(interrupt_fd, &info, sizeof info) != sizeof info)
        return 0;
    if (typed)
        *typed = info.ssi_code == SI_KERNEL;
    return (int)info.ssi_signo;
}

int status_signal_open(void)
{
    sigset_t set;
    dispositions_save();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return status_request_fd < 0 ? status_request_fd = signal_handle(&set) : status_request_fd;
}

bool status_signal_read(void)
{
    struct signalfd_siginfo info;
    return status_request_fd >= 0 && read(status_request_fd, &info, sizeof info) == sizeof info;
}
