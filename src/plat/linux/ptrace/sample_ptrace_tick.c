/*
 * Which threads run at a tick. That a thread is runnable is seen in its file `syscall', which is
 * the cheapest to read; where the kernel has none, in `stat'. A thread that waits for a CPU is
 * runnable too, so looks are limited by CPU time: in the long run a thread has as many samples as
 * it has had periods of user time, and so has its process.
 *
 * CPU time is that of the process's clock and of the thread's `schedstat', user and kernel mode
 * together. `stat' splits it, in steps of 10 ms: every READ_NS it corrects what was credited. (With
 * all of a thread's CPU time for a limit, threads that come first at a tick would take the samples
 * that the user time of their process allows, and leave too few to the others.)
 * A look that finds a thread in a call gives no sample and is not charged: under load many do,
 * since threads wait for a CPU where they were born, were woken, or made the call that ended their
 * slice.
 */
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/proc.h"
#include "process/descriptors.h"
#include "process/proc_open.h"
#include "sample_ptrace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

/* So many periods may looks run ahead of CPU time, and so many times what a tick represents may CPU
 * time be remembered. When more than USUAL_BEHIND periods wait for a look, which is more than
 * chance makes of it, one look represents the surplus, up to MAX_WEIGHT: a thread's CPU time can
 * rise by half a second at once, as when the tracer could not run meanwhile. */
enum { MAX_AHEAD = 8, USUAL_BEHIND = 16, MAX_BEHIND = 1000, MAX_WEIGHT = 100 };
enum { READ_NS = 50000000 }; /* of CPU time, between readings of `stat' */

static ssize_t read_task(int fd, int tid, const char *name, char *to, size_t cap)
{
    SCOPED_FD own = fd < 0 ? proc_open_thread(tid, name) : -1;
    return descriptor_text(fd < 0 ? own : fd, to, cap);
}

static bool is_runnable_by_stat(const struct tracee *x)
{
    char text[512];
    if (read_task(-1, x->tid, "stat", text, sizeof text) <= 0)
        return false;
    const char *state = strrchr(text, ')');
    return state && state[1] == ' ' && state[2] == 'R';
}

static bool is_runnable(struct tracee *x)
{
    char text[16];
    if (read_task(x->call_fd, x->tid, "syscall", text, sizeof text) <= 0)
        return is_runnable_by_stat(x);
    return *text == 'r'; /* "running", else a number */
}

static int64_t periods_to_ns(const struct tracer *t, unsigned n)
{
    return (int64_t)(n * t->period_ns);
}

static bool has_credit(const struct tracer *t, int64_t credit_ns)
{
    return credit_ns > -periods_to_ns(t, MAX_AHEAD);
}

/* CPU time since then, to be looked at. A late tick represents more, and each of several
 * threads has used so much meanwhile. */
static void add_credit(const struct tracer *t, unsigned due, int64_t *credit_ns, uint64_t ns)
{
    int64_t max_ns = periods_to_ns(t, MAX_BEHIND * due);
    *credit_ns = ns > 2 * (uint64_t)max_ns ? max_ns : *credit_ns + (int64_t)ns;
    if (*credit_ns > max_ns)
        *credit_ns = max_ns;
}

/* CPU time since the last tick, 0 at first. */
static uint64_t elapsed_ns(struct traced_time *x, uint64_t cpu_ns)
{
    uint64_t ns = x->cpu_ns && cpu_ns > x->cpu_ns ? cpu_ns - x->cpu_ns : 0;
    x->cpu_ns = cpu_ns;
    return ns;
}

/* Of a process, or of its thread TID unless that is 0. */
static bool read_stat(int pid, int tid, struct proc_stat *out)
{
    char path[48] = "stat";
    if (tid)
        snprintf(path, sizeof path, "task/%d/stat", tid);
    SCOPED_BUF text = BUF_INIT;
    return proc_text(pid, path, &text, NULL) == 0 && proc_stat_parse(buf_str(&text), out);
}

/* What was credited since the last reading went by the share before that. */
static void correct_credit(struct traced_time *x, const struct proc_stat *now)
{
    uint64_t user = now->user_ticks - x->stat.user_ticks;
    uint64_t both = user + now->sys_ticks - x->stat.sys_ticks;
    x->credit_ns += (int64_t)(user * NS_PER_S / proc_ticks_hz()) - x->credited_ns;
    if (both)
        x->user_pct = (unsigned)(100 * user / both);
}

static void read_user_time(struct traced_time *x, int pid, int tid)
{
    struct proc_stat now;
    if (!read_stat(pid, tid, &now))
        return;
    if (x->stat_known)
        correct_credit(x, &now);
    x->stat_known = true;
    x->stat = now;
    x->stat_cpu_ns = x->cpu_ns;
    x->credited_ns = 0;
}

static void add_user_credit(const struct tracer *t, unsigned due, struct traced_time *x,
                            uint64_t ns, int pid, int tid)
{
    if (!x->stat_known)
        read_user_time(x, pid, tid);
    uint64_t user_ns = ns * x->user_pct / 100;
    x->credited_ns += (int64_t)user_ns;
    add_credit(t, due, &x->credit_ns, user_ns);
    if (x->cpu_ns - x->stat_cpu_ns > READ_NS)
        read_user_time(x, pid, tid);
}

static void account_process(const struct tracer *t, struct traced_process *p, unsigned due)
{
    struct timespec now;
    p->ran = p->started;
    if (!p->started || p->clock == -1 || clock_gettime(p->clock, &now) < 0)
        return;
    uint64_t before_ns = p->time.cpu_ns;
    uint64_t ns = elapsed_ns(&p->time, (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec);
    add_user_credit(t, due, &p->time, ns, p->pid, 0);
    p->ran = p->time.cpu_ns != before_ns;
}

static void account_thread(const struct tracer *t, struct tracee *x, unsigned due)
{
    char text[96];
    if (read_task(x->sched_fd, x->tid, "schedstat", text, sizeof text) <= 0) {
        x->time.credit_ns = 0; /* a kernel without it: the process's time alone is the limit */
        return;
    }
    uint64_t ns = elapsed_ns(&x->time, strtoull(text, NULL, 10));
    add_user_credit(t, due, &x->time, ns, x->process->pid, x->tid);
}

static void charge_tracee(struct tracee *x, int64_t ns)
{
    x->time.credit_ns -= ns;
    if (x->process->clock != -1)
        x->process->time.credit_ns -= ns;
}

void tracer_undo_charge(const struct tracer *t, struct tracee *x)
{
    charge_tracee(x, -periods_to_ns(t, x->due));
}

static void interrupt_tracee(struct tracer *t, struct tracee *x, unsigned due)
{
    x->due += due;
    charge_tracee(x, periods_to_ns(t, due));
    if (x->is_interrupting || ptrace(PTRACE_INTERRUPT, x->tid, NULL, NULL) < 0)
        return;
    x->is_interrupting = true;
    x->interrupt_ns = clock_mono_ns();
    t->interrupts_pending++;
    t->counts.interrupts++;
}

/* Ticks that the next look represents in addition to its own. */
static unsigned surplus(const struct tracer *t, const struct tracee *x)
{
    int64_t behind_ns = x->time.credit_ns;
    if (x->process->clock != -1 && x->process->time.credit_ns < behind_ns)
        behind_ns = x->process->time.credit_ns;
    int64_t ticks = behind_ns / (int64_t)t->period_ns - USUAL_BEHIND;
    if (ticks <= 0)
        return 0;
    return ticks < MAX_WEIGHT ? (unsigned)ticks : MAX_WEIGHT;
}

/* Whether it has a look. */
static bool check_tracee(struct tracer *t, struct tracee *x, unsigned due)
{
    if (!x->process || !x->process->ran || !has_credit(t, x->process->time.credit_ns) ||
        restart_needs_call_stop(&x->restart) || !is_runnable(x))
        return false;
    account_thread(t, x, due);
    if (!has_credit(t, x->time.credit_ns))
        return false;
    interrupt_tracee(t, x, due + surplus(t, x));
    return true;
}

/* Where there is CPU time for some only, it is each one's turn. */
static void check_tracees(struct tracer *t, unsigned due)
{
    const struct threads *all = &t->threads;
    size_t first = t->first, looked = 0;
    for (size_t i = 0; i < all->count; i++)
        if (check_tracee(t, threads_at(all, (first + i) % all->count), due) && looked++ == 0)
            t->first = first + i + 1;
}

void tracer_tick(struct tracer *t, unsigned due)
{
    t->counts.ticks++;
    t->counts.missed += due - 1;
    if (due > MAX_WEIGHT)
        due = MAX_WEIGHT;
    for (size_t i = 0; i < t->processes; i++)
        account_process(t, t->process[i], due);
    check_tracees(t, due);
}
