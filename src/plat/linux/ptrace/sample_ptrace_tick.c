/*
 * Which threads run at a tick. That a thread is runnable is seen in its file `syscall', which is
 * the cheapest to ask; where the kernel has none, by `stat'. A thread that waits for a CPU is
 * runnable too: CPU time tells, so that in the long run each thread has as many looks as it has had
 * periods of it by its `schedstat', and a process as many samples as it has had of user time.
 *
 * A process's clock tells at each tick what it has had, user and kernel mode together. Its `stat'
 * tells them apart, in steps of 10 ms: every READ_NS its user time corrects what was credited.
 * A look that finds a thread in a call gives no sample and is not charged: under load many do,
 * since threads wait for a CPU where they were born, were woken, or made the call that ended their
 * slice.
 */
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/proc.h"
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
    ssize_t n;
    if (fd >= 0) {
        n = pread(fd, to, cap - 1, 0);
    } else {
        fd = proc_open_thread(tid, name);
        n = fd < 0 ? -1 : read(fd, to, cap - 1);
        if (fd >= 0)
            close(fd);
    }
    to[n > 0 ? n : 0] = '\0';
    return n;
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

/* Since *seen_ns, 0 at first. */
static uint64_t elapsed_ns(uint64_t *seen_ns, uint64_t total_ns)
{
    uint64_t ns = *seen_ns && total_ns > *seen_ns ? total_ns - *seen_ns : 0;
    *seen_ns = total_ns;
    return ns;
}

static bool read_stat(int pid, struct proc_stat *out)
{
    struct buf text = BUF_INIT;
    bool read = proc_text(pid, "stat", &text, NULL) == 0 && proc_stat_parse(buf_str(&text), out);
    buf_release(&text);
    return read;
}

/* What was credited since the last reading went by the share before that. */
static void correct_credit(struct traced_process *p, const struct proc_stat *now)
{
    struct traced_user *u = &p->user;
    uint64_t user = now->user_ticks - u->stat.user_ticks;
    uint64_t both = user + now->sys_ticks - u->stat.sys_ticks;
    p->credit_ns += (int64_t)(user * NS_PER_S / proc_ticks_hz()) - u->credited_ns;
    if (both)
        u->pct = (unsigned)(100 * user / both);
}

static void read_user_time(struct traced_process *p)
{
    struct traced_user *u = &p->user;
    struct proc_stat now;
    if (!read_stat(p->pid, &now))
        return;
    if (u->known)
        correct_credit(p, &now);
    *u = (struct traced_user){.known = true, .stat = now, .cpu_ns = p->cpu_ns, .pct = u->pct};
}

static void add_user_credit(const struct tracer *t, unsigned due, struct traced_process *p,
                            uint64_t ns)
{
    struct traced_user *u = &p->user;
    if (!u->known)
        read_user_time(p);
    uint64_t user_ns = ns * u->pct / 100;
    u->credited_ns += (int64_t)user_ns;
    add_credit(t, due, &p->credit_ns, user_ns);
    if (p->cpu_ns - u->cpu_ns > READ_NS)
        read_user_time(p);
}

static void account_process(struct tracer *t, struct traced_process *p, unsigned due)
{
    struct timespec now;
    p->ran = p->started;
    if (!p->started || p->clock == -1 || clock_gettime(p->clock, &now) < 0)
        return;
    uint64_t before_ns = p->cpu_ns;
    uint64_t ns = elapsed_ns(&p->cpu_ns, (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec);
    add_user_credit(t, due, p, ns);
    p->ran = p->cpu_ns != before_ns;
    if (p->ran && t->want.chains)
        traced_maps_update_by_size(t, p);
}

static void account_thread(const struct tracer *t, struct tracee *x, unsigned due)
{
    char text[96];
    if (read_task(x->sched_fd, x->tid, "schedstat", text, sizeof text) <= 0) {
        x->credit_ns = 0; /* a kernel that does not tell */
        return;
    }
    add_credit(t, due, &x->credit_ns, elapsed_ns(&x->ran_ns, strtoull(text, NULL, 10)));
}

static void charge_tracee(struct tracee *x, int64_t ns)
{
    x->credit_ns -= ns;
    if (x->process->clock != -1)
        x->process->credit_ns -= ns;
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
    int64_t behind_ns = x->credit_ns;
    if (x->process->clock != -1 && x->process->credit_ns < behind_ns)
        behind_ns = x->process->credit_ns;
    int64_t ticks = behind_ns / (int64_t)t->period_ns - USUAL_BEHIND;
    if (ticks <= 0)
        return 0;
    return ticks < MAX_WEIGHT ? (unsigned)ticks : MAX_WEIGHT;
}

static void check_tracee(struct tracer *t, struct tracee *x, unsigned due)
{
    if (!x->process || !x->process->ran || !has_credit(t, x->process->credit_ns) ||
        restart_needs_call_stop(&x->restart) || !is_runnable(x))
        return;
    account_thread(t, x, due);
    if (has_credit(t, x->credit_ns))
        interrupt_tracee(t, x, due + surplus(t, x));
}

void tracer_tick(struct tracer *t, unsigned due)
{
    t->counts.ticks++;
    t->counts.missed += due - 1;
    if (due > MAX_WEIGHT)
        due = MAX_WEIGHT;
    for (size_t i = 0; i < t->processes; i++)
        account_process(t, t->process[i], due);
    t->first++; /* where there is CPU time for some only, it is each one's turn */
    const struct threads *all = &t->threads;
    for (size_t i = 0; i < all->count; i++)
        check_tracee(t, threads_at(all, (t->first + i) % all->count), due);
}
