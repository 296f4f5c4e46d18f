#include "signal_handle.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { MAX_PIPES = 8, MAX_SIGNAL = 64 };

/* The pipes, which exist only where there is no signalfd. */
static struct signal_pipe {
    int read_fd, write_fd;
    sigset_t set;
} pipes[MAX_PIPES];
static size_t pipe_count;
static pid_t owner; /* of the pipes */

static bool has_pipes(void)
{
    return pipe_count && owner == getpid();
}

/* --- the handler --- */

/* As a signalfd would say it. */
static void write_notice(int fd, const siginfo_t *info)
{
    struct signalfd_siginfo said = {.ssi_signo = (uint32_t)info->si_signo,
                                    .ssi_code = info->si_code};
    ssize_t full = write(fd, &said, sizeof said); /* then it is ready already */
    (void)full;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    int before = errno;
    if (owner == getpid())
        for (size_t i = 0; i < pipe_count; i++)
            if (sigismember(&pipes[i].set, signal) == 1)
                write_notice(pipes[i].write_fd, info);
    errno = before;
}

static void set_handlers(const sigset_t *set)
{
    struct sigaction a = {.sa_sigaction = on_signal,
                          .sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP};
    sigfillset(&a.sa_mask);
    for (int s = 1; s <= MAX_SIGNAL; s++)
        if (sigismember(set, s) == 1)
            sigaction(s, &a, NULL);
}

static void default_handlers(const sigset_t *set)
{
    for (int s = 1; s <= MAX_SIGNAL; s++)
        if (sigismember(set, s) == 1)
            signal(s, SIG_DFL);
}

/* --- pipes --- */

static int open_pipe(const sigset_t *set)
{
    int ends[2];
    if (owner != getpid())
        pipe_count = 0;
    if (pipe_count == MAX_PIPES)
        return -EMFILE;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
        return -errno;
    owner = getpid();
    pipes[pipe_count++] = (struct signal_pipe){ends[0], ends[1], *set};
    set_handlers(set);
    return ends[0];
}

static void remove_pipe(size_t i)
{
    default_handlers(&pipes[i].set);
    close(pipes[i].write_fd);
    pipes[i] = pipes[--pipe_count];
    for (size_t k = 0; k < pipe_count; k++) /* another may want the same signal */
        set_handlers(&pipes[k].set);
}

static sigset_t mask_while_waiting(void)
{
    sigset_t mask;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (size_t i = 0; i < pipe_count; i++)
        for (int s = 1; s <= MAX_SIGNAL; s++)
            if (sigismember(&pipes[i].set, s) == 1)
                sigdelset(&mask, s);
    return mask;
}

/* Pending signals reach the pipes. */
static void take_pending(const sigset_t *waiting)
{
    sigset_t before;
    sigprocmask(SIG_SETMASK, waiting, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ppoll does not look at signals while anything else is ready, so they are taken first. */
int signal_handles_poll(struct pollfd *set, nfds_t n, int timeout_ms)
{
    if (!has_pipes())
        return poll(set, n, timeout_ms);
    const struct timespec end = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    const sigset_t waiting = mask_while_waiting();
    take_pending(&waiting);
    int ready = ppoll(set, n, timeout_ms < 0 ? NULL : &end, &waiting);
    return ready < 0 && errno == EINTR ? poll(set, n, 0) : ready;
}

/* --- handles --- */

int signal_handle_open(const sigset_t *set)
{
    sigprocmask(SIG_BLOCK, set, NULL);
    int fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd >= 0)
        return fd;
    return errno == ENOSYS ? open_pipe(set) : -errno;
}

bool signal_handle_read(int handle, struct signal_notice *out)
{
    struct signalfd_siginfo info;
    if (has_pipes()) {
        const sigset_t waiting = mask_while_waiting();
        take_pending(&waiting);
    }
    if (handle < 0 || read(handle, &info, sizeof info) != sizeof info)
        return false;
    *out = (struct signal_notice){(int)info.ssi_signo, info.ssi_code == SI_KERNEL};
    return true;
}

void signal_handle_close(int handle)
{
    if (handle < 0)
        return;
    close(handle);
    for (size_t i = 0; has_pipes() && i < pipe_count; i++)
        if (pipes[i].read_fd == handle) {
            remove_pipe(i);
            return;
        }
}

void signal_raise_default(int signal)
{
    struct sigaction before;
    sigset_t set, mask;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigaction(signal, NULL, &before);
    bool handled = before.sa_flags & SA_SIGINFO && before.sa_sigaction == on_signal;
    if (handled)
        sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &set, &mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (handled)
        sigaction(signal, &before, NULL);
}
