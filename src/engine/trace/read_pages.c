/* Decodes pages, orders the events and hands those of traced tasks to the caller. */
#include "plat/proc.h"
#include "private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- traced tasks --- */

void tracing_follow(struct tracing *t, int32_t pid)
{
    uint64_t *at = imap_at(&t->tasks.followed, (uint32_t)pid);
    if (at)
        *at = 1;
}

static bool is_followed(const struct tracing *t, int32_t pid)
{
    return imap_get(&t->tasks.followed, (uint32_t)pid) != 0;
}

/* Of what is read each task with a pid that was asked for is meant. */
static bool is_read_by_pid(const struct tracing *t, int32_t pid)
{
    for (size_t i = 0; !t->trace && i < t->want->pids; i++)
        if (t->want->pid[i] == pid)
            return true;
    return false;
}

static void forget_dead(struct tracing *t, int32_t pid)
{
    uint64_t *at = is_read_by_pid(t, pid) ? NULL : imap_at(&t->tasks.followed, (uint32_t)pid);
    if (at)
        *at = 0;
}

/* A mark is for every trace; Plan 9's is its task's. */
bool tracing_is_wanted(struct tracing *t, const struct sched_event *e)
{
    if (!t->tasks.follows || e->kind == SCHED_LOST || (e->kind == SCHED_USER && !t->file.plan9))
        return true;
    if (e->kind == SCHED_FORK && is_followed(t, e->other))
        tracing_follow(t, e->pid);
    bool wanted = is_followed(t, e->pid);
    if (wanted && e->kind == SCHED_DEAD)
        forget_dead(t, e->pid);
    return wanted;
}

void tracing_pass_other(const struct tracing *t, const struct sched_event *e)
{
    if (t->want->other)
        t->want->other(t->want->arg, t, e);
}

/* --- events --- */

void tracing_count(struct tracing *t, const struct sched_event *e)
{
    t->events++;
    t->left_out += sched_is_inferred_switch(e);
    t->lost += e->kind == SCHED_LOST ? e->arg : 0;
    t->losses += e->kind == SCHED_LOST;
}

static void handle_inferred(void *arg, const struct sched_event *from)
{
    struct tracing *t = arg;
    struct sched_event changed;
    const struct sched_event *e = tracing_calls_apply(t, from, &changed);
    if (!tracing_is_wanted(t, e)) {
        tracing_pass_other(t, e);
        return;
    }
    tracing_count(t, e);
    tracing_record_event(t, e);
    if (t->want->event)
        t->want->event(t->want->arg, t, e);
}

static void handle_ordered(void *arg, const struct sched_event *e)
{
    struct tracing *t = arg;
    sched_deadlines_feed(&t->deadlines, e, handle_inferred, t);
}

struct adding {
    struct sched_merge *merge;
    size_t cpu;
};

static void add_event(void *arg, const struct sched_event *e)
{
    struct adding *a = arg;
    sched_merge_add(a->merge, a->cpu, e);
}

static void decode_page(void *arg, int cpu, const uint8_t *page, size_t len)
{
    struct tracing *t = arg;
    struct adding a = {&t->merge, (size_t)cpu};
    if (trace_has_pages(t->trace))
        trace_decode_page(&t->decoder, cpu, page, len, add_event, &a);
    else
        trace_decode_sample(&t->decoder, cpu, page, len, add_event, &a);
}

size_t tracing_round(struct tracing *t, uint64_t until_ns)
{
    size_t max_bytes = trace_read(t->trace, decode_page, t);
    sched_merge_until(&t->merge, until_ns, handle_ordered, t);
    return max_bytes;
}

uint64_t tracing_reached(const struct tracing *t, size_t max_bytes, uint64_t began_ns)
{
    if (max_bytes < trace_buffer_bytes(t->trace))
        return began_ns;
    uint64_t reached_ns = sched_merge_reached(&t->merge);
    return reached_ns < began_ns ? reached_ns : began_ns;
}

/* --- tracepoints --- */

static bool ask_deadline(void *arg, int32_t pid, struct sched_parameters *out)
{
    struct trace_deadline d;
    if (trace_deadline(pid, &d) < 0)
        return false;
    *out = (struct sched_parameters){d.runtime_ns, d.deadline_ns, d.period_ns};
    return true;
}

void tracing_decode_start(struct tracing *t)
{
    trace_decoder_init(&t->decoder, &t->names);
    t->deadlines.names = &t->names;
    tracing_calls_start(t);
    t->deadlines.get_parameters = ask_deadline;
    t->record.handle = -1;
}

static bool wants_group(const struct tracing_want *want, enum trace_group group)
{
    return group == TRACE_INTERRUPTS ? want->interrupts : group == TRACE_CALLS ? want->calls : true;
}

static int not_understood(const char *name, struct fail *f)
{
    fail_set(f, 0, "%s: the event format of this kernel is unknown", name);
    return -EINVAL;
}

/* Wake-ups of a kind, migrations, marks may be missing in a kernel; not switches. */
static int enable_tracepoint(struct tracing *t, const char *path, bool vital, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = trace_text(t->trace, path, &text);
    if (r == 0 && trace_decoder_learn(&t->decoder, buf_str(&text), text.len) < 0)
        r = not_understood(path, f);
    else if (r == 0)
        r = trace_enable(t->trace, path, f);
    else if (r == -ENOENT && !vital)
        r = 0;
    else
        fail_set(f, -r, "events/%s/format", path);
    return r;
}

int tracing_learn_layout(struct trace *trace, struct trace_page_layout *out, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = trace_text(trace, "header_page", &text);
    if (r < 0)
        return fail_set(f, -r, "events/header_page");
    r = trace_page_layout_read(buf_str(&text), text.len, out);
    return r < 0 ? not_understood("header_page", f) : 0;
}

int tracing_enable(struct tracing *t, struct fail *f)
{
    enum trace_group group;
    const char *path;
    int r = tracing_learn_layout(t->trace, &t->decoder.layout, f);
    for (size_t i = 0; r == 0 && (path = trace_point_path(i, &group)); i++)
        if (wants_group(t->want, group))
            r = enable_tracepoint(t, path, i == 0 || group >= TRACE_INTERRUPTS, f);
    return r;
}

/* --- what runs already --- */

enum { MAX_THREADS = 4096 };

static void name_thread(struct tracing *t, int pid, int thread)
{
    char file[64];
    SCOPED_BUF name = BUF_INIT;
    snprintf(file, sizeof file, "task/%d/comm", thread);
    if (proc_text(pid, file, &name, NULL) == 0 && name.len)
        sched_names_set(&t->names, thread, 0, name.data, strcspn(name.data, "\n"));
}

void tracing_name_process(struct tracing *t, int pid, bool follow)
{
    SCOPED_FREE int *thread = malloc(MAX_THREADS * sizeof *thread);
    int n = thread ? proc_threads(pid, thread, MAX_THREADS, NULL) : 0;
    for (int i = 0; i < n && i < MAX_THREADS; i++) {
        name_thread(t, pid, thread[i]);
        if (follow)
            tracing_follow(t, thread[i]);
    }
}

/* Of all processes the names come with their events. */
void tracing_name_running(struct tracing *t)
{
    for (size_t i = 0; i < t->want->pids; i++)
        tracing_name_process(t, t->want->pid[i], true);
}
