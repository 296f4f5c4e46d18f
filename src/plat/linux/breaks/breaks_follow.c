/* Programs that others start: followed beside what comes at a handle, and left at the end. */
#include "breaks_parts.h"
#include "ptrace/tracee_status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <unistd.h>

enum { WAKE_US = 20000 };

/* --- waking up: by signals that end a wait for a stop --- */

static volatile sig_atomic_t woken;

static void set_timer(long us)
{
    setitimer(ITIMER_REAL, &(struct itimerval){{0, us}, {0, us}}, NULL);
}

/* It comes again and again, as the wait may just have begun. */
static void on_wake(int signal)
{
    woken = 1;
    if (signal == SIGIO)
        set_timer(WAKE_US);
}

static void prepare_waking(void)
{
    const struct sigaction to = {.sa_handler = on_wake};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGIO);
    sigaddset(&set, SIGALRM);
    sigaction(SIGIO, &to, NULL);
    sigaction(SIGALRM, &to, NULL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int breaks_follow(const struct breaks_callbacks *callbacks, struct breaks **out, struct fail *f)
{
    struct breaks *b = calloc(1, sizeof *b);
    if (!b)
        return fail_set(f, ENOMEM, "ptrace");
    b->callbacks = *callbacks;
    prepare_waking();
    *out = b;
    return 0;
}

int breaks_add(struct breaks *b, int pid, struct fail *f)
{
    if (ptrace(PTRACE_SEIZE, pid, NULL, (void *)breaks_options(false)) < 0)
        return ptrace_fail_denied(pid, errno, f);
    return broken_add_outside(b, pid) ? 0 : fail_set(f, ENOMEM, "ptrace");
}

static bool is_ready(int handle, int timeout_ms)
{
    struct pollfd on = {.fd = handle, .events = POLLIN};
    return poll(&on, 1, timeout_ms) > 0;
}

void breaks_attend(struct breaks *b, int handle)
{
    fcntl(handle, F_SETOWN, getpid());
    fcntl(handle, F_SETFL, fcntl(handle, F_GETFL) | O_ASYNC);
    woken = 1;
    for (;;) {
        bool asked = woken;
        woken = 0;
        if (asked && is_ready(handle, 0))
            break;
        if (!breaks_handle_next(b) && is_ready(handle, -1))
            break;
    }
    set_timer(0);
}

void breaks_leave(struct breaks *b)
{
    b->leaving = true;
    woken = 1;
    set_timer(WAKE_US);
    while (b->threads.count) {
        bool asked = woken;
        woken = 0;
        if (asked && !breaks_sweep(b))
            break;
        if (b->threads.count && !breaks_handle_next(b))
            break;
    }
    set_timer(0);
}

void breaks_outlast(struct breaks *b)
{
    while (b->threads.count && breaks_handle_next(b))
        ;
}
