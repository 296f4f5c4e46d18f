/* Chrome's Trace Event Format ("Trace Event Format" by its authors, public): `X' is a span, `i' an
 * instant, `s' and `f' an arrow's ends, `M' a name. Times are microseconds with decimals. */
#include "export_common.h"

#include "core/base/time_ns.h"
#include "core/text/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { CPUS = 1, TASKS = 2 }; /* the two "processes" that hold the tracks */
enum { US = 3 };              /* decimals of nanoseconds as microseconds */

struct sched_chrome_stream {
    const struct sched_export *w;
    struct sched_watch watch;
    uint64_t from_ns; /* of the window */
    struct json j;
    uint64_t arrows;
    bool begun;
    int err;
};

/* Opens an event; its times are from the window's start. */
static void begin_event(struct sched_chrome_stream *c, const char *phase, int process,
                        int64_t track, const char *name, const char *category)
{
    json_object(&c->j, NULL);
    json_members(&c->j, "ph pid tid name [cat]", phase, process, track, name, category);
}

static void name_track(struct sched_chrome_stream *c, const char *kind, int process, int64_t track,
                       const char *name)
{
    begin_event(c, "M", process, track, kind, NULL);
    json_record(&c->j, "args", "name", name);
    json_object_end(&c->j);
}

static void name_cpus(struct sched_chrome_stream *c)
{
    const struct sched_spans *s = c->w->spans;
    char name[64];
    name_track(c, "process_name", CPUS, 0, "CPUs");
    name_track(c, "process_name", TASKS, 0, "tasks");
    for (size_t i = 0; i < s->cpus; i++) {
        snprintf(name, sizeof name, "CPU %zu", i);
        if (s->cpu[i].seen)
            name_track(c, "thread_name", CPUS, (int64_t)i, name);
    }
}

static void name_task(struct sched_chrome_stream *c, const struct sched_row *row)
{
    char name[64];
    snprintf(name, sizeof name, "%" PRId32 " %s", row->pid, sched_names_get(c->w->names, row->pid));
    name_track(c, "thread_name", TASKS, row->pid, name);
}

static void begin_span(struct sched_chrome_stream *c, int process, int64_t track, const char *name,
                       const char *category, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t from = ns_between(c->from_ns, from_ns), to = ns_between(c->from_ns, to_ns);
    begin_event(c, "X", process, track, name, category);
    json_members(&c->j, "ts/3 dur/3", from, to > from ? to - from : 0);
}

static void add_args(struct sched_chrome_stream *c, const struct sched_run *run)
{
    json_object(&c->j, "args");
    json_i64(&c->j, "tid", run->row->pid);
    if (run->priority != SCHED_NO_PRIORITY)
        json_i64(&c->j, "priority", run->priority);
    if (run->ready_ns)
        json_u64(&c->j, "waited_ns", run->start_ns - run->ready_ns);
    if (run->woken_by >= 0)
        json_i64(&c->j, "woken_by", run->woken_by);
    if (run->ended_by >= 0)
        json_i64(&c->j, "ended_by", run->ended_by);
    json_str(&c->j, "ended",
             run->flags & SCHED_RUN_OPEN  ? "open"
             : run->flags & SCHED_RUN_CUT ? "not seen"
                                          : sched_kind_name(run->end));
    json_object_end(&c->j);
    json_object_end(&c->j);
}

/* From the task that woke this one to where it runs. */
static void add_arrow(struct sched_chrome_stream *c, const struct sched_run *run)
{
    if (run->woken_by <= 0 || run->flags & SCHED_RUN_STAYED || run->ready_ns < c->from_ns)
        return;
    uint64_t id = ++c->arrows;
    begin_event(c, "s", TASKS, run->woken_by, "wakes", "wakeup");
    json_members(&c->j, "id ts/3", id, ns_between(c->from_ns, run->ready_ns));
    json_object_end(&c->j);
    begin_event(c, "f", TASKS, run->row->pid, "wakes", "wakeup");
    json_members(&c->j, "id bp ts/3", id, "e", ns_between(c->from_ns, run->start_ns));
    json_object_end(&c->j);
}

static void add_run(struct sched_chrome_stream *c, const struct sched_run *run)
{
    char cpu[32];
    int32_t pid = run->row->pid;
    snprintf(cpu, sizeof cpu, "CPU %d", run->cpu);
    if (sched_run_wait(run)) {
        begin_span(c, TASKS, pid, run->flags & SCHED_RUN_STAYED ? "preempted" : "woken", "wait",
                   run->ready_ns, run->start_ns);
        json_object_end(&c->j);
        add_arrow(c, run);
    }
    begin_span(c, TASKS, pid, cpu, "run", run->start_ns, run->end_ns);
    add_args(c, run);
    if (run->cpu >= 0) {
        begin_span(c, CPUS, run->cpu, sched_names_get(c->w->names, pid), "run", run->start_ns,
                   run->end_ns);
        add_args(c, run);
    }
}

static void add_mark(struct sched_chrome_stream *c, int process, int64_t track,
                     const struct sched_mark *mark)
{
    begin_event(c, "i", process, track, sched_kind_name(mark->kind), "event");
    json_members(&c->j, "s ts/3", "t", ns_between(c->from_ns, mark->time_ns));
    json_object(&c->j, "args");
    if (mark->kind == SCHED_USER)
        json_str(&c->j, "text", sched_names_get_text(c->w->names, mark->arg));
    else if (mark->arg)
        json_u64(&c->j, "number", mark->arg);
    json_members(&c->j, "[call]",
                 sched_names_call(c->w->names, mark->kind, mark->arg, mark->flags));
    if (mark->other >= 0)
        json_i64(&c->j, mark->kind == SCHED_MIGRATE ? "from_cpu" : "other", mark->other);
    json_members(&c->j, "[inferred?]", mark->flags & SCHED_INFERRED);
    json_object_end(&c->j);
    json_object_end(&c->j);
}

static void add_dropped(const struct sched_dropped *d, struct json *j)
{
    json_members(j, "[runs_dropped] [marks_dropped] [rows_dropped]", d->runs, d->marks, d->rows);
}

static void end_file(struct sched_chrome_stream *c)
{
    json_array_end(&c->j);
    json_object(&c->j, "otherData");
    json_members(&c->j, "title start_ns lost", c->w->title, c->from_ns, sched_lost(c->w->spans));
    if (c->w->spans->limits.runs)
        add_dropped(&c->w->spans->dropped, &c->j);
    json_object_end(&c->j);
    json_end(&c->j);
}

/* --- while events come --- */

/* The start of the window is known with the first event. */
static void begin_stream(struct sched_chrome_stream *c)
{
    if (c->begun)
        return;
    c->begun = true;
    c->from_ns = sched_window(c->w).from_ns;
    json_object(&c->j, NULL);
    json_str(&c->j, "displayTimeUnit", "ns");
    json_array(&c->j, "traceEvents");
}

static void flush_stream(struct sched_chrome_stream *c, bool all)
{
    int r = sched_export_flush(c->w, all);
    c->err = c->err ? c->err : r;
    if (c->err)
        buf_clear(c->w->out);
}

static bool is_within(const struct sched_chrome_stream *c, uint64_t from_ns, uint64_t to_ns)
{
    return to_ns > c->from_ns && (!c->w->to_ns || from_ns < c->w->to_ns);
}

static void stream_run(void *arg, const struct sched_run *run)
{
    struct sched_chrome_stream *c = arg;
    begin_stream(c);
    if (!is_within(c, run->start_ns, run->end_ns) || (c->w->plan9 && run->end == SCHED_DEAD))
        return;
    add_run(c, run);
    flush_stream(c, false);
}

static void stream_mark(void *arg, const struct sched_mark *mark)
{
    struct sched_chrome_stream *c = arg;
    begin_stream(c);
    if (!is_within(c, mark->time_ns, mark->time_ns + 1) || (!mark->row && mark->cpu < 0))
        return;
    add_mark(c, mark->row ? TASKS : CPUS, mark->row ? mark->row->pid : mark->cpu, mark);
    flush_stream(c, false);
}

/* Its row, and its name, may go before the end. */
static void stream_death(void *arg, const struct sched_row *row)
{
    struct sched_chrome_stream *c = arg;
    begin_stream(c);
    name_task(c, row);
    flush_stream(c, false);
}

struct sched_chrome_stream *sched_chrome_begin(const struct sched_export *w,
                                               struct sched_spans *spans)
{
    struct sched_chrome_stream *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->w = w;
    c->j.out = w->out;
    c->watch = (struct sched_watch){stream_run, stream_mark, stream_death, c};
    spans->watch = &c->watch;
    return c;
}

static void end_row(struct sched_chrome_stream *c, const struct sched_row *row, uint64_t end_ns)
{
    struct sched_run open;
    if (!sched_row_shown(row) || row->dead)
        return;
    name_task(c, row);
    if (sched_run_open(row, end_ns, &open) && is_within(c, open.start_ns, open.end_ns)) {
        open.row = (struct sched_row *)row;
        add_run(c, &open);
    }
    flush_stream(c, false);
}

static int end_stream(struct sched_chrome_stream *c)
{
    begin_stream(c);
    uint64_t end_ns = sched_window(c->w).to_ns;
    for (size_t i = 0; i < c->w->spans->rows; i++)
        end_row(c, c->w->spans->row[i], end_ns);
    name_cpus(c);
    end_file(c);
    flush_stream(c, true);
    return c->err;
}

int sched_chrome_end(struct sched_chrome_stream *c)
{
    int err = end_stream(c);
    free(c);
    return err;
}

/* --- what is kept, as if it came now --- */

static void replay_marks(struct sched_chrome_stream *c, const struct sched_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        stream_mark(c, sched_mark_at(c->w->spans, list, i));
}

static void replay_row(struct sched_chrome_stream *c, const struct sched_row *row)
{
    if (!sched_row_shown(row))
        return;
    for (size_t i = 0; i < row->runs.count; i++)
        stream_run(c, sched_run_at(c->w->spans, &row->runs, i));
    replay_marks(c, &row->marks);
    if (row->dead)
        stream_death(c, row);
}

int sched_chrome(const struct sched_export *w)
{
    struct sched_chrome_stream c = {.w = w, .j = {.out = w->out}};
    for (size_t i = 0; i < w->spans->rows; i++)
        replay_row(&c, w->spans->row[i]);
    for (size_t i = 0; i < w->spans->cpus; i++)
        replay_marks(&c, &w->spans->cpu[i].marks);
    return end_stream(&c);
}
