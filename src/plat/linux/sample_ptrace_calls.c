/*
 * The target's system calls do not feel our stops. Only threads that run are stopped; one of them
 * may fall asleep in a call before the stop takes hold. Most calls the kernel then restarts by
 * itself; those that return EINTR (signal(7): "never restarted") are made to run again here, when
 * nothing has happened in them yet.
 */
#include "sample_ptrace.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* EINTR says that these have done nothing. Not close: its descriptor is gone all the same. */
static const long repeatable[] = {
    SYS_epoll_pwait,
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
#ifdef SYS_epoll_pwait2
    SYS_epoll_pwait2,
#endif
#ifdef SYS_semop
    SYS_semop,
#endif
#ifdef SYS_semtimedop
    SYS_semtimedop,
#endif
#ifdef SYS_semtimedop_time64
    SYS_semtimedop_time64,
#endif
    SYS_rt_sigtimedwait,
#ifdef SYS_rt_sigtimedwait_time64
    SYS_rt_sigtimedwait_time64,
#endif
    SYS_io_getevents,
#ifdef SYS_io_uring_enter
    SYS_io_uring_enter,
#endif
    SYS_read,
    SYS_readv,
    SYS_write,
    SYS_writev,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_sendto,
    SYS_sendmsg,
    SYS_accept4,
#ifdef SYS_accept
    SYS_accept,
#endif
    SYS_connect,
};

static bool is_repeatable(long call)
{
    for (size_t i = 0; i < sizeof repeatable / sizeof *repeatable; i++)
        if (repeatable[i] == call)
            return true;
    return false;
}

static bool is_transfer(long call)
{
    return call == SYS_read || call == SYS_write || call == SYS_readv || call == SYS_writev ||
           call == SYS_sendto || call == SYS_sendmsg;
}

/* --- the first argument, where the result has overwritten it --- */

/* The same call from the same place, as it was last seen sleeping. */
static bool seen_asleep(const struct tracee *x, const struct tracee_regs *regs, uint64_t *out)
{
    uint64_t v[7]; /* six arguments and the stack pointer */
    char *at, *end;
    if (strtol(x->call, &at, 10) != regs->call || at == x->call)
        return false;
    for (int i = 0; i < 7; i++, at = end) {
        v[i] = strtoull(at, &end, 16);
        if (end == at)
            return false;
    }
    *out = v[0];
    return v[6] == regs->sp && memcmp(v + 1, regs->arg + 1, 3 * sizeof *v) == 0;
}

static bool is_epoll(long call)
{
#ifdef SYS_epoll_pwait2
    if (call == SYS_epoll_pwait2)
        return true;
#endif
    return call == SYS_epoll_pwait;
}

/* The process's only epoll descriptor: the call would have returned EBADF or EINVAL for others. */
static bool only_epoll(int pid, uint64_t *out)
{
    char path[64], link[PATH_MAX];
    unsigned found = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        ssize_t n = readlinkat(dirfd(dir), e->d_name, link, sizeof link - 1);
        link[n > 0 ? n : 0] = '\0';
        if (strcmp(link, "anon_inode:[eventpoll]") != 0)
            continue;
        *out = strtoull(e->d_name, NULL, 10);
        found++;
    }
    if (dir)
        closedir(dir);
    return found == 1;
}

static bool first_argument(const struct tracee *x, const struct tracee_regs *regs, uint64_t *out)
{
    *out = regs->arg[0];
    return regs->first_known || seen_asleep(x, regs, out) ||
           (is_epoll(regs->call) && only_epoll(x->of->pid, out));
}

/* --- signals --- */

static bool has_handler(int tid, int signal)
{
    return ptrace_status_set(tid, "\nSigCgt:") >> (signal - 1) & 1;
}

/* One that is about to be delivered tells itself at its own stop. */
static bool signal_waits(int tid)
{
    return (ptrace_status_set(tid, "\nSigPnd:") | ptrace_status_set(tid, "\nShdPnd:")) &
           ~ptrace_status_set(tid, "\nSigBlk:");
}

/* Whether the EINTR is a signal's: of the one being delivered, of one behind it, or of a handler
 * that has just returned to it. */
static bool is_deserved(struct tracee *x, const struct tracee_regs *regs, int signal)
{
    if (tracee_kernel_decides)
        return false;
    if (signal ? has_handler(x->tid, signal) : signal_waits(x->tid))
        return true;
    bool returned = x->handled_sp == regs->sp;
    x->handled_sp = 0;
    return returned;
}

static void repeat(struct tracer *t, struct tracee *x, const struct tracee_regs *regs, int signal)
{
    uint64_t first;
    if (is_deserved(x, regs, signal))
        return;
    if (is_repeatable(regs->call) && first_argument(x, regs, &first) &&
        tracee_call_again(x->tid, first) == 0) {
        x->again = true;
        t->counts.again++;
        return;
    }
    t->counts.kept++;
}

void tracer_calls(struct tracer *t, struct tracee *x, const struct tracee_regs *regs, int signal)
{
    bool was_again = x->again;
    x->again = false;
    if (!regs->in_call)
        return;
    if (regs->result == -EINTR)
        repeat(t, x, regs, signal);
    else if (!signal && is_transfer(regs->call) && regs->result > 0 &&
             (uint64_t)regs->result < regs->arg[2])
        t->counts.part++;
    if (!signal || tracee_kernel_decides || !has_handler(x->tid, signal))
        return;
    if (was_again)
        tracee_call_interrupt(x->tid);
    x->handled_sp = regs->sp;
}
