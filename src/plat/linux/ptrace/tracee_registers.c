#include "tracee_registers.h"

#include <errno.h>
#include <sys/ptrace.h>

int tracee_hold(struct tracee *t)
{
    int r = t->is_held ? 0 : tracee_user_read(t->tid, &t->user);
    t->is_held = r == 0;
    return r;
}

int tracee_release(struct tracee *t)
{
    int r = t->is_changed ? tracee_user_write(t->tid, &t->user) : 0;
    t->is_held = t->is_changed = false;
    return r;
}

int tracee_go(struct tracee *t, int request, int signal)
{
    tracee_release(t);
    long r = ptrace((enum __ptrace_request)request, t->tid, NULL, (void *)(long)signal);
    return r < 0 ? -errno : 0;
}

/* --- calls that are made to run again --- */

static int change_call(int tid, uint64_t first, const uint64_t arg[3], int direction)
{
    tracee_user r;
    int e = tracee_user_read(tid, &r);
    if (e < 0)
        return e;
    tracee_user_set_call(&r, first, arg, direction);
    return tracee_user_write(tid, &r);
}

/* Where the kernel restarts, it looks at the result behind the stop. */
int tracee_repeat_call(int tid, const uint64_t arg[3])
{
    const int64_t restart_no_handler = -514;
    return tracee_kernel_restarts ? change_call(tid, (uint64_t)restart_no_handler, arg, 0)
                                  : change_call(tid, arg[0], arg, -1);
}

int tracee_set_result(int tid, int64_t result, const uint64_t arg[3], bool undo)
{
    return change_call(tid, (uint64_t)result, arg, undo && !tracee_kernel_restarts);
}
