/* What a stop of a traced thread means, and how it goes on (ptrace(2), PTRACE_SEIZE). */
#include "plat/clock.h"
#include "sample_ptrace.h"
#include "tracee_status.h"

#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static void resume_tracee(const struct tracee *x, int signal)
{
    ptrace(restart_needs_call_stop(&x->restart) ? PTRACE_SYSCALL : PTRACE_CONT, x->tid, NULL,
           (void *)(long)signal);
}

/* --- new threads: reported by the parent's stop and by their own, in either order --- */

static struct traced_process *make_child_process(struct tracer *t, int pid,
                                                 const struct traced_process *from)
{
    struct traced_process *p = tracer_process(t, pid);
    if (!p || p->threads)
        return p;
    p->started = from && from->started;
    if (from)
        traced_maps_copy(p, from);
    return p;
}

/* clone(2) can make a process, too, that is seized without having been asked for. */
static struct tracee *add_child(struct tracer *t, struct ptrace_ids child, struct ptrace_ids parent)
{
    const struct tracee *from = threads_find(&t->threads, parent.tid);
    struct tracee *x = tracer_add(t, child.tid, NULL);
    struct traced_process *p = NULL;
    if (x && (child.pid == parent.pid || t->want.children))
        p = make_child_process(t, child.pid, from ? from->process : NULL);
    if (!p)
        return x;
    tracer_set_process(x, p);
    if (from)
        memcpy(x->name, from->name, sizeof x->name);
    ptrace_record_fork(t->records, child, parent);
    return x;
}

static void on_clone(struct tracer *t, const struct tracee *parent, bool can_be_thread)
{
    unsigned long message = 0;
    if (ptrace(PTRACE_GETEVENTMSG, parent->tid, NULL, &message) < 0 || !message)
        return;
    int tid = (int)message;
    if (threads_find(&t->threads, tid) || !tracee_is_thread_of(tid, tid))
        return;
    bool thread = can_be_thread && tracee_is_thread_of(parent->process->pid, tid);
    add_child(t, (struct ptrace_ids){thread ? parent->process->pid : tid, tid},
              ids_of_tracee(parent));
}

static struct tracee *add_unknown_child(struct tracer *t, int tid)
{
    int pid = (int)ptrace_status(tid, "\nTgid:");
    int parent = pid == tid ? (int)ptrace_status(tid, "\nPPid:") : pid;
    return add_child(t, (struct ptrace_ids){pid, tid}, (struct ptrace_ids){parent, parent});
}

static void detach_tracee(struct tracer *t, struct tracee *x)
{
    ptrace(PTRACE_DETACH, x->tid, NULL, NULL);
    tracer_remove(t, x);
}

/* --- exec: the thread has its process's id now, and the others are gone --- */

static void on_exec(struct tracer *t, struct tracee *x)
{
    struct traced_process *p = x->process;
    for (size_t i = t->threads.count; i-- > 0;) {
        struct tracee *other = threads_at(&t->threads, i);
        if (other->process == p && other != x)
            tracer_remove(t, other);
    }
    t->interrupts_pending -= x->is_interrupting;
    x->is_interrupting = false;
    x->restart.state = RESTART_NONE;
    x->restart.handler_sp = 0;
    x->due = 0;
    p->started = true;
    p->maps = 0;
    p->code_kb = -1; /* libraries of the same size may be others */
    p->sizes = (struct traced_sizes){0};
    tracer_update_comm(t, x, true);
    traced_maps_read(t, p, false);
}

/* --- stops --- */

/* Our asking's; SIGCONT's to one that was stopped; a newborn's first; or the group's by a signal.
 */
static void on_event_stop(struct tracer *t, struct tracee *x, int signal)
{
    bool look = x->is_interrupting && signal == SIGTRAP;
    t->interrupts_pending -= x->is_interrupting;
    x->is_interrupting = false;
    if (look)
        tracer_sample(t, x);
    x->due = 0;
    if (signal == SIGTRAP)
        resume_tracee(x, 0);
    else
        ptrace(PTRACE_LISTEN, x->tid, NULL, NULL);
    if (look)
        t->counts.stop_ns += clock_mono_ns() - x->interrupt_ns;
}

void tracer_count_restart(struct tracer *t, enum restart_result done)
{
    t->counts.calls_repeated += done == RESTARTED_CALL;
    t->counts.writes_resumed += done == RESTARTED_REST;
    t->counts.eintr_kept += done == RESTART_EINTR_KEPT;
}

enum { CALL_PASSED = SIGTRAP | 0x80 }; /* PTRACE_O_TRACESYSGOOD */

/* A signal for the thread: delivered unchanged. */
static void on_signal_stop(struct tracer *t, struct tracee *x, int signal)
{
    if (signal == CALL_PASSED) {
        restart_passed(&x->restart, x->tid);
        signal = 0;
    } else {
        tracer_count_restart(t, restart_signalled(&x->restart, x->tid, signal));
    }
    resume_tracee(x, signal);
}

static void on_stop(struct tracer *t, struct tracee *x, int event, int signal)
{
    switch (event) {
    case 0:
        on_signal_stop(t, x, signal);
        return;
    case PTRACE_EVENT_STOP:
        on_event_stop(t, x, signal);
        return;
    case PTRACE_EVENT_CLONE:
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
        on_clone(t, x, event == PTRACE_EVENT_CLONE);
        break;
    case PTRACE_EVENT_EXEC:
        on_exec(t, x);
        break;
    }
    resume_tracee(x, 0);
}

static void on_exit_status(struct tracer *t, struct tracee *x)
{
    if (x->process)
        ptrace_record_exit(t->records, ids_of_tracee(x));
    tracer_remove(t, x);
}

void tracer_on_wait_status(struct tracer *t, int tid, int status)
{
    struct tracee *x = threads_find(&t->threads, tid);
    if (!WIFSTOPPED(status)) {
        if (x)
            on_exit_status(t, x);
        return;
    }
    if (!x)
        x = add_unknown_child(t, tid);
    if (!x)
        ptrace(PTRACE_CONT, tid, NULL, NULL);
    else if (!x->process)
        detach_tracee(t, x);
    else
        on_stop(t, x, status >> 16, WSTOPSIG(status));
}
