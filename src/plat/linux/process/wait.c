#include "plat/wait.h"

#include "signal_state.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { MOST = 1024 };

int wait_ready(struct wait_on *set, size_t n, int timeout_ms)
{
    struct pollfd p[MOST];
    if (n > MOST)
        n = MOST;
    for (size_t i = 0; i < n; i++)
        p[i] = (struct pollfd){.fd = set[i].handle, .events = set[i].writes ? POLLOUT : POLLIN};
    int ready = poll(p, (nfds_t)n, timeout_ms);
    for (size_t i = 0; i < n; i++) {
        set[i].ready = ready > 0 && p[i].revents != 0;
        set[i].gone = ready > 0 && (p[i].revents & (POLLHUP | POLLERR | POLLNVAL));
    }
    return ready < 0 ? 0 : ready;
}

static int interrupt_fd = -1, asked_fd = -1;

static int signal_handle(const sigset_t *set)
{
    sigprocmask(SIG_BLOCK, set, NULL);
    return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void interrupts(sigset_t *set)
{
    const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (!dispositions_ignored(ends[i])) /* blocked, it would be queued all the same */
            sigaddset(set, ends[i]);
}

int interrupt_open(void)
{
    if (interrupt_fd >= 0)
        return interrupt_fd;
    sigset_t set;
    dispositions_save();
    interrupts(&set);
    return interrupt_fd = signal_handle(&set);
}

int interrupt_take(bool *typed)
{
    struct signalfd_siginfo info;
    if (interrupt_fd < 0 || read(interrupt_fd, &info, sizeof info) != sizeof info)
        return 0;
    if (typed)
        *typed = info.ssi_code == SI_KERNEL;
    return (int)info.ssi_signo;
}

int asked_open(void)
{
    sigset_t set;
    dispositions_save();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return asked_fd < 0 ? asked_fd = signal_handle(&set) : asked_fd;
}

bool asked_take(void)
{
    struct signalfd_siginfo info;
    return asked_fd >= 0 && read(asked_fd, &info, sizeof info) == sizeof info;
}
