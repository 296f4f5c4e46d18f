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
