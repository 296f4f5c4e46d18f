/*
 * The target's system calls do not feel our stops. Only threads that run are stopped; one of them
 * may fall asleep in a call before the stop takes hold. Most calls the kernel then restarts by
 * itself. Those that return EINTR (signal(7): "never restarted") are made to run again here, when
 * nothing has happened in them yet; and a write that slept for room, and was cut short, goes on
 * with its rest: its end is waited for, to give it the result of the whole.
 */
#include "sample_ptrace.h"

#include <errno.h>
#include <string.h>

/* Whether the EINTR is a signal's: of one that tells itself at a stop of its own, or of a handler
 * that has just returned to it. */
static bool is_deserved(struct tracee *x, const struct tracee_regs *regs)
{
    if (tracee_kernel_decides)
        return false;
    bool returned = x->handled_sp == regs->sp;
    x->handled_sp = 0;
    return returned || traced_signal_waits(x->tid);
}

static void remember(struct tracee *x, const struct tracee_regs *regs, uint64_t first)
{
    x->redo = (struct traced_call){.state = CALL_AGAIN, .arg = {first, regs->arg[1], regs->arg[2]}};
}

static void repeat(struct tracer *t, struct tracee *x, const struct tracee_regs *regs)
{
    uint64_t first;
    if (!traced_call_repeats(regs->call) || tracee_call_first(x->tid, regs, &first) < 0) {
        t->counts.kept++;
        return;
    }
    remember(x, regs, first);
    if (tracee_call_again(x->tid, x->redo.arg) == 0)
        t->counts.again++;
}

/* A short count that is not our doing comes again: the rest then fails, or is nothing. */
static void write_rest(struct tracer *t, struct tracee *x, const struct tracee_regs *regs)
{
    uint64_t first, done = (uint64_t)regs->result;
    if (done >= regs->arg[2] || tracee_call_first(x->tid, regs, &first) < 0)
        return;
    remember(x, regs, first);
    x->redo.state = CALL_REST;
    x->redo.done = done;
    const uint64_t rest[3] = {first, regs->arg[1] + done, regs->arg[2] - done};
    if (tracee_call_again(x->tid, rest) == 0)
        t->counts.rest++;
    else
        x->redo.state = CALL_NONE;
}

void tracer_call_stopped(struct tracer *t, struct tracee *x, const struct tracee_regs *regs)
{
    x->redo.state = CALL_NONE;
    if (!regs->in_call)
        return;
    if (regs->result == -EINTR) {
        if (!is_deserved(x, regs))
            repeat(t, x, regs);
    } else if (regs->result > 0 && traced_call_writes(regs->call)) {
        write_rest(t, x, regs);
    }
}

/* What was to run again returns what it would have: a handler runs, or may. */
static void give_up(struct tracee *x)
{
    bool rest = x->redo.state == CALL_REST;
    if (rest || !tracee_kernel_decides)
        tracee_call_return(x->tid, rest ? (int64_t)x->redo.done : -EINTR, x->redo.arg, true);
    x->redo.state = CALL_NONE;
}

/* A traced process is woken by ignored signals, too. */
void tracer_call_signalled(struct tracer *t, struct tracee *x, int signal)
{
    struct tracee_regs regs;
    bool handler = tracee_kernel_decides || traced_has_handler(x->tid, signal);
    if (x->redo.state == CALL_REST || (x->redo.state == CALL_AGAIN && handler))
        give_up(x);
    if (x->redo.state == CALL_REST_ENTERED || tracee_regs_read(x->tid, &regs) < 0 || !regs.in_call)
        return;
    if (regs.result == -EINTR && (tracee_kernel_decides || !handler))
        repeat(t, x, &regs);
    else if (handler)
        x->handled_sp = regs.sp;
}

/* The rest begins, and has ended. */
void tracer_call_passed(struct tracee *x)
{
    struct tracee_regs regs;
    if (x->redo.state == CALL_REST) {
        x->redo.state = CALL_REST_ENTERED;
        return;
    }
    if (x->redo.state != CALL_REST_ENTERED || tracee_regs_read(x->tid, &regs) < 0)
        return;
    int64_t more = regs.result > 0 ? regs.result : 0;
    tracee_call_return(x->tid, (int64_t)x->redo.done + more, x->redo.arg, false);
    x->redo.state = CALL_NONE;
}
