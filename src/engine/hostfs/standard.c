#include "engine/hostfs/standard.h"

#include "core/io/files.h"
#include "core/text/counted.h"
#include "plat/apart.h"
#include "plat/iotrace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct standard {
    int pid;
    standard_done *done;
    void *arg;
    struct lock *lock; /* of all below */
    struct io_counts *counts;
    struct io_files *files;
    bool first;              /* the next one born is the command's first thread */
    bool over;               /* reported */
    int answer;              /* to the starting thread: an end of a socket */
    atomic_bool trace_ended; /* nothing is traced any more */
    struct fail fail;
};

/* --- events, on the tracing thread --- */

static void report_done(void *arg, int tid, const struct io_done *done, int file, int64_t result)
{
    struct standard *s = arg;
    if (s->done)
        s->done(s->arg, tid, done, io_counts_path(s->counts, file), result < 0 ? (int)-result : 0);
}

static void *add_thread(void *arg, void *parent, bool shares)
{
    struct standard *s = arg;
    SCOPED_LOCK held = lock_acquire(s->lock);
    void *of = !parent  ? io_fds_new(s->files, s->first)
               : shares ? io_fds_ref(parent)
                        : io_fds_clone(parent);
    s->first = false;
    return of;
}

static void exec_thread(void *arg, void **of, int tid)
{
    struct standard *s = arg;
    SCOPED_LOCK held = lock_acquire(s->lock);
    *of = io_fds_unshare(*of);
    if (!s->over)
        io_fds_exec(*of, tid);
}

static void remove_thread(void *arg, void *of)
{
    struct standard *s = arg;
    SCOPED_LOCK held = lock_acquire(s->lock);
    io_fds_unref(of);
}

static bool begin_call(void *arg, void *of, int tid, struct io_called *c)
{
    struct standard *s = arg;
    SCOPED_LOCK held = lock_acquire(s->lock);
    return !s->over && io_files_enter(s->files, of, tid, c);
}

static void end_call(void *arg, void **of, int tid, const struct io_called *c)
{
    struct standard *s = arg;
    struct io_fds *d = *of;
    SCOPED_LOCK held = lock_acquire(s->lock);
    if (!s->over)
        io_files_exit(s->files, &d, tid, c);
    *of = d;
}

static void trace_calls(void *arg)
{
    struct standard *s = arg;
    const struct iotrace_callbacks callbacks = {.arg = s,
                                                .thread_started = add_thread,
                                                .exec_done = exec_thread,
                                                .thread_exited = remove_thread,
                                                .call_entered = begin_call,
                                                .call_returned = end_call};
    struct iotrace *t = NULL;
    int32_t r = iotrace_attach_held(s->pid, &callbacks, &t, &s->fail);
    apart_send(s->answer, &r, sizeof r); /* when it is not traced, s is the other thread's */
    if (r < 0)
        return;
    iotrace_watch(t);
    iotrace_free(t);
    atomic_store(&s->trace_ended, true);
}

static void release_standard(struct standard *s)
{
    io_files_free(s->files);
    io_counts_free(s->counts);
    lock_free(s->lock);
    free(s);
}

static struct standard *standard_new(int pid, standard_done *done, void *arg)
{
    struct standard *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct standard){.pid = pid, .done = done, .arg = arg, .first = true};
    const struct io_files_ops ask = {.arg = s,
                                     .path = iotrace_path,
                                     .is_open = iotrace_is_open,
                                     .done = report_done,
                                     .stdio_only = true};
    s->lock = lock_new();
    s->counts = io_counts_new();
    s->files = s->counts ? io_files_new(s->counts, &ask) : NULL;
    if (s->lock && s->files)
        return s;
    release_standard(s);
    return NULL;
}

void standard_wait(const struct standard *s)
{
    while (s && !atomic_load(&s->trace_ended))
        crew_sleep_ms(100);
}

/* Whether the thread traces: it alone can tell. */
static int start_tracing(struct standard *s)
{
    int ends[2];
    int32_t r;
    if (apart_pair(ends, &s->fail) < 0)
        return -EMFILE;
    s->answer = ends[1];
    int started = crew_start(trace_calls, s);
    if (started == 0)
        started = apart_receive(ends[0], &r, sizeof r);
    else
        fail_set(&s->fail, -started, "a thread");
    apart_close(ends[0]);
    apart_close(ends[1]);
    return started < 0 ? started : r;
}

struct standard *standard_start(int pid, standard_done *done, void *arg, struct fail *f)
{
    struct standard *s = standard_new(pid, done, arg);
    if (!s) {
        fail_set(f, ENOMEM, "ptrace");
        return NULL;
    }
    if (start_tracing(s) == 0)
        return s;
    *f = s->fail;
    release_standard(s);
    return NULL;
}

static void add_unseen(const struct io_uncounted *u, struct buf *uncounted)
{
    buf_adds(uncounted, ", inherited descriptors, copies of standard ones above 2");
    if (u->traces)
        buf_printf(uncounted, ", %s of ptrace, which failed here", counted(u->traces, "call").text);
}

void standard_end(struct standard *s, const struct fail *f, struct io_counts *counts,
                  struct buf *uncounted)
{
    if (!s) {
        buf_adds(uncounted, ", inherited descriptors");
        if (f->err)
            buf_printf(uncounted, ", standard descriptors (%s: %s)", f->what, strerror(f->err));
        return;
    }
    SCOPED_LOCK held = lock_acquire(s->lock);
    io_files_finish(s->files);
    s->over = true;
    io_counts_add(counts, s->counts);
    add_unseen(io_files_uncounted(s->files), uncounted);
}
