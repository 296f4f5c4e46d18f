#include "restart.h"

#include "tracee_status.h"

#include <errno.h>

/* Whether the EINTR is a signal's: of one that has a stop of its own, or of a handler that has just
 * returned to the call. */
static bool is_deserved(struct restart *r, int tid, const struct tracee_regs *regs)
{
    if (tracee_kernel_decides)
        return false;
    bool returned = r->handler_sp == regs->sp;
    r->handler_sp = 0;
    return returned || tracee_signal_waits(tid);
}

static void keep_call(struct restart *r, const struct tracee_regs *regs, uint64_t first)
{
    r->state = RESTART_CALL;
    r->arg[0] = first;
    r->arg[1] = regs->arg[1];
    r->arg[2] = regs->arg[2];
    r->done = 0;
}

static enum restart_result repeat_call(struct restart *r, int tid, const struct tracee_regs *regs)
{
    uint64_t first;
    if (!restart_call_repeats(regs->call) || tracee_call_first(tid, regs, &first) < 0)
        return RESTART_KEPT;
    keep_call(r, regs, first);
    return tracee_call_again(tid, r->arg) == 0 ? RESTARTED_CALL : RESTART_NOTHING;
}

/* A short count that is not our doing comes again: the rest then fails, or is nothing. */
static enum restart_result write_rest(struct restart *r, int tid, const struct tracee_regs *regs)
{
    uint64_t first, done = (uint64_t)regs->result;
    if (done >= regs->arg[2] || tracee_call_first(tid, regs, &first) < 0)
        return RESTART_NOTHING;
    const uint64_t rest[3] = {first, regs->arg[1] + done, regs->arg[2] - done};
    keep_call(r, regs, first);
    r->done = done;
    bool goes_on = tracee_call_again(tid, rest) == 0;
    r->state = goes_on ? RESTART_REST : RESTART_NONE;
    return goes_on ? RESTARTED_REST : RESTART_NOTHING;
}

enum restart_result restart_stopped(struct restart *r, int tid, const struct tracee_regs *regs)
{
    r->state = RESTART_NONE;
    if (!regs->in_call)
        return RESTART_NOTHING;
    if (regs->result == -EINTR)
        return is_deserved(r, tid, regs) ? RESTART_NOTHING : repeat_call(r, tid, regs);
    if (regs->result > 0 && restart_call_writes(regs->call))
        return write_rest(r, tid, regs);
    return RESTART_NOTHING;
}

/* What was to run again returns what it would have: a handler runs, or may. */
static void give_up(struct restart *r, int tid)
{
    bool rest = r->state == RESTART_REST;
    if (rest || !tracee_kernel_decides)
        tracee_call_return(tid, rest ? (int64_t)r->done : -EINTR, r->arg, true);
    r->state = RESTART_NONE;
}

/* A traced process is woken by ignored signals, too. */
enum restart_result restart_signalled(struct restart *r, int tid, int signal)
{
    struct tracee_regs regs;
    bool handler = tracee_kernel_decides || tracee_has_handler(tid, signal);
    if (r->state == RESTART_REST || (r->state == RESTART_CALL && handler))
        give_up(r, tid);
    if (r->state == RESTART_REST_ENTERED || tracee_regs_read(tid, &regs) < 0 || !regs.in_call)
        return RESTART_NOTHING;
    if (regs.result == -EINTR && (tracee_kernel_decides || !handler))
        return repeat_call(r, tid, &regs);
    if (handler)
        r->handler_sp = regs.sp;
    return RESTART_NOTHING;
}

/* The rest begins, and has ended. */
void restart_passed(struct restart *r, int tid)
{
    struct tracee_regs regs;
    if (r->state == RESTART_REST) {
        r->state = RESTART_REST_ENTERED;
        return;
    }
    if (r->state != RESTART_REST_ENTERED || tracee_regs_read(tid, &regs) < 0)
        return;
    int64_t more = regs.result > 0 ? regs.result : 0;
    tracee_call_return(tid, (int64_t)r->done + more, r->arg, false);
    r->state = RESTART_NONE;
}
