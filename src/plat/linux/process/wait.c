#include "plat/wait.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "signal_handle.h"
#include "signal_state.h"

#include <poll.h>
#include <signal.h>

enum { MAX_HANDLES = 1024 };

/* The time until the nearest until_ns, timeout_ms at most. */
static int shorten_wait(const struct wait_on *set, size_t n, int timeout_ms)
{
    for (size_t i = 0; i < n; i++)
        if (set[i].until_ns)
            timeout_ms = wait_min_ms(timeout_ms, ms_until(clock_mono_ns(), set[i].until_ns));
    return timeout_ms;
}

static bool has_come(uint64_t until_ns)
{
    return until_ns && clock_mono_ns() >= until_ns;
}

int wait_ready(struct wait_on *set, size_t n, int timeout_ms)
{
    struct pollfd p[MAX_HANDLES];
    int ready = 0;
    if (n > MAX_HANDLES)
        n = MAX_HANDLES;
    for (size_t i = 0; i < n; i++)
        p[i] = (struct pollfd){.fd = set[i].handle, .events = set[i].for_write ? POLLOUT : POLLIN};
    bool any = signal_handles_poll(p, (nfds_t)n, shorten_wait(set, n, timeout_ms)) > 0;
    for (size_t i = 0; i < n; i++) {
        set[i].ready = (any && p[i].revents != 0) || has_come(set[i].until_ns);
        set[i].gone = any && (p[i].revents & (POLLHUP | POLLERR | POLLNVAL));
        ready += set[i].ready;
    }
    return ready;
}

static int interrupt_fd = -1, status_request_fd = -1;

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
    return interrupt_fd = signal_handle_open(&set);
}

int interrupt_read(bool *typed)
{
    struct signal_notice notice;
    if (!signal_handle_read(interrupt_fd, &notice))
        return 0;
    if (typed)
        *typed = notice.typed;
    return notice.signal;
}

int status_signal_open(void)
{
    sigset_t set;
    dispositions_save();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return status_request_fd < 0 ? status_request_fd = signal_handle_open(&set) : status_request_fd;
}

bool status_signal_read(void)
{
    struct signal_notice notice;
    return signal_handle_read(status_request_fd, &notice);
}
