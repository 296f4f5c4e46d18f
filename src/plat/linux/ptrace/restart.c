#include "restart.h"

#include "tracee_status.h"

#include <errno.h>

/* Whether the EINTR is a signal's: of one that has a stop of its own, or of a handler that has just
 * returned to the call. */
static bool is_genuine_eintr(struct restart *r, int tid, const struct tracee_regs *regs)
{
    if (tracee_kernel_restarts)
        return false;
    bool returned = r->handler_sp == regs->sp;
    r->handler_sp = 0;
    return returned || tracee_has_pending_signal(tid);
}

static void save_call(struct restart *r, const struct tracee_regs *regs, uint64_t first)
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
    if (!restart_can_repeat_call(regs->call) || tracee_first_argument(tid, regs, &first) < 0)
        return RESTART_EINTR_KEPT;
    save_call(r, regs, first);
    return tracee_repeat_call(tid, r->arg) == 0 ? RESTARTED_CALL : RESTART_NOTHING;
}

/* A short count that is not our doing comes again: the rest then fails, or is nothing. */
static enum restart_result write_rest(struct restart *r, int tid, const struct tracee_regs *regs)
{
    uint64_t first, done = (uint64_t)regs->result;
    if (done >= regs->arg[2] || tracee_first_argument(tid, regs, &first) < 0)
        return RESTART_NOTHING;
    const uint64_t rest[3] = {first, regs->arg[1] + done, regs->arg[2] - done};
    save_call(r, regs, first);
    r->done = done;
    bool goes_on = tracee_repeat_call(tid, rest) == 0;
    r->state = goes_on ? RESTART_REST : RESTART_NONE;
    return goes_on ? RESTARTED_REST : RESTART_NOTHING;
}

enum restart_result restart_stopped(struct restart *r, int tid, const struct tracee_regs *regs)
{
    r->state = RESTART_NONE;
    if (!regs->in_call)
        return RESTART_NOTHING;
    if (regs->result == -EINTR)
        return is_genuine_eintr(r, tid, regs) ? RESTART_NOTHING : repeat_call(r, tid, regs);
    if (regs->result > 0 && restart_is_write_call(regs->call))
        return write_rest(r, tid, regs);
    return RESTART_NOTHING;
}

/* What was to run again returns what it would have: a handler runs, or may. */
static void cancel_restart(struct restart *r, int tid)
{
    bool rest = r->state == RESTART_REST;
    if (rest || !tracee_kernel_restarts)
        tracee_set_result(tid, rest ? (int64_t)r->done : -EINTR, r->arg, true);
    r->state = RESTART_NONE;
}

/* A traced process is woken by ignored signals, too. */
enum restart_result restart_signalled(struct restart *r, int tid, int signal)
{
    struct tracee_regs regs;
    bool handler = tracee_kernel_restarts || tracee_has_handler(tid, signal);
    if (r->state == RESTART_REST || (r->state == RESTART_CALL && handler))
        cancel_restart(r, tid);
    if (r->state == RESTART_REST_ENTERED || tracee_regs_read(tid, &regs) < 0 || !regs.in_call)
        return RESTART_NOTHING;
    if (regs.result == -EINTR && (tracee_kernel_restarts || !handler))
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
    tracee_set_result(tid, (int64_t)r->done + more, r->arg, false);
    r->state = RESTART_NONE;
}
