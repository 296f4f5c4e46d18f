/* A tracing, or a recording's events, as text. */
#include "trace_request.h"

#include "applets/report_screen.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/timeline/report.h"
#include "plat/tty.h"

#include <inttypes.h>
#include <string.h>

enum { PRINT_BYTES = 1 << 15 };

static bool is_stdout_used(const struct trace_request *q)
{
    bool used = q->want.command != NULL;
    for (size_t i = 0; i < q->outputs; i++)
        used = used || strcmp(q->output[i].path, "-") == 0;
    return used;
}

/* Standard output may be the command's, or a timeline's: all else goes to standard error then. */
static void print_gathered(struct trace_request *q)
{
    int (*print)(const struct applet *, const struct buf *, int) =
        is_stdout_used(q) ? applet_print_err : applet_print;
    if (q->out.len)
        progress_wipe(&q->progress);
    if (!q->failed)
        q->failed = print(&applet_trace, &q->out, DONE);
    buf_clear(&q->out);
}

/* -v prints what Plan 9 has, and what an option asks for. */
static bool is_line(const struct trace_request *q, unsigned kind)
{
    bool softirq = kind == SCHED_SOFTS || kind == SCHED_SOFTE;
    bool call = kind == SCHED_CALL || kind == SCHED_RETURN;
    return kind < SCHED_PLAN9 || kind == SCHED_ILLEGAL || q->all ||
           (softirq && q->want.interrupts) || (call && q->want.calls);
}

static void add_event(struct trace_request *q, const struct tracing *t, const struct sched_event *e)
{
    if (q->json)
        sched_report_event_json(&t->names, e, &q->out);
    else if (q->events)
        sched_report_event(&t->names, t->begin_ns, e, &q->out);
    else
        sched_event_line(&q->out, e);
}

/* Deaths are always printed of Plan 9's events and of processes that were asked for. Of a whole
 * system there would be thousands above the summary. */
static bool prints_deaths(const struct trace_request *q, const struct tracing *t)
{
    return t->file.plan9 || (q->summary && (q->want.pids || q->want.command));
}

static void add_line(struct trace_request *q, const struct tracing *t, const struct sched_event *e)
{
    if (q->events || (q->lines && is_line(q, e->kind)))
        add_event(q, t, e);
    else if (!q->lines && !q->json && prints_deaths(q, t))
        sched_always_text(&q->out, e);
    if (q->out.len > PRINT_BYTES)
        print_gathered(q);
}

static double seconds_since(uint64_t begin_ns, uint64_t time_ns)
{
    return time_ns > begin_ns ? (double)(time_ns - begin_ns) / 1e9 : 0;
}

/* What is traced until something happens ends with it. */
static void check_trigger(struct trace_request *q, const struct tracing *t,
                          const struct sched_event *e)
{
    SCOPED_BUF text = BUF_INIT;
    q->hit = sched_trigger_check(&q->trigger, e);
    if (q->hit) {
        sched_hit_text(&q->trigger.hit, &t->names, &text);
        applet_warn(&applet_trace, "%.6f s: %s", seconds_since(t->begin_ns, e->time_ns),
                    buf_str(&text));
    }
}

static bool wait_for_trigger(void *arg, struct wait_on *on, size_t n, int timeout_ms)
{
    const struct trace_request *q = arg;
    wait_ready(on, n, timeout_ms);
    return !q->hit;
}

static void begin_timeline(struct trace_request *q, const struct tracing *t, uint64_t begin_ns)
{
    sched_spans_init(&q->spans, &q->keep, begin_ns);
    q->spans.names = q->names;
    q->begun = true;
    int status = trace_begin_streams(q, t);
    q->failed = q->failed ? q->failed : status;
}

/* What the timeline begins with is known with the first event. */
static void handle_event(void *arg, const struct tracing *t, const struct sched_event *e)
{
    struct trace_request *q = arg;
    if (!q->begun)
        begin_timeline(q, t, t->file.plan9 ? 0 : t->begin_ns);
    add_line(q, t, e);
    if (q->summary || q->latency || q->delayed || q->outputs)
        sched_spans_add(&q->spans, e);
    if (q->delayed)
        sched_delays_add(&q->delays, e, &t->names);
    if (!q->hit && trace_triggered(q))
        check_trigger(q, t, e);
}

/* They may run while those that are traced wait. */
static void note_other(void *arg, const struct tracing *t, const struct sched_event *e)
{
    struct trace_request *q = arg;
    (void)t;
    if (q->delayed)
        sched_delays_other(&q->delays, e);
    sched_trigger_other(&q->trigger, e);
}

static void begin_progress(struct trace_request *q)
{
    SCOPED_BUF what = BUF_INIT;
    buf_adds(&what, "tracing ");
    if (q->want.pids == 1)
        progress_process(&what, q->want.pid[0]);
    else if (q->want.pids)
        buf_printf(&what, "%zu processes", q->want.pids);
    else
        buf_adds(&what, "all processes");
    if (q->want.seconds > 0)
        buf_printf(&what, " for %g s", q->want.seconds);
    progress_begin(&q->progress, "%s", buf_str(&what));
}

/* Where events are printed, they show that it goes on. */
static void show_progress(struct trace_request *q, const struct tracing *t)
{
    SCOPED_BUF line = BUF_INIT;
    begin_progress(q);
    if (q->lines || q->events || !progress_due(&q->progress))
        return;
    buf_printf(&line, "%.0f s, %s", (double)q->progress.spent_ns / 1e9,
               counted(t->events, "event").text);
    if (t->losses)
        buf_printf(&line, ", %" PRIu64 " lost", t->lost);
    progress_draw(&q->progress, "%s", buf_str(&line));
}

/* What a command that was interrupted leaves to print begins below the echoed ^C, once. */
static void end_echoed_line(struct trace_request *q, const struct tracing *t)
{
    if (q->want.command && t->command.interrupted && !q->interrupted)
        report_below_interrupt(t->command.interrupted);
    q->interrupted = t->command.interrupted;
}

static void end_round(void *arg, const struct tracing *t)
{
    struct trace_request *q = arg;
    end_echoed_line(q, t);
    print_gathered(q);
    if (!q->file)
        show_progress(q, t);
}

/* Nobody reads on, or the disk is full: there is nothing to trace for. */
static bool wait_next(void *arg, struct wait_on *on, size_t n, int timeout_ms)
{
    struct trace_request *q = arg;
    wait_ready(on, n, timeout_ms);
    return !q->failed;
}

static void add_json(struct trace_request *q, const struct sched_report *r)
{
    struct json j;
    json_start(&j, &q->out, applet_trace.name);
    sched_report_json(r, &j);
    json_end(&j);
}

static const struct sched_delays *end_delays(struct trace_request *q, const struct tracing *t)
{
    q->delays.some_tasks = t->file.some_tasks;
    sched_delays_end(&q->delays, &q->spans, &t->names, t->end_ns);
    return &q->delays;
}

/* A blank line between them; on a terminal they share its lines. */
static void add_texts(struct trace_request *q, struct sched_report *r)
{
    const struct {
        bool wanted;
        void (*print)(const struct sched_report *, struct buf *);
    } text[] = {{q->summary, sched_report_summary},
                {q->latency, sched_report_latency},
                {q->delayed, sched_report_delays}};
    size_t reports = (size_t)q->summary + q->latency + q->delayed, printed = 0;
    r->size.height /= reports ? reports : 1;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        if (!text[i].wanted)
            continue;
        if (printed++)
            buf_addc(&q->out, '\n');
        text[i].print(r, &q->out);
    }
}

static void add_report(struct trace_request *q, const struct tracing *t)
{
    struct sched_report r = {.spans = &q->spans,
                             .names = &t->names,
                             .method = t->method,
                             .begin_ns = t->begin_ns,
                             .end_ns = t->end_ns,
                             .lost = t->lost,
                             .losses = t->losses,
                             .size = q->size};
    report_screen(&r.size, is_stdout_used(q), q->outputs + (q->want.record != NULL));
    if (q->delayed)
        r.delays = end_delays(q, t);
    if (q->json && (q->summary || q->latency || q->delayed))
        add_json(q, &r);
    else
        add_texts(q, &r);
}

static void print_warnings(const struct trace_request *q, const struct tracing *t)
{
    if (t->file.cut)
        applet_warn(&applet_trace, "%s: its end is missing or damaged", q->file);
    if (t->all_instead)
        applet_warn(&applet_trace, "the kernel's events have process ids of the initial PID "
                                   "namespace: all processes were traced");
    if (t->losses)
        applet_warn(&applet_trace, "%s lost at %s: use a larger -b, or trace fewer events",
                    counted(t->lost, "event").text, counted(t->losses, "place").text);
    if (t->unprobed)
        applet_warn(&applet_trace, "%s cannot be probed: not traced",
                    counted(t->unprobed, "function").text);
    if (t->left_out)
        applet_warn(&applet_trace, "%s missing in the kernel's events, inferred from later ones",
                    counted(t->left_out, "switch").text);
    if (t->decoder.damaged)
        applet_warn(&applet_trace, "%s could not be decoded",
                    counted(t->decoder.damaged, "page").text);
}

static void say_wrote(const struct trace_request *q)
{
    if (q->want.record)
        report_wrote(q->want.record, "psuite trace %");
    for (size_t i = 0; i < q->outputs; i++)
        report_wrote(q->output[i].path, q->output[i].format->opened);
}

static int finish_session(struct trace_request *q, struct tracing *t, int r, struct fail *f)
{
    end_echoed_line(q, t);
    int status = r < 0 ? applet_fail(&applet_trace, f) : DONE;
    if (t->command.failed)
        status = applet_not_executed(r);
    if (!q->begun && r == 0)
        begin_timeline(q, t, t->begin_ns);
    if (r == 0 || t->events) {
        add_report(q, t);
        print_warnings(q, t);
    }
    print_gathered(q);
    int streamed = trace_end_streams(q, r == 0 && !q->failed);
    q->failed = q->failed ? q->failed : streamed;
    if (r == 0 && q->outputs)
        q->failed = q->failed ? q->failed : trace_write_outputs(q, t);
    if (tracing_wait(t, f) < 0)
        status = applet_fail(&applet_trace, f);
    if (status == DONE && !q->failed)
        say_wrote(q);
    if (status == DONE && t->command.executed)
        return q->failed ? q->failed : t->command.status;
    return status ? status : q->failed;
}

int trace_session(struct trace_request *q)
{
    int width, height;
    struct tracing t;
    struct fail f;
    q->want.event = handle_event;
    q->want.other = note_other;
    q->want.round = end_round;
    q->want.wait = wait_next;
    q->want.arg = q;
    if (trace_triggered(q))
        q->want.wait = wait_for_trigger;
    if (!q->outputs) /* which may write names at their end */
        q->names = &t.names;
    if (!q->file && !q->want.command && tty_stream_size(true, &width, &height))
        progress_start(&q->progress, true);
    int r = q->file ? tracing_read(&q->want, q->file, &t, &f) : tracing_run(&q->want, &t, &f);
    progress_wipe(&q->progress);
    int status = finish_session(q, &t, r, &f);
    tracing_release(&t);
    sched_spans_release(&q->spans);
    sched_trigger_release(&q->trigger);
    sched_delays_release(&q->delays);
    buf_release(&q->out);
    return status;
}
