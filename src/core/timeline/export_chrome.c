/* Chrome's Trace Event Format ("Trace Event Format" by its authors, public): `X' is a span, `i' an
 * instant, `s' and `f' an arrow's ends, `M' a name. Times are microseconds with decimals. */
#include "export_common.h"

#include "core/text/json.h"

#include <inttypes.h>
#include <stdio.h>

enum { CPUS = 1, TASKS = 2 }; /* the two "processes" that hold the tracks */

struct chrome {
    const struct sched_export *w;
    struct sched_window in;
    struct json j;
    uint64_t arrows;
};

static void time_us(struct chrome *c, const char *key, uint64_t ns)
{
    json_decimal(&c->j, key, ns, 3);
}

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

static uint64_t since_start(const struct chrome *c, uint64_t time_ns)
{
    return time_ns > c->in.from_ns ? time_ns - c->in.from_ns : 0;
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

static void name_tracks(struct chrome *c)
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
    for (size_t i = 0; i < s->rows; i++) {
        if (!sched_row_shown(s->row[i]))
            continue;
        snprintf(name, sizeof name, "%" PRId32 " %s", s->row[i]->pid,
                 sched_names_get(c->w->names, s->row[i]->pid));
        name_track(c, "thread_name", TASKS, s->row[i]->pid, name);
    }
}

static void begin_span(struct chrome *c, int process, int64_t track, const char *name,
                       const char *category, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t from = since_start(c, from_ns), to = since_start(c, to_ns);
    begin_event(c, "X", process, track, name, category);
    time_us(c, "ts", from);
    time_us(c, "dur", to > from ? to - from : 0);
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
    time_us(c, "ts", since_start(c, run->ready_ns));
    json_object_end(&c->j);
    begin_event(c, "f", TASKS, run->row->pid, "wakes", "wakeup");
    json_u64(&c->j, "id", id);
    json_str(&c->j, "bp", "e");
    time_us(c, "ts", since_start(c, run->start_ns));
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
    time_us(c, "ts", since_start(c, mark->time_ns));
    json_object(&c->j, "args");
    if (mark->kind == SCHED_USER)
        json_str(&c->j, "text", sched_names_get_text(c->w->names, mark->arg));
    else if (mark->arg)
        json_u64(&c->j, "number", mark->arg);
    bool call = mark->kind == SCHED_CALL || mark->kind == SCHED_RETURN;
    const char *name = call ? sched_names_call(c->w->names, mark->arg, mark->flags) : NULL;
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

int sched_chrome(const struct sched_export *w)
{
    struct chrome c = {.w = w, .in = sched_window(w), .j = {.out = w->out}};
    json_object(&c.j, NULL);
    json_str(&c.j, "displayTimeUnit", "ns");
    json_object(&c.j, "otherData");
    json_str(&c.j, "title", w->title);
    json_u64(&c.j, "start_ns", c.in.from_ns);
    json_u64(&c.j, "lost", sched_lost(w->spans));
    add_dropped(&w->spans->dropped, &c.j);
    json_object_end(&c.j);
    json_array(&c.j, "traceEvents");
    name_tracks(&c);
    int r = add_rows(&c);
    json_array_end(&c.j);
    json_end(&c.j);
    return r ? r : sched_export_flush(w, true);
}
