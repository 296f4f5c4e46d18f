/* Taking hold of a process that runs: of all its threads, while they come and go. */
#include "breaks_parts.h"
#include "plat/apart.h"
#include "ptrace/tracee_status.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_MS = 3000 };

/* --- all threads --- */

struct seizing {
    struct breaks *b;
    int pid;
};

/* 0: it is ours, or has ended. */
static int seize_thread(void *arg, int tid)
{
    const struct seizing *s = arg;
    const long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
    if (ptrace(PTRACE_SEIZE, tid, NULL, (void *)options) < 0) {
        if (errno == ESRCH && tid != s->pid)
            return 0;
        if (errno != EPERM || ptrace_status(tid, "\nTracerPid:") != syscall(SYS_gettid))
            return -errno; /* else one that we hold has cloned it meanwhile */
    }
    return broken_add_outside(s->b, tid) ? 0 : -ENOMEM;
}

/* --- the first that stops --- */

/* 0: it has stopped as it was asked to; 1: not yet. */
static int look_at_first(struct breaks *b, int tid)
{
    int status;
    pid_t got = waitpid(tid, &status, __WALL | WNOHANG);
    if (got <= 0)
        return got == 0 || errno == EINTR ? 1 : -ESRCH;
    bool stop = WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_STOP;
    if (stop && WSTOPSIG(status) == SIGTRAP)
        return 0;
    breaks_on_wait_status(b, tid, status);
    return stop ? -EBUSY : WIFSTOPPED(status) ? 1 : -ESRCH;
}

static int stop_first(struct breaks *b, int tid)
{
    int r = 1;
    if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) < 0)
        return -errno;
    for (int ms = 0; r > 0 && ms < WAIT_MS; ms++) {
        r = look_at_first(b, tid);
        if (r > 0)
            crew_sleep_ms(1);
    }
    return r > 0 ? -ETIMEDOUT : r;
}

static bool is_of(int pid, const struct broken *x)
{
    return x->outside && ptrace_status(x->tid, "\nTgid:") == pid;
}

static struct broken *find_first(const struct breaks *b, int pid)
{
    for (size_t i = 0; i < b->threads.count; i++) {
        struct broken *x = threads_at(&b->threads, i);
        if (is_of(pid, x) && !broken_is_zombie(x->tid))
            return x;
    }
    return NULL;
}

/* --- the process --- */

static void join_image(struct breaks *b, struct broken *x, struct breaks_image *m)
{
    x->outside = false;
    broken_set_image(b, x, m);
}

static void join_others(struct breaks *b, struct breaks_image *m)
{
    for (size_t i = 0; i < b->threads.count; i++) {
        struct broken *x = threads_at(&b->threads, i);
        if (!is_of(m->pid, x))
            continue;
        join_image(b, x, m);
        x->starting = true;
        ptrace(PTRACE_INTERRUPT, x->tid, NULL, NULL);
    }
}

/* It is stopped; when that fails, it goes on. */
static int begin(struct breaks *b, struct broken *x, int pid)
{
    struct breaks_image *m = breaks_image_new(pid, NULL);
    if (!m)
        return -EACCES;
    m->attached = true;
    join_image(b, x, m);
    int r = breaks_set_trap(x);
    if (r < 0) {
        broken_set_image(b, x, NULL);
        x->outside = true;
        tracee_go(&x->tracee, PTRACE_CONT, 0);
        return r;
    }
    broken_open_trap(x, true);
    join_others(b, m);
    struct breaks_stop s = broken_stop(x, 0, 0);
    b->callbacks.started(b->callbacks.arg, &s, NULL);
    attached_go(b, x, 0);
    return 0;
}

static int fail_attach(int pid, int err, struct fail *f)
{
    if (err == EBUSY) {
        fail_set(f, 0, "process %d: it is stopped by a signal", pid);
        fail_hint(f, "kill -CONT %d", pid);
    } else if (err == ETIMEDOUT)
        fail_set(f, 0, "process %d: it does not stop: it is in a system call that does not end",
                 pid);
    else if (err == ENOTSUP)
        fail_set(f, 0, "process %d: no code that ends a signal handler (rt_sigreturn) is in it",
                 pid);
    else
        return ptrace_fail_denied(pid, err, f);
    return -err;
}

int breaks_attach(struct breaks *b, int pid, struct fail *f)
{
    if (!tracee_can_attach)
        return fail_set(f, ENOTSUP, "attaching: %s", tracee_why_not_attached);
    int r = threads_hold_all(&b->threads, pid, seize_thread, &(struct seizing){b, pid});
    struct broken *x = r == 0 ? find_first(b, pid) : NULL;
    if (r == 0)
        r = x ? stop_first(b, x->tid) : -ESRCH;
    if (r == 0)
        r = begin(b, x, pid);
    return r < 0 ? fail_attach(pid, -r, f) : 0;
}
