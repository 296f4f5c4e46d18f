/*
 * Who is running at a tick. That a thread is runnable is told by its file `syscall', which is the
 * cheapest to ask and, of those who sleep, names the call they sleep in; where the kernel has none,
 * by `stat'. A thread that waits for a CPU is runnable too: its CPU time in `schedstat' tells, so
 * that in the long run a thread has as many looks as it has had periods of CPU time.
 */
#include "sample_ptrace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

/* So many periods may looks run ahead of CPU time, or CPU time be remembered: enough that chance
 * does not touch it. */
enum { MOST_AHEAD = 32, MOST_WEIGHT = 16 };

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
    char text[TRACEE_CALL_TEXT];
    if (read_task(x->call_fd, x->tid, "syscall", text, sizeof text) <= 0)
        return runnable_by_stat(x);
    if (*text == 'r')
        return true;
    memcpy(x->call, text, sizeof text);
    return false;
}

/* Whether it has had CPU time that no look stands for. */
static bool has_credit(const struct tracer *t, struct tracee *x, unsigned due)
{
    char text[96];
    int64_t most = (int64_t)(MOST_AHEAD * t->period_ns);
    if (read_task(x->sched_fd, x->tid, "schedstat", text, sizeof text) <= 0)
        return true;
    uint64_t ran_ns = strtoull(text, NULL, 10);
    x->credit_ns += (int64_t)(ran_ns - x->ran_ns);
    x->ran_ns = ran_ns;
    if (x->credit_ns > most)
        x->credit_ns = most;
    if (x->credit_ns <= -most)
        return false;
    x->credit_ns -= (int64_t)(due * t->period_ns);
    return true;
}

static void ask(struct tracer *t, struct tracee *x, unsigned due)
{
    x->due += due;
    if (x->asked || ptrace(PTRACE_INTERRUPT, x->tid, NULL, NULL) < 0)
        return;
    x->asked = true;
    t->asked++;
    t->counts.asked++;
}

static void see_processes(struct tracer *t)
{
    for (size_t i = 0; i < t->processes; i++) {
        struct traced_process *p = t->process[i];
        struct timespec now;
        p->ran = p->started;
        if (!p->started || p->clock == -1 || clock_gettime(p->clock, &now) < 0)
            continue;
        uint64_t cpu_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
        p->ran = cpu_ns != p->cpu_ns;
        p->cpu_ns = cpu_ns;
    }
}

void tracer_tick(struct tracer *t, unsigned due)
{
    t->counts.ticks++;
    t->counts.missed += due - 1;
    if (due > MOST_WEIGHT)
        due = MOST_WEIGHT;
    see_processes(t);
    for (size_t i = 0; i < t->threads; i++) {
        struct tracee *x = t->thread[i];
        if (x->of && x->of->ran && runnable(x) && has_credit(t, x, due))
            ask(t, x, due);
    }
}
