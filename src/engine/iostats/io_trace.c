#include "io_trace.h"

#include "plat/iotrace.h"

#include <errno.h>
#include <stdlib.h>

struct io_trace {
    struct io_files *files;
    struct iotrace *plat;
    bool first; /* the next one born is the command's first thread */
    bool command;
    const struct io_trace_want *want; /* until io_trace_run returns */
};

/* --- events --- */

static void *add_thread(void *arg, void *parent, bool shares)
{
    struct io_trace *t = arg;
    if (parent)
        return shares ? io_fds_ref(parent) : io_fds_clone(parent);
    bool standard = t->first && t->command;
    t->first = false;
    return io_fds_new(t->files, standard);
}

static void exec_thread(void *arg, void **of, int tid)
{
    (void)arg;
    *of = io_fds_unshare(*of);
    io_fds_exec(*of, tid);
}

static void remove_thread(void *arg, void *of)
{
    (void)arg;
    io_fds_unref(of);
}

static bool begin_call(void *arg, void *of, int tid, struct io_called *c)
{
    return io_files_enter(((struct io_trace *)arg)->files, of, tid, c);
}

static void end_call(void *arg, void **of, int tid, const struct io_called *c)
{
    const struct io_trace *t = arg;
    struct io_fds *d = *of;
    io_files_exit(t->files, &d, tid, c);
    *of = d;
    if (t->want->failed && c->result < 0)
        t->want->failed(t->want->arg, tid, c);
}

static void pass_second(void *arg)
{
    const struct io_trace_want *want = ((struct io_trace *)arg)->want;
    want->second_passed(want->arg);
}

/* --- */

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
    const struct io_files_ops ask = {
        .arg = want->arg, .path = iotrace_path, .is_open = iotrace_is_open, .done = want->done};
    struct io_trace *t = calloc(1, sizeof *t);
    if (t && !(t->files = io_files_new(counts, &ask))) {
        free(t);
        return NULL;
    }
    if (t) {
        t->first = true;
        t->command = want->argv != NULL;
        t->want = want;
    }
    return t;
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
    if (r == 0 && want->begun)
        want->begun(want->arg);
    if (r == 0)
        r = iotrace_run(t->plat, &end.end, f);
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
