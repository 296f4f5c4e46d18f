/* The tracer's loop. Its timer's signal ends the wait at each tick; one that comes just before the
 * wait begins is made up for by the next. */
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "sample_ptrace.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { DRAIN_NS = 20000000 };
enum { MAX_PCT = 20, MAX_STRIDE = 64, CPU_CHECK_NS = 100000000 }; /* of one CPU */

/* --- waiting --- */

static bool is_end(const siginfo_t *info)
{
    return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
           info->si_code == CLD_DUMPED;
}

/* The end of our own child is not ours to take. */
static void on_leader_exit(struct tracer *t)
{
    t->polls_each = true;
    struct tracee *x = threads_find(&t->threads, t->want.pid);
    if (!x)
        return;
    ptrace_record_exit(t->records, (struct ptrace_ids){t->want.pid, t->want.pid});
    tracer_remove(t, x);
}

/* There is no such thread of ours any more; -1: none at all. */
static void remove_gone_thread(struct tracer *t, int tid)
{
    struct tracee *x = tid > 0 ? threads_find(&t->threads, tid) : NULL;
    if (x)
        tracer_remove(t, x);
    t->has_ended |= tid < 0;
}

/* Takes what there is to tell of one thread; false when that is nothing. */
static bool wait_tracee(struct tracer *t, int tid, int options)
{
    int status;
    pid_t got = wait4(tid, &status, options | __WALL | __WNOTHREAD, NULL);
    if (got > 0)
        tracer_on_wait_status(t, got, status);
    else if (got < 0 && errno == ECHILD)
        remove_gone_thread(t, tid);
    return got > 0;
}

/* Of our own child: its stops only. */
static bool wait_leader(struct tracer *t)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)t->want.pid, &info, WSTOPPED | WEXITED | WNOHANG | WNOWAIT) < 0 ||
        info.si_pid == 0)
        return false;
    if (is_end(&info)) {
        on_leader_exit(t);
        return true;
    }
    return wait_tracee(t, t->want.pid, WNOHANG);
}

/* Each by its id. */
static void poll_tracees(struct tracer *t)
{
    bool any = false;
    for (size_t i = t->threads.count; i-- > 0;) {
        if (i >= t->threads.count)
            continue;
        int tid = t->threads.slot[i].tid;
        any |= t->own_child && tid == t->want.pid ? wait_leader(t) : wait_tracee(t, tid, WNOHANG);
    }
    if (!any)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, (long)t->period_ns}, NULL);
}

/* Finds out which thread it is before it is reaped. */
static void wait_any_tracee(struct tracer *t)
{
    siginfo_t info = {0};
    if (waitid(P_ALL, 0, &info, WSTOPPED | WEXITED | WNOWAIT | __WALL | __WNOTHREAD) < 0) {
        if (errno == EINVAL) /* before Linux 4.7 */
            t->polls_each = true;
        else if (errno == ECHILD)
            remove_gone_thread(t, -1);
    } else if (info.si_pid == t->want.pid && is_end(&info)) {
        on_leader_exit(t);
    } else if (info.si_pid) {
        wait_tracee(t, info.si_pid, WNOHANG);
    }
}

static void wait_one(struct tracer *t)
{
    if (t->polls_each)
        poll_tracees(t);
    else if (t->own_child)
        wait_any_tracee(t);
    else
        wait_tracee(t, -1, 0);
}

/* --- ticks --- */

/* On a small processor, or with many threads, looking at the target must not be what the machine
 * does: the tracer that takes more than its share ticks more slowly, and each tick represents more.
 */
static void limit_own_cpu(struct tracer *t, uint64_t now_ns)
{
    struct timespec own = {0};
    if (now_ns - t->cpu_checked_ns < CPU_CHECK_NS)
        return;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    uint64_t own_ns = (uint64_t)own.tv_sec * NS_PER_S + (uint64_t)own.tv_nsec;
    uint64_t used = (own_ns - t->own_ns) * 100 / (now_ns - t->cpu_checked_ns);
    t->own_ns = own_ns;
    t->cpu_checked_ns = now_ns;
    unsigned stride = t->stride;
    if (used > MAX_PCT && stride < MAX_STRIDE)
        stride *= 2;
    else if (used < MAX_PCT / 3 && stride > 1)
        stride /= 2;
    if (stride != t->stride) {
        t->stride = stride;
        ticker_set(&t->ticker, t->period_ns * stride);
    }
}

static void tick_if_due(struct tracer *t)
{
    uint64_t now_ns = clock_mono_ns(), now = (now_ns - t->start_ns) / t->period_ns;
    if (now < t->ticks_done + t->stride)
        return;
    unsigned due = (unsigned)(now - t->ticks_done);
    t->ticks_done = now;
    tracer_tick(t, due);
    limit_own_cpu(t, now_ns);
}

/* Those that are stopped for us go on as they were before we leave. */
static void drain_stops(struct tracer *t)
{
    uint64_t end_ns = clock_mono_ns() + DRAIN_NS;
    while (t->interrupts_pending && !t->has_ended && clock_mono_ns() < end_ns)
        wait_one(t);
}

void tracer_run(struct tracer *t)
{
    t->start_ns = t->cpu_checked_ns = clock_mono_ns();
    while (!atomic_load(&t->stop) && t->threads.count && !t->has_ended) {
        wait_one(t);
        tick_if_due(t);
    }
    drain_stops(t);
}
