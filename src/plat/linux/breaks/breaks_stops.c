/* What a stop of a traced thread means, and how it goes on (ptrace(2), PTRACE_SEIZE). */
#include "breaks_parts.h"
#include "plat/clock.h"
#include "ptrace/tracee_status.h"

#include <linux/kcmp.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

enum { CALL_PASSED = SIGTRAP | 0x80 }; /* PTRACE_O_TRACESYSGOOD */

/* Only a command has a filter of ours. */
long breaks_options(bool kill)
{
    return PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
           PTRACE_O_TRACESYSGOOD | (kill ? PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP : 0);
}

/* --- images --- */

static void leave_image(struct breaks *b, struct broken *x)
{
    struct breaks_image *m = x->image;
    x->image = NULL;
    if (!m || --m->threads)
        return;
    if (b->callbacks.ended)
        b->callbacks.ended(b->callbacks.arg, m);
    breaks_image_free(m);
}

void broken_set_image(struct breaks *b, struct broken *x, struct breaks_image *m)
{
    leave_image(b, x);
    x->image = m;
    if (m)
        m->threads++;
}

static struct broken *broken_add(struct breaks *b, int tid)
{
    struct broken *x = threads_add(&b->threads, tid, sizeof *x);
    if (x)
        x->tid = x->tracee.tid = x->placed.tid = tid;
    return x;
}

static void end_cpu_call(struct breaks *b, struct broken *x)
{
    if (x->calls_cpus)
        place_call_ends(&b->place);
    x->calls_cpus = false;
}

struct broken *broken_add_outside(struct breaks *b, int tid)
{
    struct broken *x = broken_add(b, tid);
    if (x)
        x->outside = true;
    return x;
}

void broken_remove(struct breaks *b, struct broken *x)
{
    leave_image(b, x);
    end_cpu_call(b, x);
    place_forget(&b->place, &x->placed);
    threads_remove(&b->threads, x->tid);
}

/* --- new threads: reported by the parent's stop and by their own, in either order --- */

static bool share_memory(int event, int parent, int child)
{
    return event == PTRACE_EVENT_CLONE ? tracee_shares(parent, child, KCMP_VM)
                                       : event == PTRACE_EVENT_VFORK;
}

static void begin_child(struct breaks *b, struct broken *x)
{
    x->is_stopped = x->is_new = false;
    if (x->image->attached)
        attached_go(b, x, 0);
    else
        broken_moved(b, x, 0);
}

static void go_outside(struct breaks *b, struct broken *x, int signal)
{
    if (b->leaving || x->released)
        broken_detach(b, x, signal);
    else
        ptrace(PTRACE_CONT, x->tid, NULL, (void *)(long)signal);
}

/* Its first stop may have come already. */
static void begin_outside(struct breaks *b, struct broken *x)
{
    x->outside = true;
    if (x->is_stopped)
        go_outside(b, x, 0);
}

/* Of an attached process, threads are followed alone. */
static void release_child(struct breaks *b, struct broken *x)
{
    x->released = true;
    begin_outside(b, x);
}

/* Without memory for it, it cannot go on: its copy of the breakpoints would kill it. */
void broken_cloned(struct breaks *b, const struct broken *parent, int event)
{
    unsigned long message = 0;
    if (ptrace(PTRACE_GETEVENTMSG, parent->tid, NULL, &message) < 0 || !message)
        return;
    int tid = (int)message;
    struct broken *x = threads_find(&b->threads, tid);
    if (!x)
        x = broken_add(b, tid);
    if (x && parent->outside) {
        begin_outside(b, x);
        return;
    }
    if (x && parent->image->attached && !tracee_is_thread_of(parent->image->pid, tid)) {
        release_child(b, x);
        return;
    }
    bool shared = share_memory(event, parent->tid, tid);
    struct breaks_image *m = shared ? parent->image : breaks_image_new(tid, parent->image);
    if (!x || !m) {
        kill(tid, SIGKILL);
        return;
    }
    broken_set_image(b, x, m);
    place_child(&b->place, &parent->placed, &x->placed);
    struct breaks_stop s = broken_stop(x, 0, 0);
    if (!shared)
        b->callbacks.started(b->callbacks.arg, &s, parent->image);
    if (x->is_stopped)
        begin_child(b, x);
    else
        x->is_new = true;
}

/* --- exec: the thread has its process's id now, and the others are gone --- */

static void remove_former(struct breaks *b, const struct broken *x)
{
    unsigned long former = 0;
    if (ptrace(PTRACE_GETEVENTMSG, x->tid, NULL, &former) < 0 || (int)former == x->tid)
        return;
    struct broken *was = threads_find(&b->threads, (int)former);
    if (was)
        broken_remove(b, was);
}

/* Of a command, all programs are. */
static bool is_wanted(const struct breaks *b, const struct broken *x)
{
    return !b->leaving && (!b->callbacks.wanted || b->callbacks.wanted(b->callbacks.arg, x->tid));
}

/* Whether it has no image from now on; one that has is killed with us. */
static bool goes_outside(const struct breaks *b, struct broken *x)
{
    x->outside = !is_wanted(b, x);
    ptrace(PTRACE_SETOPTIONS, x->tid, NULL, (void *)breaks_options(!x->outside));
    return x->outside;
}

/* The step leads out of the system call, and executes nothing. */
static void on_exec(struct breaks *b, struct broken *x)
{
    remove_former(b, x);
    if (x->image && x->image->attached) {
        broken_exited(b, x, true);
        broken_detach(b, x, 0);
        return;
    }
    x->stepping = x->over = x->signalled = false;
    x->slot_of = x->sequence = 0;
    broken_set_image(b, x, goes_outside(b, x) ? NULL : breaks_image_new(x->tid, NULL));
    if (x->outside) {
        go_outside(b, x, 0);
        return;
    }
    x->starting = x->image != NULL;
    if (x->starting)
        broken_go_by(b, x, tracee_single_steps ? PTRACE_SINGLESTEP : PTRACE_SYSCALL, 0);
    else
        kill(x->tid, SIGKILL);
}

static void on_started(struct breaks *b, struct broken *x)
{
    struct breaks_resume how = {.next = BREAKS_RUN};
    x->starting = false;
    if (tracee_read_pc(&x->tracee, &how.pc) == 0) {
        struct breaks_stop s = broken_stop(x, how.pc, how.pc);
        how.next = b->callbacks.started(b->callbacks.arg, &s, NULL);
    }
    broken_resume(b, x, how);
}

/* --- stops --- */

/* A newborn's first, SIGCONT's; or the group's, by a signal. */
static void on_event_stop(struct breaks *b, struct broken *x, int signal)
{
    if (b->leaving && !x->is_new)
        broken_interrupted(b, x, 0);
    else if (signal != SIGTRAP)
        ptrace(PTRACE_LISTEN, x->tid, NULL, NULL);
    else if (x->is_new)
        begin_child(b, x);
    else
        broken_go(b, x, 0);
}

static void on_stop(struct breaks *b, struct broken *x, int event, int signal)
{
    if (x->image->attached && event != PTRACE_EVENT_EXEC) {
        attached_stop(b, x, event, signal);
        return;
    }
    x->in_vfork = event == PTRACE_EVENT_VFORK;
    switch (event) {
    case 0:
        if (x->starting && (signal == SIGTRAP || signal == CALL_PASSED))
            on_started(b, x);
        else if (signal == CALL_PASSED)
            broken_go(b, x, 0);
        else if (signal == SIGTRAP)
            broken_trapped(b, x);
        else
            broken_signalled(b, x, signal);
        return;
    case PTRACE_EVENT_STOP:
        on_event_stop(b, x, signal);
        return;
    case PTRACE_EVENT_EXEC:
        on_exec(b, x);
        return;
    case PTRACE_EVENT_SECCOMP:
        x->calls_cpus = true;
        place_call_begins(&b->place);
        broken_go(b, x, 0);
        return;
    default:
        broken_cloned(b, x, event);
        broken_go(b, x, 0);
    }
}

/* Of a program that has no image, forks and execs matter alone. */
static void on_outside_stop(struct breaks *b, struct broken *x, int event, int signal)
{
    bool of_group = event == PTRACE_EVENT_STOP && signal != SIGTRAP;
    if (event == PTRACE_EVENT_EXEC) {
        on_exec(b, x);
        return;
    }
    if (event && event != PTRACE_EVENT_STOP)
        broken_cloned(b, x, event);
    if (of_group && !b->leaving)
        ptrace(PTRACE_LISTEN, x->tid, NULL, NULL);
    else
        go_outside(b, x, event ? 0 : signal);
}

static void on_exit_status(struct breaks *b, struct broken *x, int tid, int status)
{
    if (x) {
        broken_exited(b, x, WIFEXITED(status));
        broken_remove(b, x);
    }
    if (tid != b->child.pid)
        return;
    b->has_ended = true;
    b->end_ns = clock_mono_ns();
}

void breaks_on_wait_status(struct breaks *b, int tid, int status)
{
    struct broken *x = threads_find(&b->threads, tid);
    if (!WIFSTOPPED(status)) {
        on_exit_status(b, x, tid, status);
        return;
    }
    if (!x)
        x = broken_add(b, tid);
    if (x) {
        x->tracee.is_held = x->tracee.is_changed = false;
        end_cpu_call(b, x);
        place_stopped(&b->place, &x->placed);
    }
    if (!x)
        kill(tid, SIGKILL);
    else if (x->outside)
        on_outside_stop(b, x, status >> 16, WSTOPSIG(status));
    else if (!x->image)
        x->is_stopped = true;
    else
        on_stop(b, x, status >> 16, WSTOPSIG(status));
}
