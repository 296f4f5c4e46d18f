/* Whom the tracer follows: threads by their ids, and the processes they are of. */
#include "core/base/grow.h"
#include "process/descriptors.h"
#include "process/proc_open.h"
#include "sample_ptrace.h"
#include "tracee_status.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_OPEN_FILES = 512 };

/* --- files of /proc that are kept open --- */

static int open_file(struct tracer *t, int tid, const char *name)
{
    if (t->open_files >= MAX_OPEN_FILES)
        return -1;
    int fd = proc_open_thread(tid, name);
    t->open_files += fd >= 0;
    return fd;
}

static void close_file(struct tracer *t, int fd)
{
    t->open_files -= fd >= 0;
    descriptor_close(&fd);
}

/* --- processes --- */

static struct traced_process *process_new(struct tracer *t, int pid)
{
    bool fits = grow(&t->process, &t->process_cap, t->processes, sizeof *t->process);
    struct traced_process *p = fits ? calloc(1, sizeof *p) : NULL;
    if (!p)
        return NULL;
    p->pid = pid;
    p->time.user_pct = 100;
    p->statm_fd = open_file(t, pid, "statm");
    if (clock_getcpuclockid(pid, &p->clock) != 0)
        p->clock = -1;
    return t->process[t->processes++] = p;
}

struct traced_process *tracer_process(struct tracer *t, int pid)
{
    for (size_t i = 0; i < t->processes; i++)
        if (t->process[i]->pid == pid)
            return t->process[i];
    return process_new(t, pid);
}

static void free_process(struct tracer *t, struct traced_process *p)
{
    close_file(t, p->statm_fd);
    free(p->map);
    free(p);
}

static void release_process(struct tracer *t, struct traced_process *p)
{
    if (--p->threads)
        return;
    for (size_t i = 0; i < t->processes; i++)
        if (t->process[i] == p)
            t->process[i] = t->process[--t->processes];
    free_process(t, p);
}

/* --- threads --- */

void tracer_set_process(struct tracee *x, struct traced_process *of)
{
    x->process = of;
    x->time.user_pct = of->time.user_pct;
    of->threads++;
}

struct tracee *tracer_add(struct tracer *t, int tid, struct traced_process *of)
{
    struct tracee *x = threads_add(&t->threads, tid, sizeof *x);
    if (!x)
        return NULL;
    x->tid = tid;
    x->call_fd = open_file(t, tid, "syscall");
    x->sched_fd = open_file(t, tid, "schedstat");
    if (of)
        tracer_set_process(x, of);
    return x;
}

void tracer_remove(struct tracer *t, struct tracee *x)
{
    t->interrupts_pending -= x->is_interrupting;
    close_file(t, x->call_fd);
    close_file(t, x->sched_fd);
    if (x->process)
        release_process(t, x->process);
    threads_remove(&t->threads, x->tid);
}

void tracer_release(struct tracer *t)
{
    while (t->threads.count)
        tracer_remove(t, threads_at(&t->threads, t->threads.count - 1));
    threads_release(&t->threads);
    for (size_t i = 0; i < t->processes; i++) /* one that could not be seized */
        free_process(t, t->process[i]);
    free(t->process);
    free(t->stack);
}

/* --- taking hold of a process --- */

static int seize_thread(const struct tracer *t, int tid)
{
    long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
    if (t->want.children)
        options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
    if (ptrace(PTRACE_SEIZE, tid, NULL, (void *)options) == 0)
        return 0;
    int err = errno;
    if (err == EPERM && ptrace_status(tid, "\nTracerPid:") == syscall(SYS_gettid))
        return 0; /* one that we hold has cloned it meanwhile */
    return -err;
}

static int follow_thread(void *tracer, int tid)
{
    struct tracer *t = tracer;
    struct traced_process *p = tracer_process(t, t->want.pid);
    int r = seize_thread(t, tid);
    if (r == -ESRCH && tid != p->pid)
        return 0; /* it has ended */
    if (r < 0)
        return r;
    struct tracee *x = tracer_add(t, tid, p);
    if (!x)
        return -ENOMEM;
    tracer_update_comm(t, x, false);
    return 0;
}

int tracer_attach(struct tracer *t, struct fail *f)
{
    struct traced_process *p = tracer_process(t, t->want.pid);
    if (!p)
        return fail_set(f, ENOMEM, "tracing process %d", t->want.pid);
    p->started = !t->want.on_exec;
    t->own_child = ptrace_status(p->pid, "\nPPid:") == getpid();
    int r = threads_hold_all(&t->threads, p->pid, follow_thread, t);
    if (r < 0)
        return ptrace_fail_denied(t->want.pid, -r, f);
    traced_maps_read(t, p, true);
    return 0;
}
