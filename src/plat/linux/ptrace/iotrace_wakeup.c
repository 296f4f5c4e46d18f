/* As sampling does it: sample_ptrace_calls.c. */
#include "iotrace.h"

#include <stdlib.h>

void traced_woken(struct traced *x)
{
    static struct tracer unused; /* it counts there */
    struct tracee_regs regs;
    if (!x->woken && (x->woken = calloc(1, sizeof *x->woken)))
        x->woken->tid = x->tid;
    if (x->woken && tracee_regs_read(x->tid, &regs) == 0)
        tracer_call_stopped(&unused, x->woken, &regs);
}

static bool is_redone(const struct traced *x)
{
    return x->woken && x->woken->redo.state != CALL_NONE;
}

void traced_woken_signalled(struct traced *x, int signal)
{
    static struct tracer unused;
    if (is_redone(x))
        tracer_call_signalled(&unused, x->woken, signal);
}

/* What runs again is as any other from its begin on; only of a write's rest the end is ours. */
void traced_woken_passed(struct traced *x)
{
    if (!is_redone(x))
        return;
    if (x->woken->redo.state == CALL_AGAIN)
        x->woken->redo.state = CALL_NONE;
    else
        tracer_call_passed(x->woken);
}
