/*
 * Threads of a process that is attached go on by one instruction, or by one system call: that is
 * not stepped, since it may change which signals are blocked (breaks_trap.c). One that the kernel
 * is about to begin again, behind a stop, is made once more.
 */
#include "breaks_parts.h"
#include "ptrace/tracee_status.h"

#include <errno.h>
#include <sys/ptrace.h>

enum {
    HANDLER_BEGINS = SIGTRAP,     /* si_code: ptrace_notify's, when it is stepped into a handler */
    CALL_PASSED = SIGTRAP | 0x80, /* PTRACE_O_TRACESYSGOOD */
};

/* --- going on --- */

void attached_go(struct breaks *b, struct broken *x, int signal)
{
    uint64_t pc = 0;
    tracee_read_pc(&x->tracee, &pc);
    bool again = tracee_restarts(&x->tracee);
    x->signalled = signal && tracee_has_handler(x->tid, signal);
    bool calls = !x->signalled && (again || broken_is_call(x, pc));
    x->at = again ? pc - tracee_call_bytes : pc;
    x->stepping = true;
    x->calling = calls ? BROKEN_CALLS : BROKEN_NO_CALL;
    broken_go_by(b, x, calls ? PTRACE_SYSCALL : PTRACE_SINGLESTEP, signal);
}

static void park(struct breaks *b, struct broken *x, int signal)
{
    broken_close_trap(x);
    x->calling = BROKEN_NO_CALL;
    broken_park(b, x, (struct breaks_resume){.signal = signal});
}

/* A call that begins again is left in the stop behind this one, where that is the kernel's
 * business. The end of the call was a stop, too, and has taken the place of the one that was asked
 * for. */
static void go_or_park(struct breaks *b, struct broken *x, int signal)
{
    if (b->leaving && !tracee_restarts(&x->tracee)) {
        park(b, x, signal);
        return;
    }
    if (b->leaving)
        ptrace(PTRACE_INTERRUPT, x->tid, NULL, NULL);
    attached_go(b, x, signal);
}

static void report(struct breaks *b, struct broken *x)
{
    uint64_t pc;
    if (tracee_read_pc(&x->tracee, &pc) < 0)
        return;
    struct breaks_stop s = broken_stop(x, pc, x->at);
    b->callbacks.stepped(b->callbacks.arg, &s);
}

/* --- stops --- */

/* What is not the end of a step is a signal of the program's, as of its own breakpoint. */
static void on_trap(struct breaks *b, struct broken *x)
{
    siginfo_t info;
    uint64_t pc;
    if (ptrace(PTRACE_GETSIGINFO, x->tid, NULL, &info) < 0 || tracee_read_pc(&x->tracee, &pc) < 0)
        return;
    bool stepped = info.si_code == TRAP_TRACE || info.si_code == TRAP_BRKPT;
    if (x->signalled && info.si_code == HANDLER_BEGINS) {
        broken_open_trap(x, false);
        go_or_park(b, x, 0);
        return;
    }
    if (stepped || pc != x->at)
        report(b, x);
    go_or_park(b, x, stepped ? 0 : SIGTRAP);
}

static void on_call(struct breaks *b, struct broken *x)
{
    restart_passed(&x->restart, x->tid);
    if (x->calling == BROKEN_CALLS) {
        x->calling = BROKEN_IN_CALL;
        broken_go_by(b, x, PTRACE_SYSCALL, 0);
        return;
    }
    broken_open_trap(x, false);
    report(b, x);
    go_or_park(b, x, 0);
}

/* Our stops do not cut calls short. The rest of a write is not waited for when it is left. */
static void restart_call(const struct breaks *b, struct broken *x)
{
    struct tracee_regs regs;
    if (b->leaving && x->restart.state == RESTART_REST)
        restart_signalled(&x->restart, x->tid, SIGCONT);
    else if (tracee_regs_read(x->tid, &regs) == 0 && (!b->leaving || regs.result == -EINTR))
        restart_stopped(&x->restart, x->tid, &regs);
}

/* Our stop comes before the SIGTRAP of a step that has been made. When it is left, that would kill
 * it; and it is of this step, not of one from here. */
static bool ends_step_first(struct breaks *b, struct broken *x)
{
    if (!x->stepping || x->calling != BROKEN_NO_CALL || !broken_has_trap_pending(x->tid))
        return false;
    broken_go_by(b, x, PTRACE_SINGLESTEP, 0);
    return true;
}

static void on_interrupt(struct breaks *b, struct broken *x)
{
    if (ends_step_first(b, x))
        return;
    restart_call(b, x);
    if (x->starting)
        broken_open_trap(x, true);
    x->starting = false;
    if (b->leaving)
        park(b, x, 0);
    else
        attached_go(b, x, 0);
}

static void on_signal(struct breaks *b, struct broken *x, int signal)
{
    restart_signalled(&x->restart, x->tid, signal);
    if (b->leaving)
        park(b, x, signal);
    else
        attached_go(b, x, signal);
}

void attached_stop(struct breaks *b, struct broken *x, int event, int signal)
{
    if (event == PTRACE_EVENT_STOP && signal != SIGTRAP && !b->leaving)
        ptrace(PTRACE_LISTEN, x->tid, NULL, NULL);
    else if (event == PTRACE_EVENT_STOP)
        on_interrupt(b, x);
    else if (event) {
        broken_cloned(b, x, event);
        broken_go_by(b, x, PTRACE_SYSCALL, 0);
    } else if (signal == CALL_PASSED)
        on_call(b, x);
    else if (signal == SIGTRAP)
        on_trap(b, x);
    else
        on_signal(b, x, signal);
}
