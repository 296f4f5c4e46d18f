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

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};

static bool is_fault(const siginfo_t *i)
{
    bool is = false;
    for (size_t n = 0; n < sizeof faults / sizeof *faults; n++)
        is = is || i->si_signo == faults[n];
    return is && i->si_code > 0;
}

static bool is_call_in_slot(const struct broken *x)
{
    return x->slot_of && x->image->point[x->slot_of - 1].code.call;
}

/* Where nothing steps, a slot, too; a system call there may take long. */
bool broken_in_copy(const struct broken *x)
{
    return x->sequence || (!tracee_single_steps && x->slot_of && !is_call_in_slot(x));
}

/* Further signals wait in the kernel: each would stop the thread before its next instruction. */
static void block_signals(struct broken *x)
{
    uint64_t blocked = ~UINT64_C(0);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        blocked &= ~(UINT64_C(1) << (faults[i] - 1));
    x->is_masked = ptrace(PTRACE_GETSIGMASK, x->tid, (void *)sizeof x->mask, &x->mask) == 0 &&
                   ptrace(PTRACE_SETSIGMASK, x->tid, (void *)sizeof blocked, &blocked) == 0;
}

static void unblock_signals(struct broken *x)
{
    if (x->is_masked)
        ptrace(PTRACE_SETSIGMASK, x->tid, (void *)sizeof x->mask, &x->mask);
    x->is_masked = false;
}

/* It waits until the thread is at the end of the copy, a few instructions on: handlers never see an
 * address in there, and an atomic sequence is not left in its middle. */
static bool hold(struct breaks *b, struct broken *x)
{
    siginfo_t info;
    if (x->held.si_signo || !broken_in_copy(x) ||
        ptrace(PTRACE_GETSIGINFO, x->tid, NULL, &info) < 0 || is_fault(&info))
        return false;
    x->held = info;
    block_signals(x);
    broken_go(b, x, 0);
    return true;
}

/* What cannot wait is delivered before what waits. */
static void send_held(struct broken *x)
{
    if (x->held.si_signo)
        syscall(SYS_tgkill, x->image->pid, x->tid, x->held.si_signo);
    x->held.si_signo = 0;
    unblock_signals(x);
}

bool broken_deliver_held(struct breaks *b, struct broken *x, struct breaks_resume how)
{
    if (!x->held.si_signo || (how.next == BREAKS_STEP && !tracee_can_be_left(&x->tracee)))
        return false;
    how.signal = x->held.si_signo;
    ptrace(PTRACE_SETSIGINFO, x->tid, NULL, &x->held);
    x->held.si_signo = 0;
    unblock_signals(x);
    deliver(b, x, how, how.pc);
    return true;
}

/* In a slot, a system call that a signal interrupts is as the kernel has it: it compares the pc to
 * see whether to begin the call again. Behind it there is a breakpoint. */
static bool waits_in_slot(const struct broken *x)
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
    block_signals(x);
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
    if (b->leaving && !x->stepping) {
        broken_interrupted(b, x, signal);
        return;
    }
    int r = tracee_read_pc(&x->tracee, &pc);
    if (!x->stepping && r == 0 && x->image && signalled_in_slot(b, x, pc))
        return;
    if (!x->stepping || r < 0) {
        broken_go_by(b, x, PTRACE_CONT, signal);
        return;
    }
    if (hold(b, x))
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
