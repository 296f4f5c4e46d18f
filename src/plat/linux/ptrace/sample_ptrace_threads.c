/* Whom the tracer follows: threads by their ids, and the processes they are of. */
#include "plat/proc.h"
#include "sample_ptrace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_THREADS = 8192, MOST_OPEN = 512 };

/* --- processes --- */

static struct traced_process *process_new(struct tracer *t, int pid)
{
    if (t->processes == t->process_room) {
        size_t room = t->process_room ? 2 * t->process_room : 4;
        struct traced_process **grown = realloc(t->process, room * sizeof *grown);
        if (!grown)
            return NULL;
        t->process = grown;
        t->process_room = room;
    }
    struct traced_process *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->pid = pid;
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

static void process_left(struct tracer *t, struct traced_process *p)
{
    if (--p->threads)
        return;
    for (size_t i = 0; i < t->processes; i++)
        if (t->process[i] == p)
            t->process[i] = t->process[--t->processes];
    free(p->map);
    free(p);
}

/* --- threads --- */

struct tracee *tracer_find(const struct tracer *t, int tid)
{
    size_t i = (size_t)imap_get(&t->of_tid, (uint64_t)tid);
    return i ? t->thread[i - 1] : NULL;
}

static int open_file(struct tracer *t, int tid, const char *name)
{
    char path[64];
    if (t->open_files >= MOST_OPEN)
        return -1;
    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", tid, tid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    t->open_files += fd >= 0;
    return fd;
}

void tracer_claim(struct tracee *x, struct traced_process *of)
{
    x->of = of;
    of->threads++;
}

struct tracee *tracer_add(struct tracer *t, int tid, struct traced_process *of)
{
    if (t->threads == t->room) {
        size_t room = t->room ? 2 * t->room : 16;
        struct tracee **grown = realloc(t->thread, room * sizeof *grown);
        if (!grown)
            return NULL;
        t->thread = grown;
        t->room = room;
    }
    struct tracee *x = calloc(1, sizeof *x);
    uint64_t *index = x ? imap_at(&t->of_tid, (uint64_t)tid) : NULL;
    if (!index) {
        free(x);
        return NULL;
    }
    x->tid = tid;
    x->call_fd = open_file(t, tid, "syscall");
    x->sched_fd = open_file(t, tid, "schedstat");
    t->thread[t->threads] = x;
    *index = ++t->threads;
    if (of)
        tracer_claim(x, of);
    return x;
}

static void close_file(struct tracer *t, int fd)
{
    if (fd < 0)
        return;
    close(fd);
    t->open_files--;
}

void tracer_remove(struct tracer *t, struct tracee *x)
{
    uint64_t *index = imap_at(&t->of_tid, (uint64_t)x->tid);
    size_t at = (size_t)*index - 1;
    struct tracee *last = t->thread[--t->threads];
    *index = 0;
    t->thread[at] = last;
    if (last != x)
        *imap_at(&t->of_tid, (uint64_t)last->tid) = at + 1;
    t->asked -= x->asked;
    close_file(t, x->call_fd);
    close_file(t, x->sched_fd);
    if (x->of)
        process_left(t, x->of);
    free(x);
}

void tracer_release(struct tracer *t)
{
    while (t->threads)
        tracer_remove(t, t->thread[t->threads - 1]);
    for (size_t i = 0; i < t->processes; i++) /* one that could not be seized */
        free(t->process[i]);
    free(t->thread);
    free(t->process);
    free(t->stack);
    imap_release(&t->of_tid);
}

/* --- taking hold of a process --- */

static const char *status_line(int pid, const char *key, struct buf *text)
{
    if (proc_text(pid, "status", text, NULL) < 0)
        return NULL;
    const char *at = strstr(buf_str(text), key);
    return at ? at + strlen(key) : NULL;
}

long ptrace_status(int pid, const char *key)
{
    struct buf text = BUF_INIT;
    const char *at = status_line(pid, key, &text);
    long v = at ? strtol(at, NULL, 10) : -1;
    buf_release(&text);
    return v;
}

unsigned long long ptrace_status_set(int pid, const char *key)
{
    struct buf text = BUF_INIT;
    const char *at = status_line(pid, key, &text);
    unsigned long long v = at ? strtoull(at, NULL, 16) : 0;
    buf_release(&text);
    return v;
}

static int seize(const struct tracer *t, int tid)
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

static int follow(struct tracer *t, struct traced_process *p, int tid)
{
    int r = seize(t, tid);
    if (r == -ESRCH && tid != p->pid)
        return 0; /* it has ended */
    if (r < 0)
        return r;
    struct tracee *x = tracer_add(t, tid, p);
    if (!x)
        return -ENOMEM;
    tracer_rename(t, x, false);
    return 0;
}

/* Those that were not known; or -errno. */
static int follow_listed(struct tracer *t, struct traced_process *p, const int *tid, int n)
{
    int fresh = 0, r = 0;
    for (int i = 0; i < n && r == 0; i++) {
        if (tracer_find(t, tid[i]))
            continue;
        r = follow(t, p, tid[i]);
        fresh++;
    }
    return r < 0 ? r : fresh;
}

/* Threads come and go meanwhile: until nothing new is there. */
static int follow_all(struct tracer *t, struct traced_process *p)
{
    int *tid = malloc(MOST_THREADS * sizeof *tid);
    int n, r = tid ? 1 : -ENOMEM;
    while (r > 0) {
        n = proc_threads(p->pid, tid, MOST_THREADS, NULL);
        r = n < 0 ? n : n > MOST_THREADS ? -E2BIG : follow_listed(t, p, tid, n);
    }
    free(tid);
    return r;
}

int tracer_attach(struct tracer *t, struct fail *f)
{
    struct traced_process *p = tracer_process(t, t->want.pid);
    if (!p)
        return fail_set(f, ENOMEM, "tracing process %d", t->want.pid);
    p->started = !t->want.on_exec;
    t->own_child = ptrace_status(p->pid, "\nPPid:") == getpid();
    int r = follow_all(t, p);
    if (r < 0)
        return ptrace_denied(t->want.pid, -r, f);
    traced_maps_read(t, p, true);
    return 0;
}
