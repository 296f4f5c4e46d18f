/* What a stop of a traced thread means, and how it goes on (ptrace(2), PTRACE_SEIZE). */
#include "iotrace.h"
#include "plat/clock.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

enum { CALL_PASSED = SIGTRAP | 0x80 }; /* PTRACE_O_TRACESYSGOOD */

long iotrace_options(const struct iotrace *t)
{
    long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                   PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
    if (t->command && !t->all) /* behind a filter nobody lives without a tracer */
        options |= PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
    return options;
}

static void go_on(struct iotrace *t, struct traced *x, int signal)
{
    bool stops = t->all || x->in_call;
    traced_place(t, x);
    ptrace(stops ? PTRACE_SYSCALL : PTRACE_CONT, x->tid, NULL, (void *)(long)signal);
}

/* --- births: told by the parent's stop and by the newborn's own, in either order --- */

static void born(struct iotrace *t, const struct traced *parent)
{
    unsigned long message = 0;
    if (ptrace(PTRACE_GETEVENTMSG, parent->tid, NULL, &message) < 0 || !message)
        return;
    int tid = (int)message;
    struct traced *x = traced_find(t, tid);
    if (!x)
        x = traced_add(t, tid);
    if (!x || x->known)
        return;
    x->known = true;
    traced_child_place(parent, x);
    if (!t->quiet)
        x->of = t->take.born(t->take.arg, parent->of, traced_share_files(parent->tid, tid));
    if (x->stands)
        go_on(t, x, 0);
    x->stands = false;
}

/* --- exec: the thread has its process's id now, and the others are gone --- */

static void take_over(struct iotrace *t, struct traced *x)
{
    unsigned long former = 0;
    if (ptrace(PTRACE_GETEVENTMSG, x->tid, NULL, &former) < 0 || (int)former == x->tid)
        return;
    struct traced *was = traced_find(t, (int)former);
    if (!was)
        return;
    void *of = was->of;
    was->of = x->of;
    x->of = of;
    traced_remove(t, was);
}

static void executed(struct iotrace *t, struct traced *x)
{
    take_over(t, x);
    x->in_call = false;
    x->entered = t->all; /* the end of execve is to come */
    if (x->tid == t->pid && !t->started) {
        t->started = true;
        t->start_ns = clock_mono_ns();
    }
    if (!t->quiet)
        t->take.executed(t->take.arg, &x->of, x->tid);
}

/* --- stops --- */

/* A newborn's first, SIGCONT's, our asking's; or the group's, by a signal. */
static void trapped(struct iotrace *t, struct traced *x, int signal)
{
    if (!t->command)
        traced_woken(x);
    if (signal == SIGTRAP)
        go_on(t, x, 0);
    else
        ptrace(PTRACE_LISTEN, x->tid, NULL, NULL);
}

static void call_passed(struct iotrace *t, struct traced *x)
{
    traced_woken_passed(x);
    if (t->all)
        traced_call_passes(t, x);
    else
        traced_call_ends(t, x);
    go_on(t, x, 0);
}

static void signalled(struct iotrace *t, struct traced *x, int signal)
{
    traced_woken_signalled(x, signal);
    go_on(t, x, signal);
}

static void stopped(struct iotrace *t, struct traced *x, int event, int signal)
{
    switch (event) {
    case 0:
        if (signal == CALL_PASSED)
            call_passed(t, x);
        else
            signalled(t, x, signal);
        return;
    case PTRACE_EVENT_STOP:
        trapped(t, x, signal);
        return;
    case PTRACE_EVENT_SECCOMP:
        traced_call_begins(t, x);
        break;
    case PTRACE_EVENT_CLONE:
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
        born(t, x);
        break;
    case PTRACE_EVENT_EXEC:
        executed(t, x);
        break;
    }
    go_on(t, x, 0);
}

/* --- */

static void ended(struct iotrace *t, int tid, int status)
{
    struct traced *x = traced_find(t, tid);
    if (x)
        traced_remove(t, x);
    if (tid != t->pid)
        return;
    t->over = true;
    t->status = status;
    t->end_ns = clock_mono_ns();
}

void iotrace_changed(struct iotrace *t, int tid, int status)
{
    if (!WIFSTOPPED(status)) {
        ended(t, tid, status);
        return;
    }
    struct traced *x = traced_find(t, tid);
    if (x)
        traced_stopped(t, x);
    if (!x && (x = traced_add(t, tid)))
        x->stands = true;
    if (!x)
        ptrace(PTRACE_CONT, tid, NULL, NULL);
    else if (x->known)
        stopped(t, x, status >> 16, WSTOPSIG(status));
}
