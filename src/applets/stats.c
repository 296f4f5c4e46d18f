/* stats: what machines do, as graphs: Plan 9's monitor (FORMATS 9). */
#include "stats_request.h"

#include "applets/progress.h"
#include "core/stats/record.h"
#include "core/text/shown.h"
#include "plat/file.h"
#include "plat/limits.h"
#include "plat/tty.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAMESPACE = 256,
    ONCE,
    JSON,
    CSV,
    OPENMETRICS,
    RECORD,
    REPLAY,
    SAMPLES,
    FORCE,
    WEB,
    PPROF,
    PROCESSES,
    DIAL,
    OVERVIEW,
    FIT,
    ROWS
};
enum { MAX_INTERVAL = 86400 };

static const struct opt options[] = {
    {'T', NULL, "SECONDS", "time between samples (default 1)"},
    {'S', NULL, "SCALE", "multiply the full scale of all graphs by this"},
    {OPT_ADVANCED | FIT, "fit", NULL, "full scales that fit the visible values"},
    {'L', NULL, NULL, "use log axes: full scale at 2/3, three decades"},
    {'Y', NULL, NULL, "label the lines with their values, for one CPU"},
    {OVERVIEW, "overview", NULL, "is the machine well? the graphs that answer it"},
    {OPT_ADVANCED | NAMESPACE, "namespace", "DIR",
     "the files of a machine; repeat it for several machines"},
    {ONCE, "once", NULL, "print one sample as text, --json or --csv"},
    {OPT_ADVANCED | ROWS, "rows", "N|all", "with --once: at most N graphs of a machine"},
    {JSON, "json", NULL, "print one JSON line per sample"},
    {CSV, "csv", NULL, "print one line per sample and machine"},
    {OPENMETRICS, "openmetrics", "[ADDRESS]", "one sample for Prometheus; served at ADDRESS"},
    {WEB, "web", "ADDRESS", "serve a page with the graphs (:8080, unix!path)"},
    {OPT_ADVANCED | PROCESSES, "processes", NULL, "also the processes that use most CPU time"},
    {OPT_ADVANCED | PPROF, "pprof", NULL,
     "with --web: also serve profiles, at /debug/pprof/profile"},
    {RECORD, "record", "FILE", "also record all samples (-: standard output)"},
    {REPLAY, "replay", "FILE", "show a recording"},
    {SAMPLES, "samples", "COUNT", "stop after COUNT samples"},
    {OPT_ADVANCED | FORCE, "force", NULL, "overwrite an existing file"},
    {OPT_ADVANCED | DIAL, "dial", "COMMAND",
     "how to reach host %h (default: ssh %h psuite export -)"},
    {OPT_ADVANCED | 'O', NULL, NULL, "ignored: old machines are recognized by their files"},
    {OPT_ADVANCED | '8', NULL, NULL, "802.11b: signal of the wireless network"},
    {OPT_ADVANCED | 'b', NULL, NULL, "battery"},
    {OPT_ADVANCED | 'c', NULL, NULL, "context: context switches"},
    {OPT_ADVANCED | 'e', NULL, NULL, "ether: packets in and out"},
    {OPT_ADVANCED | 'E', NULL, NULL, "etherin, etherout"},
    {OPT_ADVANCED | 'f', NULL, NULL, "fault: page faults"},
    {OPT_ADVANCED | 'i', NULL, NULL, "intr: interrupts"},
    {OPT_ADVANCED | 'I', NULL, NULL, "load, idle, inintr"},
    {OPT_ADVANCED | 'l', NULL, NULL, "load: running and runnable tasks (default)"},
    {OPT_ADVANCED | 'm', NULL, NULL, "mem: memory"},
    {OPT_ADVANCED | 'n', NULL, NULL, "etherin, etherout, ethererr"},
    {OPT_ADVANCED | 'p', NULL, NULL, "tlbpurge: TLB flushes"},
    {OPT_ADVANCED | 's', NULL, NULL, "syscall: system calls"},
    {OPT_ADVANCED | 't', NULL, NULL, "tlbmiss, tlbpurge"},
    {OPT_ADVANCED | 'w', NULL, NULL, "swap"},
    {OPT_ADVANCED | 'z', NULL, NULL, "temp: temperature"},
    {OPT_ADVANCED | 'u', NULL, NULL, "cpu, user, system, iowait, irq, steal: CPU time"},
    {OPT_ADVANCED | 'd', NULL, NULL, "diskread, diskwrite, diskops, diskbusy"},
    {OPT_ADVANCED | 'N', NULL, NULL, "netin, netout: bytes of the network"},
    {OPT_ADVANCED | 'M', NULL, NULL, "avail, programs, cached, kernel, free: memory"},
    {OPT_ADVANCED | 'P', NULL, NULL, "cpupsi, mempsi, memfull, iopsi, iofull: pressure"},
    {0},
};

static int run_stats(int argc, char **argv);

const struct applet applet_stats = {
    .name = "stats",
    .usage = "[-LY8bcdeEfiIlmMnNpPstuwz] [-T SECONDS] [OPTION...] [MACHINE...]\n"
             "[-LY8bcdeEfiIlmMnNpPstuwz] [OPTION...] --replay FILE",
    .opts = options,
    .notes = "MACHINE: a HOST (by ssh), tcp!HOST!PORT, unix!PATH, or a directory of its files.\n"
             "Graphs: b battery, c context, e ether, E in out, f fault, i intr, I load idle\n"
             "inintr, l load, m mem, n in out err, p tlbpurge, s syscall, t tlbmiss tlbpurge,\n"
             "w swap, z temp, 8 signal, u CPU, d disks, N network, M memory, P pressure.",
    .run = run_stats,
    .operands = "MACHINE",
};

/* --- options --- */

static void add_graphs(struct stats_request *q, char letter)
{
    enum stats_graph graphs[STATS_LETTER_MAX];
    size_t n = stats_letter_graphs(letter, graphs);
    for (size_t i = 0; i < n; i++)
        stats_choose(&q->view.choice, graphs[i]);
}

/* As in Plan 9, one at or below 0 is passed over. */
static int parse_interval(struct stats_request *q, const struct opt_state *o)
{
    char *end;
    if (strtod(o->arg, &end) <= 0 && end != o->arg && !*end)
        return 1;
    return opt_seconds(o, MAX_INTERVAL, &q->interval);
}

static int parse_scale(struct stats_request *q, const struct opt_state *o)
{
    char *end;
    double scale = strtod(o->arg, &end);
    if (end == o->arg || *end || !(scale >= 1e-6 && scale <= 1e6))
        return opt_wrong(o, "not a number from 1e-6 to 1e6");
    q->view.scale = scale;
    return 1;
}

/* --once is a form, and with --json or --csv an end. */
static int set_once(struct stats_request *q)
{
    q->once = true;
    if (q->form == STATS_SCREEN)
        q->form = STATS_ONCE;
    return 1;
}

static int set_form(struct stats_request *q, enum stats_form form)
{
    if (q->form == STATS_ONCE)
        q->form = STATS_SCREEN;
    if (q->form != STATS_SCREEN && q->form != form)
        return applet_misuse(&applet_stats,
                             "only one of --json, --csv and --openmetrics can be used"),
               -1;
    q->form = form;
    return 1;
}

/* What a graph looks like; the others are graphs. */
static const struct opt_member members[] = {
    {FIT, OPT_FLAG(struct stats_request, view.fit)},
    {'L', OPT_FLAG(struct stats_request, view.log)},
    {'Y', OPT_FLAG(struct stats_request, view.labels)},
    {PPROF, OPT_FLAG(struct stats_request, pprof)},
    {PROCESSES, OPT_FLAG(struct stats_request, usage)},
    {RECORD, OPT_TEXT(struct stats_request, record)},
    {DIAL, OPT_TEXT(struct stats_request, dial)},
    {REPLAY, OPT_TEXT(struct stats_request, replay)},
    {FORCE, OPT_FLAG(struct stats_request, force)},
    {SAMPLES, OPT_NUMBER(struct stats_request, samples, 1, UINT32_MAX)},
    {0},
};

static int parse_view(struct stats_request *q, const struct opt_state *o, int id)
{
    switch (id) {
    case 'S':
        return parse_scale(q, o);
    case OVERVIEW:
        stats_choose_overview(&q->view.choice);
        return q->overview = true;
    case 'O':
        return 1;
    default:
        add_graphs(q, (char)id);
        return 1;
    }
}

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct stats_request *q = request;
    switch (id) {
    case 'T':
        return parse_interval(q, o);
    case ROWS:
        return report_rows_opt(o, &q->size);
    case NAMESPACE:
        return stats_machine(q, o->arg, true);
    case ONCE:
        return set_once(q);
    case JSON:
    case CSV:
        return set_form(q, (enum stats_form)(STATS_ONCE + (id - ONCE)));
    case OPENMETRICS:
        if (o->arg)
            return stats_serve_metrics(q, o->arg);
        return set_form(q, (enum stats_form)(STATS_ONCE + (id - ONCE)));
    case WEB:
        return stats_serve_web(q, o->arg);
    default:
        return parse_view(q, o, id);
    }
}

static bool is_served(const struct stats_request *q)
{
    return q->web || q->metrics;
}

/* Samples have the processes of this machine. The overview in one sample has them unasked. */
static bool has_processes(const struct stats_request *q)
{
    bool text = q->form == STATS_ONCE || q->form == STATS_JSON;
    bool view = q->form == STATS_SCREEN && (q->web || tty_is_stdout_terminal());
    return (text || view) && !q->machines && !q->replay && (q->usage || (q->overview && q->once));
}

static const char *find_conflict(const struct stats_request *q)
{
    if (q->replay && q->record)
        return "--record cannot be used with --replay";
    if (q->replay && q->machines)
        return "--replay cannot be used with machines";
    if (q->replay && is_served(q))
        return "--replay cannot be used with --web or --openmetrics=ADDRESS";
    if (q->pprof && !q->web)
        return "--pprof: only with --web ADDRESS";
    if (q->usage && !is_served(q) && !has_processes(q))
        return "--processes: only with --once, --json, on a terminal, --web ADDRESS or "
               "--openmetrics=ADDRESS, and of this machine";
    if (q->force && !q->record)
        return "--force: only with --record";
    if (q->record && !strcmp(q->record, "-") && q->form != STATS_SCREEN)
        return "--record -: cannot be used with a report on standard output";
    return NULL;
}

/* The view shows load, if nothing else is wanted, and so do its lines where it is no terminal; text
 * and recordings have all. On a page, and on a terminal that shows what fits, the overview is
 * first. */
static void apply_defaults(struct stats_request *q)
{
    q->all = q->view.choice;
    if (!q->all.count && (is_served(q) || (q->form == STATS_ONCE && tty_is_stdout_terminal())))
        stats_choose_overview(&q->all);
    if (!q->view.choice.count || q->record || is_served(q))
        for (int i = 0; i < STATS_GRAPHS; i++)
            stats_choose(&q->all, (enum stats_graph)i);
    if (!q->view.choice.count)
        stats_choose(&q->view.choice, STATS_LOAD);
    if (q->form == STATS_SCREEN && !q->record && !is_served(q) && !tty_is_stdout_terminal()) {
        q->form = STATS_LINES;
        q->all = q->view.choice;
    }
}

/* --- runs --- */

/* In lines of their own: ssh may be asking for a password meanwhile. */
static void show_waiting(void *arg, const struct stats_watch *w)
{
    SCOPED_BUF text = BUF_INIT;
    if (!progress_line_due(arg))
        return;
    buf_adds(&text, "waiting for");
    for (size_t i = 0; i < w->sources; i++)
        if (stats_source_is_awaited(&w->source[i])) {
            buf_adds(&text, " ");
            shown_adds(&text, w->source[i].name);
        }
    buf_adds(&text, ", Ctrl-C ends");
    progress_line(arg, buf_str(&text));
}

/* On the screen, unless nothing but a recording is wanted and there is none. */
static int show_samples(struct stats_request *q, struct stats_watch *w, struct fail *f)
{
    const struct stats_choice *choice =
        q->form == STATS_SCREEN && !q->record && !is_served(q) ? NULL : &q->all;
    struct progress line;
    const struct stats_start_hooks hooks = {
        .left_out = stats_left_out, .waiting = show_waiting, .arg = &line};
    limits_first_victim();
    progress_start(&line, true);
    int r = stats_start(w, choice ? choice : &q->view.choice, &hooks, f);
    if (r < 0)
        return r;
    if (q->form != STATS_SCREEN)
        return stats_run(w, choice, q->sink, q->sinks, f);
    r = stats_live(w, choice, &q->view, q->sink, q->sinks, f);
    if (r == -ENOTTY && (q->record || is_served(q)))
        return stats_run(w, choice, q->sink, q->sinks, f);
    if (r == -ENOTTY || r == -ENOTSUP)
        fail_hint(f, "--once, --json and --csv need no terminal");
    return r;
}

static int watch_machines(struct stats_request *q)
{
    struct stats_watch w;
    struct fail f;
    stats_watch_init(&w, q->interval);
    int status = stats_outputs_open(q);
    if (status == DONE && is_served(q))
        status = stats_serve_begin(q);
    if (status == DONE) {
        int r = stats_machines_add(q, &w, &f);
        if (r == 0 && has_processes(q))
            r = stats_watch_processes(&w, &f);
        if (r == 0)
            r = show_samples(q, &w, &f);
        if (r < 0)
            status = applet_fail(&applet_stats, &f);
    }
    stats_watch_release(&w);
    stats_serve_end();
    return stats_outputs_close(q, status);
}

static int show_replay(struct stats_request *q, struct stats_replay *r)
{
    struct fail f;
    if (r->samples == 0)
        return applet_error(&applet_stats, "%s: cut off before the end of the first sample",
                            q->replay);
    if (q->form != STATS_SCREEN)
        return stats_replay_print(q, r);
    int e = stats_replay_show(r, &q->view, &f);
    if (e == -ENOTTY || e == -ENOTSUP)
        fail_hint(&f, "--once, --json and --csv need no terminal");
    return e < 0 ? applet_fail(&applet_stats, &f) : DONE;
}

static int replay_recording(struct stats_request *q, bool chosen)
{
    struct image image;
    struct stats_replay r;
    struct fail f;
    if (file_input(q->replay, SIZE_MAX, &image, &f) < 0) /* mapped: a day has 1.6 GB */
        return applet_fail(&applet_stats, &f);
    int e = stats_replay_open(&r, (const char *)image.data, image.len, q->replay, &f);
    int status = DONE;
    if (e == 0 && chosen && q->form != STATS_SCREEN)
        r.graph_filter = &q->view.choice;
    if (e == 0)
        status = show_replay(q, &r);
    else
        status = applet_fail(&applet_stats, &f);
    statsview_release(&q->view);
    if (e == 0)
        stats_replay_release(&r);
    file_unmap(&image);
    buf_release(&q->text);
    return status;
}

static int run_stats(int argc, char **argv)
{
    struct stats_request q = {.interval = 1, .view = {.scale = 1, .speed = 1}, .recording = -1};
    struct opt_state o = opt_start(&applet_stats, argc, argv);
    int status = opt_read(&o, members, parse_option, &q);
    if (status != OPT_END)
        return status;
    for (; o.next < argc; o.next++)
        if (stats_machine(&q, argv[o.next], false) < 0)
            return USAGE;
    const char *wrong = find_conflict(&q);
    if (wrong)
        return applet_misuse(&applet_stats, "%s", wrong);
    if (stats_machines_check(&q) < 0)
        return USAGE;
    bool chosen = q.view.choice.count;
    q.view.processes = q.usage;
    apply_defaults(&q);
    if (q.replay)
        return replay_recording(&q, chosen);
    status = watch_machines(&q);
    statsview_release(&q.view);
    return status;
}
