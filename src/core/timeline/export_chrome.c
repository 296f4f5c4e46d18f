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

struct chrome {
    const struct sched_export *w;
    struct sched_window in;
    struct json j;
    uint64_t arrows;
};

/* Opens an event; its times are from the window's start. */
static void begin_event(struct chrome *c, const char *phase, int process, int64_t track,
                        const char *name, const char *category)
{
    json_object(&c->j, NULL);
    json_str(&c->j, "ph", phase);
    json_u64(&c->j, "pid", (uint64_t)process);
    json_i64(&c->j, "tid", track);
    json_str(&c->j, "name", name);
    if (category)
        json_str(&c->j, "cat", category);
}

static void name_track(struct chrome *c, const char *kind, int process, int64_t track,
                       const char *name)
{
    begin_event(c, "M", process, track, kind, NULL);
    json_object(&c->j, "args");
    json_str(&c->j, "name", name);
    json_object_end(&c->j);
    json_object_end(&c->j);
}

static void name_cpus(struct chrome *c)
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

static void name_task(struct chrome *c, const struct sched_row *row)
{
    char name[64];
    snprintf(name, sizeof name, "%" PRId32 " %s", row->pid, sched_names_get(c->w->names, row->pid));
    name_track(c, "thread_name", TASKS, row->pid, name);
}

static void name_tracks(struct chrome *c)
{
    const struct sched_spans *s = c->w->spans;
    name_cpus(c);
    for (size_t i = 0; i < s->rows; i++)
        if (sched_row_shown(s->row[i]))
            name_task(c, s->row[i]);
}

static void begin_span(struct chrome *c, int process, int64_t track, const char *name,
                       const char *category, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t from = ns_between(c->in.from_ns, from_ns), to = ns_between(c->in.from_ns, to_ns);
    begin_event(c, "X", process, track, name, category);
    json_decimal(&c->j, "ts", from, US);
    json_decimal(&c->j, "dur", to > from ? to - from : 0, US);
}

static void add_args(struct chrome *c, const struct sched_run *run)
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
static void add_arrow(struct chrome *c, const struct sched_run *run)
{
    if (run->woken_by <= 0 || run->flags & SCHED_RUN_STAYED || run->ready_ns < c->in.from_ns)
        return;
    uint64_t id = ++c->arrows;
    begin_event(c, "s", TASKS, run->woken_by, "wakes", "wakeup");
    json_u64(&c->j, "id", id);
    json_decimal(&c->j, "ts", ns_between(c->in.from_ns, run->ready_ns), US);
    json_object_end(&c->j);
    begin_event(c, "f", TASKS, run->row->pid, "wakes", "wakeup");
    json_u64(&c->j, "id", id);
    json_str(&c->j, "bp", "e");
    json_decimal(&c->j, "ts", ns_between(c->in.from_ns, run->start_ns), US);
    json_object_end(&c->j);
}

static void add_run(struct chrome *c, const struct sched_run *run)
{
    char cpu[32];
    int32_t pid = run->row->pid;
    snprintf(cpu, sizeof cpu, "CPU %d", run->cpu);
    if (run->ready_ns && run->ready_ns < run->start_ns) {
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

static void add_mark(struct chrome *c, int process, int64_t track, const struct sched_mark *mark)
{
    begin_event(c, "i", process, track, sched_kind_name(mark->kind), "event");
    json_str(&c->j, "s", "t");
    json_decimal(&c->j, "ts", ns_between(c->in.from_ns, mark->time_ns), US);
    json_object(&c->j, "args");
    if (mark->kind == SCHED_USER)
        json_str(&c->j, "text", sched_names_get_text(c->w->names, mark->arg));
    else if (mark->arg)
        json_u64(&c->j, "number", mark->arg);
    const char *name = sched_names_call(c->w->names, mark->kind, mark->arg, mark->flags);
    if (name)
        json_str(&c->j, "call", name);
    if (mark->other >= 0)
        json_i64(&c->j, mark->kind == SCHED_MIGRATE ? "from_cpu" : "other", mark->other);
    if (mark->flags & SCHED_INFERRED)
        json_bool(&c->j, "inferred", true);
    json_object_end(&c->j);
    json_object_end(&c->j);
}

static int add_marks(struct chrome *c, int process, int64_t track, const struct sched_list *list)
{
    const struct sched_spans *s = c->w->spans;
    struct sched_range range = sched_marks_between(s, list, c->in.from_ns, c->in.to_ns);
    int r = 0;
    for (size_t i = 0; i < range.count && r == 0; i++) {
        add_mark(c, process, track, sched_mark_at(s, list, range.first + i));
        r = sched_export_flush(c->w, false);
    }
    return r;
}

static int add_row(struct chrome *c, const struct sched_row *row)
{
    struct sched_run run;
    size_t first, count = sched_row_runs(c->w, &c->in, row, &first);
    int r = 0;
    for (size_t i = 0; i < count && r == 0; i++) {
        bool there = sched_row_run(c->w, &c->in, row, first + i, &run);
        if (there && !(c->w->plan9 && run.end == SCHED_DEAD))
            add_run(c, &run);
        r = sched_export_flush(c->w, false);
    }
    return r ? r : add_marks(c, TASKS, row->pid, &row->marks);
}

static int add_rows(struct chrome *c)
{
    const struct sched_spans *s = c->w->spans;
    int r = 0;
    for (size_t i = 0; i < s->rows && r == 0; i++)
        if (sched_row_shown(s->row[i]))
            r = add_row(c, s->row[i]);
    for (size_t i = 0; i < s->cpus && r == 0; i++)
        r = add_marks(c, CPUS, (int64_t)i, &s->cpu[i].marks);
    return r;
}

static void add_dropped(const struct sched_dropped *d, struct json *j)
{
    if (d->runs)
        json_u64(j, "runs_dropped", d->runs);
    if (d->marks)
        json_u64(j, "marks_dropped", d->marks);
    if (d->rows)
        json_u64(j, "rows_dropped", d->rows);
}

static void begin_file(struct chrome *c)
{
    json_object(&c->j, NULL);
    json_str(&c->j, "displayTimeUnit", "ns");
    json_array(&c->j, "traceEvents");
}

static void end_file(struct chrome *c)
{
    json_array_end(&c->j);
    json_object(&c->j, "otherData");
    json_str(&c->j, "title", c->w->title);
    json_u64(&c->j, "start_ns", c->in.from_ns);
    json_u64(&c->j, "lost", sched_lost(c->w->spans));
    if (c->w->spans->limits.runs)
        add_dropped(&c->w->spans->dropped, &c->j);
    json_object_end(&c->j);
    json_end(&c->j);
}

int sched_chrome(const struct sched_export *w)
{
    struct chrome c = {.w = w, .in = sched_window(w), .j = {.out = w->out}};
    begin_file(&c);
    name_tracks(&c);
    int r = add_rows(&c);
    end_file(&c);
    return r ? r : sched_export_flush(w, true);
}

/* --- while events come --- */

struct sched_chrome_stream {
    struct chrome chrome;
    struct sched_watch watch;
    bool begun;
    int err;
};

/* The start of the window is known with the first event. */
static struct chrome *begin_stream(struct sched_chrome_stream *s)
{
    struct chrome *c = &s->chrome;
    if (s->begun)
        return c;
    c->in.from_ns = sched_window(c->w).from_ns;
    begin_file(c);
    s->begun = true;
    return c;
}

static void flush_stream(struct sched_chrome_stream *s, bool all)
{
    int r = sched_export_flush(s->chrome.w, all);
    s->err = s->err ? s->err : r;
    if (s->err)
        buf_clear(s->chrome.w->out);
}

static bool is_within(const struct chrome *c, uint64_t from_ns, uint64_t to_ns)
{
    return to_ns > c->in.from_ns && (!c->w->to_ns || from_ns < c->w->to_ns);
}

static void stream_run(void *arg, const struct sched_run *run)
{
    struct sched_chrome_stream *s = arg;
    struct chrome *c = begin_stream(s);
    if (!is_within(c, run->start_ns, run->end_ns) || (c->w->plan9 && run->end == SCHED_DEAD))
        return;
    add_run(c, run);
    flush_stream(s, false);
}

static void stream_mark(void *arg, const struct sched_mark *mark)
{
    struct sched_chrome_stream *s = arg;
    struct chrome *c = begin_stream(s);
    if (!is_within(c, mark->time_ns, mark->time_ns + 1) || (!mark->row && mark->cpu < 0))
        return;
    add_mark(c, mark->row ? TASKS : CPUS, mark->row ? mark->row->pid : mark->cpu, mark);
    flush_stream(s, false);
}

/* Its row, and its name, may go before the end. */
static void stream_death(void *arg, const struct sched_row *row)
{
    struct sched_chrome_stream *s = arg;
    name_task(begin_stream(s), row);
    flush_stream(s, false);
}

struct sched_chrome_stream *sched_chrome_begin(const struct sched_export *w,
                                               struct sched_spans *spans)
{
    struct sched_chrome_stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct sched_chrome_stream){.chrome = {.w = w, .j = {.out = w->out}},
                                      .watch = {stream_run, stream_mark, stream_death, s}};
    spans->watch = &s->watch;
    return s;
}

static void end_row(struct sched_chrome_stream *s, const struct sched_row *row)
{
    struct chrome *c = &s->chrome;
    struct sched_run open;
    if (!sched_row_shown(row) || row->dead)
        return;
    name_task(c, row);
    if (sched_run_open(row, c->in.to_ns, &open) && is_within(c, open.start_ns, open.end_ns)) {
        open.row = (struct sched_row *)row;
        add_run(c, &open);
    }
    flush_stream(s, false);
}

int sched_chrome_end(struct sched_chrome_stream *s)
{
    struct chrome *c = begin_stream(s);
    c->in.to_ns = sched_window(c->w).to_ns;
    for (size_t i = 0; i < c->w->spans->rows; i++)
        end_row(s, c->w->spans->row[i]);
    name_cpus(c);
    end_file(c);
    flush_stream(s, true);
    int err = s->err;
    free(s);
    return err;
}
