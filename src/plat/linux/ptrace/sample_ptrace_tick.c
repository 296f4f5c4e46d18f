/*
 * Who is running at a tick. That a thread is runnable is told by its file `syscall', which is the
 * cheapest to ask; where the kernel has none, by `stat'. A thread that waits for a CPU is runnable
 * too: CPU time tells, a process's by its clock, a thread's in `schedstat', so that in the long run
 * each has as many looks as it has had periods of CPU time.
 */
#include "plat/clock.h"
#include "sample_ptrace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

/* So many periods may looks run ahead of CPU time, and so many of CPU time be remembered: enough
 * that chance does not touch them. */
enum { MOST_AHEAD = 8, MOST_BEHIND = 32, MOST_WEIGHT = 100 };

static ssize_t read_task(int fd, int tid, const char *name, char *to, size_t room)
{
    char path[64];
    ssize_t n;
    if (fd >= 0) {
        n = pread(fd, to, room - 1, 0);
    } else {
        snprintf(path, sizeof path, "/proc/%d/task/%d/%s", tid, tid, name);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        n = fd < 0 ? -1 : read(fd, to, room - 1);
        if (fd >= 0)
            close(fd);
    }
    to[n > 0 ? n : 0] = '\0';
    return n;
}

static bool runnable_by_stat(const struct tracee *x)
{
    char text[512];
    if (read_task(-1, x->tid, "stat", text, sizeof text) <= 0)
        return false;
    const char *state = strrchr(text, ')');
    return state && state[1] == ' ' && state[2] == 'R';
}

static bool runnable(struct tracee *x)
{
    char text[16];
    if (read_task(x->call_fd, x->tid, "syscall", text, sizeof text) <= 0)
        return runnable_by_stat(x);
    return *text == 'r'; /* "running", else a number */
}

static int64_t periods(const struct tracer *t, unsigned n)
{
    return (int64_t)(n * t->period_ns);
}

static bool has_credit(const struct tracer *t, int64_t credit_ns)
{
    return credit_ns > -periods(t, MOST_AHEAD);
}

/* CPU time since the last tick, to be looked at: total_ns now, *seen_ns then, 0 at first. */
static void earn(const struct tracer *t, int64_t *credit_ns, uint64_t *seen_ns, uint64_t total_ns)
{
    uint64_t ns = *seen_ns && total_ns > *seen_ns ? total_ns - *seen_ns : 0;
    int64_t most = periods(t, MOST_BEHIND);
    *seen_ns = total_ns;
    *credit_ns = ns > (uint64_t)periods(t, 2 * MOST_BEHIND) ? most : *credit_ns + (int64_t)ns;
    if (*credit_ns > most)
        *credit_ns = most;
}

static void see_process(struct tracer *t, struct traced_process *p)
{
    struct timespec now;
    uint64_t before_ns = p->cpu_ns;
    p->ran = p->started;
    if (!p->started || p->clock == -1 || clock_gettime(p->clock, &now) < 0)
        return;
    earn(t, &p->credit_ns, &p->cpu_ns, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
    p->ran = p->cpu_ns != before_ns;
    if (p->ran && t->want.chains)
        traced_maps_watch(t, p);
}

static void see_thread(const struct tracer *t, struct tracee *x)
{
    char text[96];
    if (read_task(x->sched_fd, x->tid, "schedstat", text, sizeof text) <= 0) {
        x->credit_ns = 0; /* a kernel that does not tell */
        return;
    }
    earn(t, &x->credit_ns, &x->ran_ns, strtoull(text, NULL, 10));
}

static void ask(struct tracer *t, struct tracee *x, unsigned due)
{
    int64_t ns = periods(t, due);
    x->due += due;
    x->credit_ns -= ns;
    if (x->of->clock != -1)
        x->of->credit_ns -= ns;
    if (x->asked || ptrace(PTRACE_INTERRUPT, x->tid, NULL, NULL) < 0)
        return;
    x->asked = true;
    x->asked_ns = clock_mono_ns();
    t->asked++;
    t->counts.asked++;
}

static void see(struct tracer *t, struct tracee *x, unsigned due)
{
    if (!x->of || !x->of->ran || !has_credit(t, x->of->credit_ns) || x->redo.state >= CALL_REST ||
        !runnable(x))
        return;
    see_thread(t, x);
    if (has_credit(t, x->credit_ns))
        ask(t, x, due);
}

void tracer_tick(struct tracer *t, unsigned due)
{
    t->counts.ticks++;
    t->counts.missed += due - 1;
    if (due > MOST_WEIGHT)
        due = MOST_WEIGHT;
    for (size_t i = 0; i < t->processes; i++)
        see_process(t, t->process[i]);
    t->first++; /* where there is CPU time for some only, it is each one's turn */
    for (size_t i = 0; i < t->threads; i++)
        see(t, t->thread[(t->first + i) % t->threads], due);
}
