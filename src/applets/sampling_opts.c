/* The options of every applet that samples. */
#include "sampling_request.h"

#include "applets/complete.h"
#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "core/base/ranges.h"
#include "plat/count.h"

#include <string.h>

enum { MAX_HZ = 100000, MAX_KEPT_SECONDS = 7 * 86400 };

static const struct {
    int id;
    enum sampling_form form;
} forms[] = {{'c', SAMPLING_CUMULATIVE},
             {SAMPLING_OF_TREE, SAMPLING_TREE},
             {SAMPLING_OF_CALLERS, SAMPLING_CALLERS},
             {SAMPLING_OF_AROUND, SAMPLING_AROUND}};

void sampling_set_form(struct sampling_request *q, enum sampling_form form, const char *function)
{
    q->view.form = form;
    q->view.function = function;
    if (form != SAMPLING_ANNOTATE && !q->want.chains)
        q->want.chains = CHAINS_CFI;
}

static int parse_chains(struct sampling_request *q, const struct opt_state *o)
{
    const char *how = o->arg, *name = how && *how == '=' ? how + 1 : how;
    q->want.chains = name && strcmp(name, "fp") == 0 ? CHAINS_FP : CHAINS_CFI;
    if (!name || strcmp(name, "fp") == 0 || strcmp(name, "cfi") == 0 || strcmp(name, "auto") == 0)
        return 1;
    return opt_wrong(o, "no such method (fp, cfi, auto; joined, as in -g=fp); put other option "
                        "letters before the g");
}

static int parse_cpus(struct sampling_request *q, const struct opt_state *o)
{
    int n = ranges_parse(o->arg, SAMPLING_MAX_CPUS - 1, q->cpu, SAMPLING_MAX_CPUS);
    if (n < 0)
        return opt_wrong(o, "not a list of CPUs such as 0,2-3");
    q->want.cpu = q->cpu;
    q->want.cpus = (size_t)n;
    return 1;
}

static bool keep_event(struct sampling_request *q, const char *name, size_t len)
{
    struct sampling_want *want = &q->want;
    char *to = q->event_names + q->event_bytes;
    bool first = !want->event;
    if (len >= sizeof q->event_names - q->event_bytes ||
        (!first && want->mores + 1 == SAMPLE_MAX_EVENTS))
        return false;
    memcpy(to, name, len);
    to[len] = '\0';
    q->event_bytes += len + 1;
    if (first)
        want->event = to;
    else
        want->more_event[want->mores++] = to;
    return true;
}

/* One event, or several with commas between them: those within PMU/TERM,TERM/ are the event's. */
static int parse_events(struct sampling_request *q, const struct opt_state *o)
{
    q->list_events |= strcmp(o->arg, "list") == 0;
    for (const char *at = o->arg;; at++) {
        const char *from = at;
        for (bool terms = false; *at && (terms || *at != ','); at++)
            terms ^= *at == '/';
        if (at == from)
            return opt_wrong(o, "an event's name is missing");
        if (!keep_event(q, from, (size_t)(at - from)))
            return opt_wrong(o, "at most 8 events, of 500 bytes in all");
        if (!*at)
            return 1;
    }
}

static const struct opt_member members[] = {
    {'x', OPT_FLAG(struct sampling_request, command)},
    {'t', OPT_SECONDS(struct sampling_request, want.seconds, 1e9)},
    {'F', OPT_NUMBER(struct sampling_request, want.hz, 1, MAX_HZ)},
    {SAMPLING_BY_PROCESS, OPT_VALUE(struct sampling_request, want.by, SAMPLED_BY_PROCESS)},
    {SAMPLING_RECORD, OPT_TEXT(struct sampling_request, want.record)},
    {SAMPLING_PERIOD, OPT_NUMBER(struct sampling_request, want.period, 1, UINT64_C(1) << 62)},
    {SAMPLING_KEEP, OPT_SECONDS(struct sampling_request, want.keep_seconds, MAX_KEPT_SECONDS)},
    {SAMPLING_JSON, OPT_FLAG(struct sampling_request, view.json)},
    {'q', OPT_FLAG(struct sampling_request, quiet)},
    {'f', OPT_FLAG(struct sampling_request, want.force)},
    {0},
};

int sampling_opt(struct sampling_request *q, struct opt_state *o, int id)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (forms[i].id == id) {
            q->view.by_cumulative |= id == 'c';
            sampling_set_form(q, forms[i].form, o->arg);
            return 1;
        }
    q->has_rate |= id == 'F';
    switch (id) {
    case 'g':
        return parse_chains(q, o);
    case 'e':
        return parse_events(q, o);
    case SAMPLING_CPUS:
        return parse_cpus(q, o);
    case SAMPLING_ROWS:
        return report_rows_opt(o, &q->view.size);
    case 'o':
        return sampling_parse_output(q, o, &q->report);
    default:
        return opt_set(o, members, q);
    }
}

void sampling_values(const struct opt *o, struct buf *out)
{
    if (strcmp(o->arg, "FORMAT") == 0)
        for (size_t i = 0; i < writer_count; i++)
            buf_printf(out, "%s\t%s\n", writers[i].name, writers[i].summary);
    else if (strcmp(o->arg, "[HOW]") == 0)
        buf_adds(out, "auto\nfp\tframe pointers\ncfi\tcall frame information\n");
    else if (strcmp(o->arg, "ENGINE") == 0)
        buf_adds(out, "perf\nptrace\n");
    else if (strcmp(o->arg, "EVENT") == 0)
        complete_add(count_names(), out);
}

bool sampling_shows_functions(const struct sampling_request *q)
{
    return !q->want.record && !q->outputs && !q->kpdata && q->view.form == SAMPLING_FLAT &&
           q->view.by == FLAT_FUNCTION;
}

/* A chain's time is what -g is for: without another form, the table with both. */
void sampling_apply_defaults(struct sampling_request *q)
{
    q->view.applet = q->applet->name;
    q->view.whole = q->top && q->want.by == SAMPLED_WHOLE;
    for (size_t i = 0; i < q->outputs; i++)
        q->want.timeline |= strcmp(q->output[i].writer->name, "firefox") == 0;
    if (q->want.chains && q->view.form == SAMPLING_FLAT && q->view.by != FLAT_LINE)
        q->view.form = SAMPLING_CUMULATIVE;
}

static const char *view_conflict(const struct sampling_view *view)
{
    if (view->module && view->form != SAMPLING_FLAT && view->form != SAMPLING_ANNOTATE)
        return "-m cannot be used with -g, -c, --tree and the like: it selects rows of the table "
               "of functions";
    if (view->json && view->form == SAMPLING_AROUND)
        return "--around cannot be used with --json, which has all chains";
    return NULL;
}

static const char *rate_conflict(const struct sampling_request *q)
{
    if (q->want.period && q->has_rate)
        return "-F and --period exclude each other";
    if (q->want.period && q->want.waits)
        return "--period cannot be used with -w, which measures time: use -F";
    if (q->want.cpus && q->want.waits)
        return "--cpus cannot be used with -w: a thread may wait for another CPU";
    return NULL;
}

/* The report is made of the recording, an event at a time. */
static const char *events_conflict(const struct sampling_request *q)
{
    if (!q->want.mores)
        return NULL;
    if (q->top)
        return "--top shows one event: -e EVENT";
    if (q->want.waits)
        return "-w cannot be used with several events: it measures time";
    if (q->kpdata)
        return "-o FILE is a histogram of one event: -e EVENT";
    if (q->want.record && strcmp(q->want.record, "-") == 0 && !q->quiet)
        return "--record - with several events needs -q: read the recording for a report";
    return NULL;
}

static const char *keep_conflict(const struct sampling_request *q)
{
    if (q->want.keep_seconds <= 0)
        return NULL;
    if (!q->want.record || strcmp(q->want.record, "-") == 0)
        return "--keep needs --record FILE";
    if (q->top)
        return "--keep cannot be used with --top";
    if (q->outputs)
        return "--keep cannot be used with -o FORMAT:FILE: make such files of the recording";
    return NULL;
}

static bool has_no_output(const struct sampling_request *q)
{
    return q->quiet && !q->report && !q->kpdata && !q->outputs && !q->want.record && !q->top;
}

const char *sampling_conflict(const struct sampling_request *q)
{
    const char *conflict =
        view_conflict(&q->view) ?: keep_conflict(q) ?: rate_conflict(q) ?: events_conflict(q);
    if (conflict)
        return conflict;
    if (sampling_stdout_users(q) > 1)
        return "only one of --record - and -o FORMAT:- can use standard output: name files for the "
               "others";
    return has_no_output(q) ? "-q needs -o or --record: without them there is no output" : NULL;
}
