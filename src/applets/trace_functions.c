/* trace --functions: calls of the kernel's functions, as lines, JSON, a summary, or Chrome's
 * events. */
#include "trace_request.h"

#include "applets/report_screen.h"
#include "core/ktrace/report.h"
#include "core/text/counted.h"
#include "engine/trace/function_run.h"
#include "plat/file.h"
#include "plat/trace.h"
#include "plat/tty.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PRINT_BYTES = 1 << 15 };

/* A file of Chrome's events while it is written. */
struct chrome_file {
    const char *path; /* NULL: none */
    int handle;
    struct buf out;
    struct json json;
    struct fail fail;
    bool failed;
};

struct session {
    struct trace_request *q;
    struct ktrace_total *total; /* by function */
    size_t totals;
    uint64_t shown; /* calls that were asked for */
    struct chrome_file chrome;
    bool failed;
};

static bool prints_lines(const struct trace_request *q)
{
    return !q->summary && !q->latency && (!q->outputs || q->json);
}

/* --- what was asked for --- */

static int add_pattern(struct trace_request *q, const char *option, const char *pattern)
{
    if (q->functions.patterns == TRACE_MAX_PATTERNS)
        applet_misuse(&applet_trace, "%s: at most %d patterns", option, TRACE_MAX_PATTERNS);
    else if (!*pattern)
        applet_misuse(&applet_trace, "%s: PATTERN is missing", option);
    else {
        q->functions.pattern[q->functions.patterns++] = pattern;
        return 1;
    }
    return -1;
}

int trace_functions_add(struct trace_request *q, const char *pattern)
{
    q->functions.kernel = true;
    return add_pattern(q, "--functions", pattern);
}

int trace_functions_add_calls(struct trace_request *q, const char *pattern)
{
    q->functions.calls = true;
    return add_pattern(q, "--calls", pattern);
}

int trace_functions_where(struct trace_request *q, const char *text)
{
    struct fail f;
    if (ktrace_where_read(&q->functions.where, text, &f) == 0)
        return 1;
    applet_misuse(&applet_trace, "--where: %s%s%s", f.what, f.hint[0] ? "; " : "", f.hint);
    return -1;
}

int trace_functions_slower(struct trace_request *q, const struct opt_state *o)
{
    return ktrace_read_time(o->arg, &q->functions.slower_ns) == 0
               ? 1
               : opt_wrong(o, "not a time, as 500us or 1ms");
}

/* Functions are marks in the timeline then, beside the scheduler's events. */
static bool is_timeline_asked(const struct trace_request *q)
{
    bool drawn = q->want.record != NULL;
    for (size_t i = 0; i < q->outputs; i++)
        drawn = drawn || strcmp(q->output[i].format->name, "chrome") != 0;
    return q->view || q->lines || q->events || q->want.calls || q->want.interrupts || q->all ||
           drawn || trace_triggered(q);
}

bool trace_functions_as_marks(struct trace_request *q)
{
    if (!q->functions.kernel || !is_timeline_asked(q))
        return false;
    q->want.function = q->functions.pattern;
    q->want.functions = q->functions.patterns;
    return true;
}

static bool has_other_output(const struct trace_request *q)
{
    if (q->want.record || q->outputs > 1 || q->keep_s > 0 || q->from_s > 0 || q->to_s > 0)
        return true;
    return q->outputs && (strcmp(q->output[0].format->name, "chrome") != 0 ||
                          strcmp(q->output[0].path, "-") == 0);
}

/* What marks in a timeline do not have. */
static const char *find_unmarked(const struct trace_request *q)
{
    if (q->functions.where.count || q->functions.slower_ns || q->functions.stacks)
        return "--where, --slower and --stack cannot be used with events of the scheduler "
               "(-w -v -e -o html: ...)";
    return q->file ? "--functions cannot be used with FILE" : NULL;
}

/* What needs one of the two. */
static const char *find_unused(const struct trace_request *q)
{
    if (q->functions.where.count || q->functions.slower_ns)
        return "--where and --slower: only with --functions or --calls=PATTERN";
    return q->functions.stacks ? "--stack: only with --functions" : NULL;
}

const char *trace_functions_conflict(const struct trace_request *q)
{
    if (!q->functions.patterns)
        return find_unused(q);
    if (q->functions.kernel && !q->functions.calls && is_timeline_asked(q))
        return find_unmarked(q);
    if (q->functions.stacks && (q->summary || q->latency))
        return "--stack cannot be used with --summary or --latency";
    if (q->functions.calls && (q->functions.kernel || q->functions.stacks))
        return "--calls=PATTERN cannot be used with --functions or --stack";
    if (is_timeline_asked(q))
        return "--calls=PATTERN cannot be used with events of the scheduler "
               "(-w -v -e ...)";
    if (q->file)
        return "--functions and --calls=PATTERN cannot be used with FILE";
    if (has_other_output(q))
        return "--functions and --calls=PATTERN: the only output file is one -o chrome:FILE";
    return NULL;
}

/* --- Chrome's file --- */

static void flush_chrome(struct chrome_file *c)
{
    if (!c->failed && c->path && c->out.len)
        c->failed = file_append(c->handle, c->out.data, c->out.len, c->path, &c->fail) < 0;
    buf_clear(&c->out);
}

static int open_chrome(struct session *s)
{
    struct chrome_file *c = &s->chrome;
    if (!s->q->outputs)
        return DONE;
    c->handle = file_create(s->q->output[0].path, s->q->want.force, &c->fail);
    if (c->handle < 0)
        return applet_fail(&applet_trace, &c->fail);
    c->path = s->q->output[0].path;
    c->json = (struct json){.out = &c->out};
    json_object(&c->json, NULL);
    json_array(&c->json, "traceEvents");
    return DONE;
}

static int close_chrome(struct session *s, bool whole)
{
    struct chrome_file *c = &s->chrome;
    if (!c->path)
        return DONE;
    json_array_end(&c->json);
    json_object_end(&c->json);
    buf_addc(&c->out, '\n');
    flush_chrome(c);
    buf_release(&c->out);
    if (!whole || c->failed)
        file_abandon(c->handle, c->path);
    else
        c->failed = file_finish(c->handle, c->path, &c->fail) < 0;
    return c->failed ? applet_fail(&applet_trace, &c->fail) : DONE;
}

/* --- calls --- */

static void print_gathered(struct session *s)
{
    struct trace_request *q = s->q;
    if (!q->out.len)
        return;
    progress_wipe(&q->progress);
    int status = q->want.command ? applet_print_err(&applet_trace, &q->out, DONE)
                                 : applet_print(&applet_trace, &q->out, DONE);
    s->failed = s->failed || status;
    buf_clear(&q->out);
}

static bool is_asked_for(const struct trace_request *q, const struct function_run *t,
                         const struct ktrace_call *c)
{
    uint64_t ns = c->ended && c->end > c->start ? c->end - c->start : 0;
    return ktrace_where_holds(&q->functions.where, c,
                              ktrace_signature(&t->signatures, c->function)) &&
           (!q->functions.slower_ns || ns > q->functions.slower_ns);
}

static void add_line(struct session *s, const struct function_run *t, const struct ktrace_call *c)
{
    struct json j;
    const struct ktrace_shown show = function_run_shown(t);
    if (!s->q->json) {
        ktrace_call_text(&show, c, &s->q->out);
    } else {
        json_start(&j, &s->q->out, applet_trace.name);
        ktrace_call_json(&show, c, &j);
        json_end(&j);
    }
    if (s->q->out.len > PRINT_BYTES)
        print_gathered(s);
}

static void handle_call(void *arg, const struct function_run *t, const struct ktrace_call *c)
{
    struct session *s = arg;
    if (!is_asked_for(s->q, t, c))
        return;
    s->shown++;
    if (prints_lines(s->q))
        add_line(s, t, c);
    else if (c->function < s->totals)
        ktrace_total_add(&s->total[c->function], c);
    if (s->chrome.path) {
        const struct ktrace_shown show = function_run_shown(t);
        ktrace_call_chrome(&show, c, &s->chrome.json);
        if (s->chrome.out.len > PRINT_BYTES)
            flush_chrome(&s->chrome);
    }
}

/* Names in conditions may be wrong, or those of functions whose types are not known. */
static bool any_has_arguments(const struct trace_request *q, const struct function_run *t)
{
    for (size_t i = 0; i < t->functions; i++)
        if (ktrace_where_applies(&q->functions.where,
                                 ktrace_signature(&t->signatures, (uint32_t)i)))
            return true;
    return false;
}

static void warn_of_names(const struct session *s, const struct function_run *t)
{
    if (!any_has_arguments(s->q, t))
        applet_warn(&applet_trace, "--where: no %s that is traced has these arguments",
                    t->call ? "system call" : "function");
}

/* The arguments of system calls are not known yet. */
static void begin(void *arg, const struct function_run *t)
{
    struct session *s = arg;
    s->total = calloc(t->functions, sizeof *s->total);
    s->totals = s->total ? t->functions : 0;
    for (size_t i = 0; i < s->totals; i++)
        s->total[i].name = function_run_name(t, (uint32_t)i);
    progress_begin(&s->q->progress, "tracing %s%s",
                   counted(t->functions, t->call ? "system call" : "function").text,
                   t->call ? "" : " of the kernel");
    if (!t->call)
        warn_of_names(s, t);
}

static bool end_round(void *arg, const struct function_run *t)
{
    struct session *s = arg;
    (void)t;
    print_gathered(s);
    return !s->failed && !s->chrome.failed;
}

/* --- reports --- */

static void add_summary(struct session *s)
{
    struct trace_request *q = s->q;
    struct json j;
    struct ktrace_summary summary = {
        .total = s->total, .count = s->totals, .histograms = q->latency, .size = q->size};
    if (!q->summary && !q->latency)
        return;
    report_screen(&summary.size, q->want.command != NULL, q->outputs);
    if (!q->json) {
        ktrace_summary_text(&summary, &q->out);
        return;
    }
    json_start(&j, &q->out, applet_trace.name);
    ktrace_summary_json(&summary, &j);
    json_end(&j);
}

static void warn_count(uint64_t n, const char *what, const char *why)
{
    if (n)
        applet_warn(&applet_trace, "%s %s", counted(n, what).text, why);
}

static void print_warnings(const struct function_run *t)
{
    const struct ktrace_decoder *d = &t->run.decoder;
    if (d->losses)
        applet_warn(&applet_trace, "%s lost at %s: use a larger -b, or trace fewer functions",
                    counted(d->lost, "event").text, counted(d->losses, "place").text);
    warn_count(t->run.counts.missed, "hit",
               "missed by the kernel: too many calls at once, or probes within probes");
    warn_count(t->calls.unpaired, "event", "without the other end of the call: not shown");
    if (!t->call)
        warn_count(t->run.refused, "function", "cannot be probed: not traced");
    warn_count(d->damaged, "page", "could not be decoded");
}

static int finish(struct session *s, struct function_run *t, int r, struct fail *f)
{
    int status = r < 0 ? applet_fail(&applet_trace, f) : DONE;
    if (t->command.failed)
        status = applet_not_executed(r);
    if (r == 0)
        add_summary(s);
    print_gathered(s);
    if (r == 0 && t->call)
        warn_of_names(s, t);
    if (r == 0)
        print_warnings(t);
    int closed = close_chrome(s, r == 0 && !s->failed);
    if (status == DONE && !closed && s->chrome.path)
        report_wrote(s->chrome.path, s->q->output[0].format->opened);
    if (status == DONE && (closed || s->failed))
        status = FAILED;
    return status == DONE && t->command.executed ? t->command.status : status;
}

static void release(struct session *s)
{
    for (size_t i = 0; i < s->totals; i++)
        sched_latency_release(&s->total[i].time);
    free(s->total);
    buf_release(&s->q->out);
}

int trace_functions(struct trace_request *q)
{
    int width, height;
    struct session s = {.q = q};
    struct function_run t;
    struct fail f = {0};
    const struct function_run_want want = {.pattern = q->functions.pattern,
                                           .patterns = q->functions.patterns,
                                           .calls = q->functions.calls,
                                           .stacks = q->functions.stacks,
                                           .tracing = &q->want,
                                           .begin = begin,
                                           .call = handle_call,
                                           .round = end_round,
                                           .arg = &s};
    int status = open_chrome(&s);
    if (status)
        return status;
    if (!q->want.command && tty_stream_size(true, &width, &height))
        progress_start(&q->progress, true);
    int r = function_run(&want, &t, &f);
    progress_wipe(&q->progress);
    status = finish(&s, &t, r, &f);
    release(&s);
    function_run_release(&t);
    return status;
}
