#include "iotrace.h"

#include "forward.h"
#include "plat/clock.h"
#include "plat/proc.h"
#include "process/child_end.h"
#include "process/descriptors.h"
#include "process/signal_state.h"
#include "tracee_cpu.h"
#include "tracee_status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct iotrace *iotrace_new(const struct iotrace_callbacks *callbacks)
{
    struct iotrace *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->callbacks = *callbacks;
    t->exec_errno_fd = t->guard_fd = -1;
    return t;
}

void iotrace_free(struct iotrace *t)
{
    if (!t)
        return;
    while (t->threads.count)
        traced_remove(t, threads_at(&t->threads, t->threads.count - 1));
    threads_release(&t->threads);
    descriptor_close(&t->exec_errno_fd);
    free(t);
}

const char *iotrace_method(const struct iotrace *t)
{
    return t->trace_all ? "ptrace, all calls" : "ptrace, seccomp";
}

static int seize_thread(const struct iotrace *t, int tid)
{
    return ptrace(PTRACE_SEIZE, tid, NULL, (void *)iotrace_options(t)) < 0 ? -errno : 0;
}

/* A thread whose creation is not reported. */
static int add_known_thread(struct iotrace *t, int tid, void *parent, bool shares)
{
    struct traced *x = traced_add(t, tid);
    if (!x)
        return -ENOMEM;
    x->is_reported = true;
    x->user_data = t->callbacks.thread_started(t->callbacks.arg, parent, shares);
    return 0;
}

/* --- a command --- */

static _Noreturn void run_held_child(char *const argv[], int go, int answer, bool filter)
{
    char byte;
    int err = 0;
    dispositions_restore();
    if (read(go, &byte, 1) != 1)
        _exit(127);
    if (filter)
        err = -call_filter_files();
    if (!err) {
        execvp(argv[0], argv);
        err = errno;
    }
    _exit(write(answer, &err, sizeof err) == sizeof err ? 127 : 126);
}

static int start_command(struct iotrace *t, char *const argv[], struct fail *f)
{
    int go[2], answer[2];
    int r = descriptor_pipes(go, answer);
    if (r < 0)
        return fail_set(f, -r, "pipe");
    t->pid = fork();
    r = t->pid < 0 ? -errno : 0;
    if (t->pid == 0) {
        close(go[1]);
        run_held_child(argv, go[0], answer[1], !t->trace_all);
    }
    close(go[0]);
    close(answer[1]);
    t->exec_errno_fd = answer[0];
    if (r == 0 && (r = seize_thread(t, t->pid)) == 0)
        r = add_known_thread(t, t->pid, NULL, false);
    if (r == 0 && t->trace_all) /* from here on each call stops */
        ptrace(PTRACE_INTERRUPT, t->pid, NULL, NULL);
    ssize_t written = r == 0 ? write(go[1], "", 1) : 0;
    (void)written;
    close(go[1]);
    return r < 0 ? ptrace_fail_denied(t->pid > 0 ? t->pid : 0, -r, f) : 0;
}

int iotrace_command(char *const argv[], const struct iotrace_callbacks *callbacks,
                    struct iotrace **out, struct fail *f)
{
    struct iotrace *t = iotrace_new(callbacks);
    if (!t)
        return fail_set(f, ENOMEM, "tracing");
    t->command = true;
    t->name = argv[0];
    t->trace_all = !call_filter_is_available();
    int r = iotrace_guard(t, f);
    if (r == 0 && (r = start_command(t, argv, f)) == 0) {
        iotrace_signals(t);
        if (!t->trace_all)
            place_init(&t->place);
    }
    if (r < 0) {
        iotrace_free(t);
        return r;
    }
    *out = t;
    return 0;
}

int iotrace_attach_held(int pid, const struct iotrace_callbacks *callbacks, struct iotrace **out,
                        struct fail *f)
{
    if (!call_filter_is_available())
        return fail_set(f, ENOSYS, "seccomp");
    struct iotrace *t = iotrace_new(callbacks);
    if (!t)
        return fail_set(f, ENOMEM, "ptrace");
    t->command = true;
    t->pid = pid;
    int r = seize_thread(t, pid);
    if (r == 0)
        r = add_known_thread(t, pid, NULL, false);
    if (r < 0) {
        iotrace_free(t);
        return fail_set(f, -r, "ptrace");
    }
    *out = t;
    return 0;
}

/* --- a process --- */

enum { MAX_THREADS = 8192 };

/* A thread that sleeps in a call is woken, and its call made to go on (iotrace_stops.c). */
static int attach_thread(struct iotrace *t, int tid, void *parent)
{
    int r = seize_thread(t, tid);
    if (r == -ESRCH && tid != t->pid)
        return 0;
    if (r == -EPERM && ptrace_status(tid, "\nTracerPid:") == getpid())
        return 0; /* one that we hold has cloned it meanwhile, and will tell */
    if (r == 0)
        r = add_known_thread(t, tid, parent, parent != NULL);
    if (r == 0 && ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) < 0)
        r = errno == ESRCH ? 0 : -errno;
    return r;
}

static int attach_new_threads(struct iotrace *t, const int *tid, int n)
{
    int added = 0;
    for (int i = 0; i < n; i++) {
        const struct traced *first = threads_find(&t->threads, t->pid);
        if (threads_find(&t->threads, tid[i]))
            continue;
        int r = attach_thread(t, tid[i], first ? first->user_data : NULL);
        if (r < 0)
            return r;
        added++;
    }
    return added;
}

/* Threads come and go meanwhile: until nothing new is there. */
static int attach_all_threads(struct iotrace *t)
{
    SCOPED_FREE int *tid = malloc(MAX_THREADS * sizeof *tid);
    int r = tid ? attach_thread(t, t->pid, NULL) : -ENOMEM;
    for (int rounds = 0, added = 1; r == 0 && added > 0 && rounds < 10; rounds++) {
        int n = proc_threads(t->pid, tid, MAX_THREADS, NULL);
        added = n < 0 ? n : n > MAX_THREADS ? -E2BIG : attach_new_threads(t, tid, n);
        r = added < 0 ? added : 0;
    }
    return r;
}

int iotrace_process(int pid, const struct iotrace_callbacks *callbacks, struct iotrace **out,
                    struct fail *f)
{
    struct iotrace *t = iotrace_new(callbacks);
    if (!t)
        return fail_set(f, ENOMEM, "tracing");
    t->pid = pid;
    t->trace_all = t->started = true;
    t->start_ns = clock_mono_ns();
    dispositions_save();
    iotrace_signals(t);
    int r = attach_all_threads(t);
    if (r < 0) {
        iotrace_free(t);
        return ptrace_fail_denied(pid, -r, f);
    }
    *out = t;
    return 0;
}

bool iotrace_is_orphaned(const struct iotrace *t)
{
    return t->guard_fd >= 0 && getppid() != t->guard_pid;
}

/* false: no thread is left. */
static bool handle_next_stop(struct iotrace *t)
{
    int status;
    pid_t tid = wait4(-1, &status, __WALL, NULL);
    bool goes_on = tid > 0 || errno == EINTR;
    place_tick(&t->place);
    if (tid > 0)
        iotrace_on_wait_status(t, tid, status);
    return goes_on;
}

void iotrace_watch(struct iotrace *t)
{
    while (t->threads.count && handle_next_stop(t))
        ;
}

static int read_exec_errno(const struct iotrace *t)
{
    int err = 0;
    if (t->started || t->exec_errno_fd < 0 ||
        read(t->exec_errno_fd, &err, sizeof err) != sizeof err)
        return 0;
    return err;
}

static bool is_over(uint64_t end_ns)
{
    return end_ns && clock_mono_ns() >= end_ns;
}

int iotrace_run(struct iotrace *t, uint64_t end_ns, struct child_end *end, struct fail *f)
{
    iotrace_seconds_begin(t, end_ns);
    while (!t->has_ended && !forward_was_interrupted() && !is_over(end_ns) && handle_next_stop(t))
        iotrace_seconds_tick(t, end_ns);
    iotrace_seconds_end(t);
    struct rusage none;
    memset(&none, 0, sizeof none);
    child_end_of(t->status, &none, end);
    end->real_ns = (t->end_ns ? t->end_ns : clock_mono_ns()) - t->start_ns;
    int err = t->command ? read_exec_errno(t) : 0;
    return err ? fail_set(f, err, "%s", t->name) : 0;
}

void iotrace_quiet(struct iotrace *t)
{
    t->quiet = true;
    for (size_t i = 0; i < t->threads.count; i++) {
        struct traced *x = threads_at(&t->threads, i);
        if (x->user_data)
            t->callbacks.thread_exited(t->callbacks.arg, x->user_data);
        x->user_data = NULL;
    }
}

/* Only kept alive from here on: the standard streams belong to the caller. */
static void detach_stdio(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
}

void iotrace_finish(struct iotrace *t, int status)
{
    iotrace_guard_dismiss(t, status);
    iotrace_quiet(t);
    if (!t->command || t->trace_all || !t->threads.count)
        return;
    detach_stdio();
    while (t->threads.count && handle_next_stop(t))
        ;
    _exit(0);
}

/* --- what a descriptor is --- */

size_t iotrace_path(void *arg, int tid, int fd, char *to, size_t cap)
{
    char name[48];
    if (fd == IO_CALL_CWD)
        snprintf(name, sizeof name, "/proc/%d/cwd", tid);
    else
        snprintf(name, sizeof name, "/proc/%d/fd/%d", tid, fd);
    ssize_t len = readlink(name, to, cap);
    return len > 0 ? (size_t)len : 0;
}

int iotrace_string(int tid, uint64_t address, char *to, size_t cap)
{
    size_t len = tracee_copy(tid, address, to, cap);
    if (!len)
        return -EFAULT;
    const char *end = memchr(to, 0, len);
    return end ? (int)(end - to) : -ENAMETOOLONG;
}

bool iotrace_is_open(void *arg, int tid, int fd)
{
    char name[48], to[1];
    snprintf(name, sizeof name, "/proc/%d/fd/%d", tid, fd);
    return readlink(name, to, sizeof to) > 0;
}
