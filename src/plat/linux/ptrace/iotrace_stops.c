/* What a stop of a traced thread means, and how it goes on (ptrace(2), PTRACE_SEIZE). */
#include "iotrace.h"
#include "plat/clock.h"
#include "tracee_status.h"

#include <linux/kcmp.h>
#include <signal.h>
#include <sys/wait.h>

enum { CALL_PASSED = SIGTRAP | 0x80 }; /* PTRACE_O_TRACESYSGOOD */

long iotrace_options(const struct iotrace *t)
{
    long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                   PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
    if (t->command && !t->trace_all) /* a thread with the filter cannot run without a tracer */
        options |= PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
    return options;
}

static void resume_thread(struct iotrace *t, struct traced *x, int signal)
{
    bool stops = t->trace_all || x->in_call;
    place_resume(&t->place, &x->placed);
    ptrace(stops ? PTRACE_SYSCALL : PTRACE_CONT, x->tid, NULL, (void *)(long)signal);
}

/* --- new threads: reported by the parent's stop and by their own, in either order --- */

static void on_clone(struct iotrace *t, const struct traced *parent)
{
    unsigned long message = 0;
    if (ptrace(PTRACE_GETEVENTMSG, parent->tid, NULL, &message) < 0 || !message)
        return;
    int tid = (int)message;
    struct traced *x = threads_find(&t->threads, tid);
    if (!x)
        x = traced_add(t, tid);
    if (!x || x->is_reported)
        return;
    x->is_reported = true;
    place_child(&t->place, &parent->placed, &x->placed);
    if (!t->quiet)
        x->user_data = t->callbacks.thread_started(t->callbacks.arg, parent->user_data,
                                                   tracee_shares(parent->tid, tid, KCMP_FILES));
    if (x->is_stopped)
        resume_thread(t, x, 0);
    x->is_stopped = false;
}

/* --- exec: the thread has its process's id now, and the others are gone --- */

static void take_former_thread(struct iotrace *t, struct traced *x)
{
    unsigned long former = 0;
    if (ptrace(PTRACE_GETEVENTMSG, x->tid, NULL, &former) < 0 || (int)former == x->tid)
        return;
    struct traced *was = threads_find(&t->threads, (int)former);
    if (!was)
        return;
    void *of = was->user_data;
    was->user_data = x->user_data;
    x->user_data = of;
    traced_remove(t, was);
}

static void on_exec(struct iotrace *t, struct traced *x)
{
    take_former_thread(t, x);
    x->in_call = false;
    x->entered = t->trace_all; /* the end of execve is to come */
    if (x->tid == t->pid && !t->started) {
        t->started = true;
        t->start_ns = clock_mono_ns();
    }
    if (!t->quiet)
        t->callbacks.exec_done(t->callbacks.arg, &x->user_data, x->tid);
}

/* --- stops --- */

/* A newborn's first, SIGCONT's, our asking's; or the group's, by a signal. */
static void on_event_stop(struct iotrace *t, struct traced *x, int signal)
{
    if (!t->command)
        traced_woken(x);
    if (signal == SIGTRAP)
        resume_thread(t, x, 0);
    else
        ptrace(PTRACE_LISTEN, x->tid, NULL, NULL);
}

static void on_syscall_stop(struct iotrace *t, struct traced *x)
{
    traced_woken_passed(x);
    if (t->trace_all)
        traced_call_stop(t, x);
    else
        traced_call_exit(t, x);
    resume_thread(t, x, 0);
}

static void on_signal_stop(struct iotrace *t, struct traced *x, int signal)
{
    traced_woken_signalled(x, signal);
    resume_thread(t, x, signal);
}

static void on_stop(struct iotrace *t, struct traced *x, int event, int signal)
{
    switch (event) {
    case 0:
        if (signal == CALL_PASSED)
            on_syscall_stop(t, x);
        else
            on_signal_stop(t, x, signal);
        return;
    case PTRACE_EVENT_STOP:
        on_event_stop(t, x, signal);
        return;
    case PTRACE_EVENT_SECCOMP:
        traced_call_enter(t, x);
        break;
    case PTRACE_EVENT_CLONE:
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
        on_clone(t, x);
        break;
    case PTRACE_EVENT_EXEC:
        on_exec(t, x);
        break;
    }
    resume_thread(t, x, 0);
}

static void on_exit_status(struct iotrace *t, int tid, int status)
{
    struct traced *x = threads_find(&t->threads, tid);
    if (x)
        traced_remove(t, x);
    if (tid != t->pid)
        return;
    t->has_ended = true;
    t->status = status;
    t->end_ns = clock_mono_ns();
}

void iotrace_on_wait_status(struct iotrace *t, int tid, int status)
{
    if (!WIFSTOPPED(status)) {
        on_exit_status(t, tid, status);
        return;
    }
    struct traced *x = threads_find(&t->threads, tid);
    if (x)
        place_stopped(&t->place, &x->placed);
    if (!x && (x = traced_add(t, tid)))
        x->is_stopped = true;
    if (!x)
        ptrace(PTRACE_CONT, tid, NULL, NULL);
    else if (x->is_reported)
        on_stop(t, x, status >> 16, WSTOPSIG(status));
}
