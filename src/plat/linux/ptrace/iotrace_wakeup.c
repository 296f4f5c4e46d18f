/* A sleeping thread that is seized comes out of its call: the call goes on (restart.h). */
#include "iotrace.h"

void traced_woken(struct traced *x)
{
    struct tracee_regs regs;
    if (tracee_regs_read(x->tid, &regs) == 0)
        restart_stopped(&x->restart, x->tid, &regs);
}

void traced_woken_signalled(struct traced *x, int signal)
{
    if (x->restart.state != RESTART_NONE)
        restart_signalled(&x->restart, x->tid, signal);
}

/* A call that runs again is as any other from its start on; only of a write's rest the end is
 * ours. */
void traced_woken_passed(struct traced *x)
{
    if (x->restart.state == RESTART_CALL)
        x->restart.state = RESTART_NONE;
    else
        restart_passed(&x->restart, x->tid);
}
