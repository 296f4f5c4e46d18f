#include "plat/count_running.h"

#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "core/containers/imap.h"
#include "count_open.h"
#include "perf/perf.h"
#include "plat/clock.h"
#include "plat/proc.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MAX_THREADS = 32768, MAX_TRIES = 50, MAX_TRYING_S = 2 };

struct counted {
    struct count_event event;
    enum counter_state state;
    bool kernel; /* its part is counted, too */
    int err;     /* why the last one could not be opened */
    int *fd;     /* one a thread or CPU */
    size_t fds, cap;
};

struct count_running {
    struct counted *counted; /* one an event */
    size_t events;
    size_t open, max_open; /* descriptors */
    size_t targets, unsure;
};

/* --- opening --- */

static bool is_refusal(int e)
{
    return e == -EACCES || e == -EPERM;
}

/* The kernel's part is left out when the first of the counters is opened, or it is never. */
static int open_one(struct counted *c, int tid, int cpu)
{
    struct count_target at = {.tid = tid, .cpu = cpu, .kernel = c->kernel, .inherit = cpu < 0};
    int fd = count_open_event(&c->event, &at);
    enum counter_state state;
    if (fd >= 0 || c->fds || !c->kernel || !count_without_kernel(&c->event, errno, &state))
        return fd < 0 ? -errno : fd;
    at.kernel = false;
    fd = count_open_event(&c->event, &at);
    if (fd < 0)
        return -errno;
    c->kernel = false;
    c->state = state;
    return fd;
}

static int keep(struct count_running *r, struct counted *c, int fd)
{
    bool fits = r->open < r->max_open;
    if (!fits || !grow(&c->fd, &c->cap, c->fds, sizeof *c->fd)) {
        close(fd);
        return fits ? -ENOMEM : -EMFILE;
    }
    c->fd[c->fds++] = fd;
    r->open++;
    return 0;
}

/* An error with which nothing can be counted, not only this event. */
static bool is_fatal(int e)
{
    return e == -EMFILE || e == -ENFILE || e == -ENOMEM || e == -ESRCH;
}

/* All events of a thread, or of a CPU (tid -1). 0; -ESRCH: the thread has ended; or why nothing of
 * it can be counted. */
static int open_target(struct count_running *r, int tid, int cpu)
{
    bool any = false;
    int refused = 0;
    for (size_t i = 0; i < r->events; i++) {
        struct counted *c = &r->counted[i];
        int fd = open_one(c, tid, cpu);
        int e = fd < 0 ? fd : keep(r, c, fd);
        if (is_fatal(e))
            return e;
        any |= e == 0;
        c->err = -e;
        refused = is_refusal(e) ? e : refused;
    }
    bool none_here = !any && !refused; /* the machine has no such counters */
    r->targets += any || none_here;
    return any ? 0 : refused;
}

/* What has no counter anywhere. */
static void note_states(struct count_running *r)
{
    for (size_t i = 0; i < r->events; i++)
        if (r->counted[i].fds == 0)
            r->counted[i].state = count_state_of(r->counted[i].err);
}

static void enable(struct count_running *r)
{
    for (size_t i = 0; i < r->events; i++)
        for (size_t k = 0; k < r->counted[i].fds; k++)
            ioctl(r->counted[i].fd[k], PERF_EVENT_IOC_ENABLE, 0);
}

static void close_all(struct count_running *r)
{
    for (size_t i = 0; i < r->events; i++) {
        struct counted *c = &r->counted[i];
        for (size_t k = 0; k < c->fds; k++)
            close(c->fd[k]);
        c->fds = 0;
        c->state = COUNTER_COUNTED;
        c->kernel = c->event.kernel;
    }
    r->open = r->targets = 0;
}

/* --- the threads of processes --- */

struct threads {
    const struct count_running_want *want;
    struct imap seen;
    int *tid;    /* MAX_THREADS of them */
    size_t live; /* that had not ended when their counters were opened */
    int failed;  /* the process that could not be counted */
};

/* Passes those of a process that were not seen before to the counters, when there are some; how
 * many these are, or -errno. */
static int take_new(struct threads *t, struct count_running *r, int pid, struct fail *f)
{
    int n = proc_threads(pid, t->tid, MAX_THREADS, f), added = 0;
    if (n > MAX_THREADS)
        return -E2BIG;
    for (int i = 0; i < n; i++) {
        uint64_t *mark = imap_at(&t->seen, (uint64_t)t->tid[i]);
        if (!mark)
            return -ENOMEM;
        if (*mark)
            continue;
        *mark = 1;
        added++;
        int e = r ? open_target(r, t->tid[i], -1) : 0;
        if (e < 0 && e != -ESRCH)
            return e;
        t->live += r && e == 0;
    }
    return n < 0 ? n : added;
}

/* Of all processes; with r they are counted. One that ends meanwhile has no new threads. */
static int take_all(struct threads *t, struct count_running *r, struct fail *f)
{
    int added = 0;
    for (size_t i = 0; i < t->want->pids; i++) {
        int e = take_new(t, r, t->want->pid[i], f);
        if (e < 0 && (e != -ESRCH || r)) {
            t->failed = t->want->pid[i];
            return e;
        }
        added += e > 0 ? e : 0;
    }
    return added;
}

/*
 * A thread that is new after the counters were opened was started by one that had its counters, and
 * inherited them, or by one that had not: which, the kernel does not say. So all are closed, and
 * opened once more.
 */
static int open_processes(struct threads *t, struct count_running *r, struct fail *f)
{
    uint64_t give_up_ns = clock_mono_ns() + MAX_TRYING_S * NS_PER_S;
    for (int i = 0; i == 0 || (i < MAX_TRIES && clock_mono_ns() < give_up_ns); i++) {
        close_all(r);
        imap_release(&t->seen);
        t->seen = (struct imap){0};
        int e = take_all(t, r, f);
        int more = e < 0 ? e : take_all(t, NULL, f);
        r->unsure = more > 0 ? (size_t)more : 0;
        if (more <= 0)
            return more;
    }
    return 0;
}

/* --- the whole machine --- */

static int open_machine(struct count_running *r)
{
    int *cpu = NULL, n = perf_cpus(&cpu), e = n < 0 ? n : 0;
    for (int i = 0; i < n && e >= 0; i++)
        e = open_target(r, -1, cpu[i]);
    free(cpu);
    return e;
}

/* --- failures --- */

static int refuse(int e, const struct count_running *r, int pid, struct fail *f)
{
    if (e == -ESRCH)
        return fail_set(f, ESRCH, "process %d", pid);
    if (pid)
        fail_set(f, -e, "counting process %d", pid);
    else
        fail_set(f, -e, "counting on all CPUs");
    if (is_refusal(e))
        perf_denied_hint(pid ? 2 : 0, f);
    else if (e == -EMFILE || e == -ENFILE)
        fail_hint(f,
                  "it needs one descriptor per event and %s, but only %zu could be opened: raise "
                  "`ulimit -n', or count fewer events with -c",
                  pid ? "thread" : "CPU", r->open);
    else if (e == -E2BIG)
        fail_hint(f, "at most %d threads of a process can be counted", MAX_THREADS);
    return e;
}

static int open_want(const struct count_running_want *want, struct count_running *r, struct fail *f)
{
    struct threads t = {.want = want};
    int e;
    if (want->pids == 0) {
        e = open_machine(r);
    } else {
        t.tid = malloc(MAX_THREADS * sizeof *t.tid);
        e = t.tid ? open_processes(&t, r, f) : -ENOMEM;
        free(t.tid);
        imap_release(&t.seen);
    }
    if (e >= 0 && want->pids && t.live == 0) {
        t.failed = want->pid[0];
        e = -ESRCH;
    }
    return e < 0 ? refuse(e, r, t.failed, f) : 0;
}

static struct count_running *running_new(const struct count_running_want *want)
{
    struct count_running *r = calloc(1, sizeof *r);
    struct counted *counted = calloc(want->events + 1, sizeof *counted);
    if (!r || !counted) {
        free(r);
        free(counted);
        return NULL;
    }
    r->counted = counted;
    r->events = want->events;
    r->max_open = perf_raise_descriptors();
    for (size_t i = 0; i < r->events; i++)
        counted[i].event = want->event[i];
    close_all(r);
    return r;
}

int count_running_open(const struct count_running_want *want, struct count_running **out,
                       struct fail *f)
{
    struct count_running *r = running_new(want);
    int e = r ? open_want(want, r, f) : fail_set(f, ENOMEM, "counters");
    if (e < 0) {
        count_running_close(r);
        return e;
    }
    note_states(r);
    enable(r);
    *out = r;
    return 0;
}

void count_running_close(struct count_running *r)
{
    if (!r)
        return;
    close_all(r);
    for (size_t i = 0; i < r->events; i++)
        free(r->counted[i].fd);
    free(r->counted);
    free(r);
}

/* --- reading --- */

void count_running_read(const struct count_running *r, struct counter_reading *out)
{
    for (size_t i = 0; i < r->events; i++) {
        const struct counted *c = &r->counted[i];
        out[i] = (struct counter_reading){.state = c->state};
        for (size_t k = 0; k < c->fds; k++) {
            struct counter_reading one = {.state = c->state};
            count_read(c->fd[k], &one);
            out[i].count += one.count;
            out[i].enabled_ns += one.enabled_ns;
            out[i].running_ns += one.running_ns;
        }
    }
}

size_t count_running_targets(const struct count_running *r)
{
    return r->targets;
}

size_t count_running_unsure(const struct count_running *r)
{
    return r->unsure;
}
