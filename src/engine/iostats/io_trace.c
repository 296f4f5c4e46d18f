#include "io_trace.h"

#include "core/base/time_ns.h"
#include "core/procfs/pid_status.h"
#include "plat/clock.h"
#include "plat/iotrace.h"
#include "plat/proc.h"

#include <errno.h>
#include <stdlib.h>

struct io_trace {
    struct io_files *files;
    struct iotrace *plat;
    bool first; /* the next one born is the command's first thread */
    bool command;
    const struct io_trace_want *want; /* until io_trace_run returns */
    struct traced *now;               /* whose call is counted */
};

/* A thread that is traced. */
struct traced {
    struct io_fds *fds;
    struct io_process *process; /* NULL: it has made no call yet, or it is not wanted */
};

/* --- processes --- */

void io_trace_program(int tid, struct buf *out)
{
    if (proc_text(tid, "comm", out, NULL) == 0 && out->len && out->data[out->len - 1] == '\n')
        out->data[--out->len] = '\0';
}

static struct io_process *begin_process(struct io_processes *all, int tid)
{
    SCOPED_BUF status = BUF_INIT, name = BUF_INIT;
    struct io_process_id id = {.pid = tid};
    int32_t pid, parent;
    if (proc_text(tid, "status", &status, NULL) == 0 &&
        pid_status_process(buf_str(&status), &pid, &parent)) {
        id.pid = pid;
        id.parent = parent;
    }
    io_trace_program(id.pid, &name);
    id.name = buf_str(&name);
    return io_processes_begin(all, &id);
}

static void rename_process(struct io_process *p, int tid)
{
    SCOPED_BUF name = BUF_INIT;
    io_trace_program(tid, &name);
    io_process_rename(p, buf_str(&name));
}

static void count_done(void *arg, int tid, const struct io_done *done, int file, int64_t result)
{
    struct io_trace *t = arg;
    if (t->now && t->now->process)
        io_process_done(t->now->process, done);
    if (t->want && t->want->done)
        t->want->done(t->want->arg, tid, done, file, result);
}

/* --- events --- */

static void *add_thread(void *arg, void *parent, bool shares)
{
    struct io_trace *t = arg;
    struct traced *thread = calloc(1, sizeof *thread), *from = parent;
    if (!thread)
        return NULL;
    if (from) {
        thread->fds = shares ? io_fds_ref(from->fds) : io_fds_clone(from->fds);
        return thread;
    }
    bool standard = t->first && t->command;
    t->first = false;
    thread->fds = io_fds_new(t->files, standard);
    return thread;
}

static void exec_thread(void *arg, void **of, int tid)
{
    struct traced *thread = *of;
    if (!thread)
        return;
    thread->fds = io_fds_unshare(thread->fds);
    io_fds_exec(thread->fds, tid);
    if (thread->process)
        rename_process(thread->process, tid);
}

static void remove_thread(void *arg, void *of)
{
    SCOPED_FREE struct traced *thread = of;
    const struct io_trace *t = arg;
    if (!thread)
        return;
    io_fds_unref(thread->fds);
    if (thread->process && t->want) /* after the report there are no processes */
        io_process_end(thread->process);
}

static struct io_fds *enter_thread(struct io_trace *t, struct traced *thread, int tid)
{
    t->now = thread;
    if (thread && !thread->process && t->want && t->want->processes)
        thread->process = begin_process(t->want->processes, tid);
    return thread ? thread->fds : NULL;
}

static bool begin_call(void *arg, void *of, int tid, struct io_called *c)
{
    struct io_trace *t = arg;
    struct io_fds *d = enter_thread(t, of, tid);
    return io_files_enter(t->files, d, tid, c);
}

static void end_call(void *arg, void **of, int tid, const struct io_called *c)
{
    struct io_trace *t = arg;
    struct traced *thread = *of;
    struct io_fds *d = enter_thread(t, thread, tid);
    io_files_exit(t->files, &d, tid, c);
    if (thread)
        thread->fds = d;
    if (t->want->failed && c->result < 0)
        t->want->failed(t->want->arg, tid, c);
}

static void pass_second(void *arg)
{
    const struct io_trace_want *want = ((struct io_trace *)arg)->want;
    want->second_passed(want->arg);
}

static void trace_free(struct io_trace *t)
{
    if (!t)
        return;
    iotrace_free(t->plat);
    io_files_free(t->files);
    free(t);
}

static struct io_trace *trace_new(const struct io_trace_want *want, struct io_counts *counts)
{
    struct io_trace *t = calloc(1, sizeof *t);
    const struct io_files_ops ask = {.arg = t,
                                     .path = iotrace_path,
                                     .is_open = iotrace_is_open,
                                     .done = want->done || want->processes ? count_done : NULL};
    if (!t)
        return NULL;
    *t = (struct io_trace){.files = io_files_new(counts, &ask),
                           .first = true,
                           .command = want->argv != NULL,
                           .want = want};
    if (t->files)
        return t;
    free(t);
    return NULL;
}

static int begin_trace(struct io_trace *t, const struct io_trace_want *want, struct fail *f)
{
    const struct iotrace_callbacks callbacks = {.arg = t,
                                                .thread_started = add_thread,
                                                .exec_done = exec_thread,
                                                .thread_exited = remove_thread,
                                                .call_entered = begin_call,
                                                .call_returned = end_call,
                                                .second_passed =
                                                    want->second_passed ? pass_second : NULL};
    if (want->argv)
        return iotrace_command(want->argv, &callbacks, &t->plat, f);
    return iotrace_process(want->pid, &callbacks, &t->plat, f);
}

int io_trace_run(const struct io_trace_want *want, struct io_counts *counts,
                 struct io_trace_end *out, struct fail *f)
{
    struct io_trace *t = trace_new(want, counts);
    if (!t)
        return fail_set(f, ENOMEM, "tracing");
    struct io_trace_end end = {.trace = t};
    int r = begin_trace(t, want, f);
    uint64_t end_ns =
        want->seconds > 0 ? clock_mono_ns() + (uint64_t)(want->seconds * NS_PER_S) : 0;
    if (r == 0 && want->begun)
        want->begun(want->arg);
    if (r == 0)
        r = iotrace_run(t->plat, end_ns, &end.end, f);
    t->want = NULL;
    if (r < 0) {
        trace_free(t);
        return r;
    }
    if (iotrace_is_orphaned(t->plat)) /* a report would come behind the shell's prompt */
        io_trace_exit(t, 0);
    end.method = iotrace_method(t->plat);
    end.unseen = *io_files_uncounted(t->files);
    iotrace_quiet(t->plat);
    *out = end;
    return 0;
}

void io_trace_exit(struct io_trace *trace, int status)
{
    iotrace_finish(trace->plat, status);
    trace_free(trace);
}
