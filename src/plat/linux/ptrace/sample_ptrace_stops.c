/* What a stop of a traced thread means, and how it goes on (ptrace(2), PTRACE_SEIZE). */
#include "plat/clock.h"
#include "plat/proc.h"
#include "sample_ptrace.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void go_on(const struct tracee *x, int signal)
{
    bool to_call = x->redo.state == CALL_REST || x->redo.state == CALL_REST_ENTERED;
    ptrace(to_call ? PTRACE_SYSCALL : PTRACE_CONT, x->tid, NULL, (void *)(long)signal);
}

static struct ptrace_who who(const struct tracee *x)
{
    return (struct ptrace_who){x->of->pid, x->tid};
}

/* --- births: told by the parent's stop, and by the newborn's own, in either order --- */

static bool exists(const char *format, int pid, int tid)
{
    char path[64];
    snprintf(path, sizeof path, format, pid, tid);
    return access(path, F_OK) == 0;
}

static struct traced_process *born_into(struct tracer *t, int pid,
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
static struct tracee *adopt(struct tracer *t, struct ptrace_who child, struct ptrace_who parent)
{
    const struct tracee *from = tracer_find(t, parent.tid);
    struct tracee *x = tracer_add(t, child.tid, NULL);
    struct traced_process *p = NULL;
    if (x && (child.pid == parent.pid || t->want.children))
        p = born_into(t, child.pid, from ? from->of : NULL);
    if (!p)
        return x;
    tracer_claim(x, p);
    if (from)
        memcpy(x->name, from->name, sizeof x->name);
    ptrace_record_fork(t->records, child, parent);
    return x;
}

static void born(struct tracer *t, const struct tracee *parent, bool can_be_thread)
{
    unsigned long message = 0;
    if (ptrace(PTRACE_GETEVENTMSG, parent->tid, NULL, &message) < 0 || !message)
        return;
    int tid = (int)message;
    if (tracer_find(t, tid) || !exists("/proc/%d", tid, 0))
        return;
    bool thread = can_be_thread && exists("/proc/%d/task/%d", parent->of->pid, tid);
    adopt(t, (struct ptrace_who){thread ? parent->of->pid : tid, tid}, who(parent));
}

static struct tracee *born_unknown(struct tracer *t, int tid)
{
    int pid = (int)ptrace_status(tid, "\nTgid:");
    int parent = pid == tid ? (int)ptrace_status(tid, "\nPPid:") : pid;
    return adopt(t, (struct ptrace_who){pid, tid}, (struct ptrace_who){parent, parent});
}

static void let_go(struct tracer *t, struct tracee *x)
{
    ptrace(PTRACE_DETACH, x->tid, NULL, NULL);
    tracer_remove(t, x);
}

/* --- exec: the thread has its process's id now, and the others are gone --- */

static void executed(struct tracer *t, struct tracee *x)
{
    struct traced_process *p = x->of;
    for (size_t i = t->threads; i-- > 0;)
        if (t->thread[i]->of == p && t->thread[i] != x)
            tracer_remove(t, t->thread[i]);
    t->asked -= x->asked;
    x->asked = false;
    x->redo.state = CALL_NONE;
    x->due = 0;
    x->handled_sp = 0;
    p->started = true;
    p->maps = 0;
    p->code_kb = -1; /* libraries of the same size may be others */
    tracer_rename(t, x, true);
    traced_maps_read(t, p, false);
}

/* --- stops --- */

/* Our asking's; SIGCONT's to one that was stopped; a newborn's first; or the group's by a signal.
 */
static void trapped(struct tracer *t, struct tracee *x, int signal)
{
    bool look = x->asked && signal == SIGTRAP;
    t->asked -= x->asked;
    x->asked = false;
    if (look)
        tracer_look(t, x);
    x->due = 0;
    if (signal == SIGTRAP)
        go_on(x, 0);
    else
        ptrace(PTRACE_LISTEN, x->tid, NULL, NULL);
    if (look)
        t->counts.stop_ns += clock_mono_ns() - x->asked_ns;
}

enum { CALL_PASSED = SIGTRAP | 0x80 }; /* PTRACE_O_TRACESYSGOOD */

/* A signal on its way: passed on as it is. */
static void signalled(struct tracer *t, struct tracee *x, int signal)
{
    if (signal == CALL_PASSED) {
        tracer_call_passed(x);
        signal = 0;
    } else {
        tracer_call_signalled(t, x, signal);
    }
    go_on(x, signal);
}

static void stopped(struct tracer *t, struct tracee *x, int event, int signal)
{
    switch (event) {
    case 0:
        signalled(t, x, signal);
        return;
    case PTRACE_EVENT_STOP:
        trapped(t, x, signal);
        return;
    case PTRACE_EVENT_CLONE:
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
        born(t, x, event == PTRACE_EVENT_CLONE);
        break;
    case PTRACE_EVENT_EXEC:
        executed(t, x);
        break;
    }
    go_on(x, 0);
}

static void ended(struct tracer *t, struct tracee *x)
{
    if (x->of)
        ptrace_record_exit(t->records, who(x));
    tracer_remove(t, x);
}

void tracer_changed(struct tracer *t, int tid, int status)
{
    struct tracee *x = tracer_find(t, tid);
    if (!WIFSTOPPED(status)) {
        if (x)
            ended(t, x);
        return;
    }
    if (!x)
        x = born_unknown(t, tid);
    if (!x)
        ptrace(PTRACE_CONT, tid, NULL, NULL);
    else if (!x->of)
        let_go(t, x);
    else
        stopped(t, x, status >> 16, WSTOPSIG(status));
}
