/* Signals to threads that are stepped. */
#include "breaks_parts.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A handler is reported where it begins; where it may return to, there is a breakpoint then: here,
 * and at or behind a system call, which the kernel may begin again or not. */
static void deliver(struct breaks *b, struct broken *x, struct breaks_resume how, uint64_t at)
{
    if (how.next == BREAKS_STEP) {
        breaks_set(x->image, how.pc);
        if (at != how.pc)
            breaks_set(x->image, at);
        else if (tracee_calls_go_back && broken_is_call(x, at))
            breaks_set(x->image, at + tracee_call_bytes);
    }
    broken_resume(b, x, how);
}

/* --- signals that wait --- */

static bool is_fault(const siginfo_t *i)
{
    return i->si_code > 0 && (i->si_signo == SIGSEGV || i->si_signo == SIGBUS ||
                              i->si_signo == SIGILL || i->si_signo == SIGFPE);
}

static bool is_call_in_slot(struct broken *x)
{
    return x->slot_of && x->image->point[x->slot_of - 1].code.call;
}

/* Where nothing steps, a slot, too; a system call there may take long. */
static bool runs_in_copy(struct broken *x)
{
    return x->sequence || (x->held.si_signo && x->slot_of) ||
           (!tracee_single_steps && x->slot_of && !is_call_in_slot(x));
}

/* It waits until the thread is at the end of the copy, a few instructions on: handlers never see an
 * address in there, and an atomic sequence is not left in its middle. */
static bool hold(struct breaks *b, struct broken *x, int signal)
{
    siginfo_t info;
    if (!runs_in_copy(x) || ptrace(PTRACE_GETSIGINFO, x->tid, NULL, &info) < 0 || is_fault(&info))
        return false;
    if (x->held.si_signo)
        syscall(SYS_tgkill, x->image->pid, x->tid, signal); /* comes once more */
    else
        x->held = info;
    broken_go(b, x, 0);
    return true;
}

/* A fault is delivered before what waits. */
static void send_held(struct broken *x)
{
    if (x->held.si_signo)
        syscall(SYS_tgkill, x->image->pid, x->tid, x->held.si_signo);
    x->held.si_signo = 0;
}

bool broken_deliver_held(struct breaks *b, struct broken *x, struct breaks_resume how)
{
    if (!x->held.si_signo || (how.next == BREAKS_STEP && !tracee_can_be_left(&x->tracee)))
        return false;
    how.signal = x->held.si_signo;
    ptrace(PTRACE_SETSIGINFO, x->tid, NULL, &x->held);
    x->held.si_signo = 0;
    deliver(b, x, how, how.pc);
    return true;
}

/* --- */

/* In a slot, a system call that a signal interrupts is as the kernel has it: it compares the pc to
 * see whether to begin the call again. Behind it there is a breakpoint. */
static bool waits_in_slot(struct broken *x)
{
    return tracee_calls_go_back && is_call_in_slot(x);
}

/* In a slot that leads back. An instruction that has not been executed is stepped over first: its
 * breakpoint was reported. */
static bool signalled_in_slot(struct breaks *b, struct broken *x, uint64_t pc)
{
    const struct breaks_point *p = breaks_point_of_slot(x->image, pc);
    siginfo_t info;
    if (!p || !p->code.returns)
        return false;
    if (pc != p->slot || ptrace(PTRACE_GETSIGINFO, x->tid, NULL, &info) < 0 || is_fault(&info)) {
        tracee_write_pc(&x->tracee, p->address + (pc == p->slot ? 0 : p->code.len));
        return false;
    }
    x->held = info;
    x->at = p->address;
    x->slot_of = (size_t)(p - x->image->point) + 1;
    x->stepping = x->over = true;
    broken_go(b, x, 0);
    return true;
}

void broken_signalled(struct breaks *b, struct broken *x, int signal)
{
    struct breaks_resume how = {.next = BREAKS_RUN, .signal = signal};
    uint64_t pc;
    int r = tracee_read_pc(&x->tracee, &pc);
    if (!x->stepping && r == 0 && x->image && signalled_in_slot(b, x, pc))
        return;
    if (!x->stepping || r < 0) {
        broken_go_by(b, x, PTRACE_CONT, signal);
        return;
    }
    if (hold(b, x, signal))
        return;
    send_held(x);
    if (x->sequence) {
        how = broken_leave_sequence(b, x, pc);
        how.signal = signal;
        deliver(b, x, how, how.pc);
        return;
    }
    if (waits_in_slot(x)) {
        x->stepping = false;
        broken_go_by(b, x, PTRACE_CONT, signal);
        return;
    }
    how.pc = x->slot_of ? broken_leave_slot(x, pc) : pc;
    how.moved = how.pc != pc;
    struct breaks_stop s = broken_stop(x, how.pc, x->at);
    if (!x->over)
        how.next = how.pc == x->at ? BREAKS_STEP : b->callbacks.stepped(b->callbacks.arg, &s);
    deliver(b, x, how, x->at);
}
