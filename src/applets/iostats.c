/* iostats: what a command reads and writes, by standing in between. */
#include "applets/applet.h"

#include "applets/progress.h"
#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "core/text/counted.h"
#include "engine/iostats/iostats.h"
#include "iostats_machine.h"
#include "iostats_proxy.h"
#include "plat/child.h"

#include <limits.h>
#include <string.h>

enum { MAX_SECONDS = 1000000000 };

enum {
    JSON = 256,
    FAILED_CALLS,
    BY_PROCESS,
    PATH,
    SORT,
    TREE,
    LATENCY,
    PLAN9,
    TRACE,
    FORCE,
    NO_STANDARD,
    TOP
};

static int run_iostats(int argc, char **argv);

static const struct opt options[] = {
    {'b', "by", "WAY", "9p, fuse, ptrace or auto (default): the first allowed"},
    {'p', "pid", "PID", "trace a running process by ptrace, until it ends or ^C"},
    {'a', "all", NULL, "who does I/O on this machine, until ^C"},
    {TOP, "top", NULL, "with -a: live view, updated every second"},
    {'t', "seconds", "SECONDS", "with -a or -p: stop after SECONDS"},
    {OPT_ADVANCED | 'T', "interval", "SECONDS", "with -a: a report, or a view, every SECONDS"},
    {OPT_ADVANCED | 'l', "listen", "ADDR", "9P proxy: accept clients at ADDR, and forward to ..."},
    {OPT_ADVANCED | 's', "server", "ADDR", "... the 9P server at ADDR, until ^C; SIGUSR1 reports"},
    {OPT_ADVANCED | 'A', "anywhere", NULL, "with -l: accept clients on other machines"},
    {'n', "rows", "N|all", "show N files, the others in one row"},
    {FAILED_CALLS, "failed", NULL, "show the calls that failed: error, program and file"},
    {BY_PROCESS, "by-process", NULL, "show a row per process: opens, failures, bytes"},
    {PATH, "path", "GLOB", "show only files whose paths match, as '/etc/*'"},
    {SORT, "sort", "ORDER", "by closed, bytes, read, written, opens, calls or name"},
    {TREE, "tree", NULL, "show directories, with sums"},
    {LATENCY, "latency", NULL, "add each message's latency: percentiles and a histogram"},
    {OPT_ADVANCED | PLAN9, "plan9", NULL, "print exactly Plan 9's report: whole ms, no last line"},
    {'d', "debug", NULL, "log every message to iostats.out"},
    {'f', "debug-file", "FILE", "log every message to FILE"},
    {OPT_ADVANCED | TRACE, "trace", "FILE", "write a Chrome trace of every message"},
    {OPT_ADVANCED | NO_STANDARD, "no-standard", NULL,
     "with -b 9p or fuse: leave out standard input, output, error"},
    {OPT_ADVANCED | FORCE, "force", NULL, "overwrite an existing log or trace"},
    {JSON, "json", NULL, "print the report as one JSON object"},
    {0},
};

static const struct opt_words argument_words[] = {
    {"WAY", "9p\nfuse\nptrace\nauto\n"},
    {"ORDER", "closed\nbytes\nread\nwritten\nopens\ncalls\nname\n"},
    {0},
};

const struct applet applet_iostats = {
    .name = "iostats",
    .usage = "[-d] [-f debugfile] [OPTION...] cmds [args ...]",
    .opts = options,
    .notes = "The report goes to standard error when the command ends; processes that it left\n"
             "running go on. Exit status: the command's, 128 + the signal that ended it, 127\n"
             "not found, 126 not executable.",
    .run = run_iostats,
    .begins_command = opt_any_command,
    .words = argument_words,
    .operands = "COMMAND",
};

struct request {
    struct iostats_want want;
    const struct iostats_backend *backend;
    struct iostats_between between;
    struct iostats_of_machine machine;
    bool all;
};

static const struct opt_member members[] = {
    {FAILED_CALLS, OPT_FLAG(struct request, want.failed)},
    {BY_PROCESS, OPT_FLAG(struct request, want.by_process)},
    {JSON, OPT_FLAG(struct request, want.json)},
    {PATH, OPT_TEXT(struct request, want.report.path)},
    {TREE, OPT_FLAG(struct request, want.report.tree)},
    {LATENCY, OPT_FLAG(struct request, want.report.latency)},
    {PLAN9, OPT_FLAG(struct request, want.report.plan9)},
    {'a', OPT_FLAG(struct request, all)},
    {TOP, OPT_FLAG(struct request, machine.top)},
    {'l', OPT_TEXT(struct request, between.listen)},
    {'s', OPT_TEXT(struct request, between.server)},
    {'A', OPT_FLAG(struct request, between.anywhere)},
    {'f', OPT_TEXT(struct request, want.log)},
    {TRACE, OPT_TEXT(struct request, want.trace)},
    {FORCE, OPT_FLAG(struct request, want.force)},
    {NO_STANDARD, OPT_FLAG(struct request, want.no_standard)},
    {'t', OPT_SECONDS(struct request, want.seconds, MAX_SECONDS)},
    {'T', OPT_SECONDS(struct request, machine.interval, MAX_SECONDS)},
    {0},
};

static int parse_backend(struct request *q, const struct opt_state *o)
{
    if (strcmp(o->arg, "auto") == 0)
        return 0;
    q->backend = iostats_backend_named(o->arg);
    return q->backend ? 0 : opt_wrong(o, "no such method (9p, fuse, ptrace, auto)");
}

static int parse_sort(struct request *q, const struct opt_state *o)
{
    q->want.report.sort = io_sort_by_name(o->arg);
    q->want.report.sorted = true;
    if (q->want.report.sort != IO_SORTS)
        return 0;
    return opt_wrong(o, "no such order (closed, bytes, read, written, opens, calls, name)");
}

static int parse_pid(struct request *q, const struct opt_state *o)
{
    uint64_t pid = 0;
    int r = opt_u64(o, 1, INT_MAX, &pid);
    q->want.pid = (int)pid;
    return r;
}

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct request *q = request;
    switch (id) {
    case 'b':
        return parse_backend(q, o);
    case 'p':
        return parse_pid(q, o);
    case 'n':
        return report_rows_opt(o, &q->want.report.size);
    case SORT:
        return parse_sort(q, o);
    default: /* 'd' */
        if (!q->want.log)
            q->want.log = "iostats.out";
        return 0;
    }
}

/* --- a process that runs --- */

struct drawing {
    struct progress line;
    int pid;
};

static void show_progress(void *arg, uint64_t calls)
{
    struct drawing *d = arg;
    SCOPED_BUF process = BUF_INIT;
    if (!d->line.begun) {
        progress_process(&process, d->pid);
        progress_begin(&d->line, "tracing %s", buf_str(&process));
    } else if (progress_due(&d->line)) {
        progress_draw(&d->line, "%.0f s, %s", (double)d->line.spent_ns / 1e9,
                      counted(calls, "call").text);
    }
}

static void say_wrote(const struct iostats_want *want)
{
    if (want->log)
        report_wrote(want->log, NULL);
    if (want->trace)
        report_wrote(want->trace, "open it at https://ui.perfetto.dev");
}

static int count_io(struct request *q)
{
    struct fail f;
    SCOPED_BUF report = BUF_INIT;
    struct iostats_result result;
    struct drawing d = {.pid = q->want.pid};
    progress_start(&d.line, q->want.pid);
    if (d.line.width) {
        q->want.traced = show_progress;
        q->want.arg = &d;
    }
    report_screen(&q->want.report.size, true, (q->want.log != NULL) + (q->want.trace != NULL));
    int r = iostats_run(q->backend, &q->want, &report, &result, &f);
    int status = result.status;
    progress_wipe(&d.line);
    if (r < 0) {
        int failed = applet_fail(&applet_iostats, &f);
        status = status ? status : failed;
    } else
        status =
            applet_print_err(&applet_iostats, &report, result.cut && !status ? FAILED : status);
    if (r == 0)
        say_wrote(&q->want);
    iostats_exit(&result, status);
    return status;
}

/* 0, or USAGE: what the report of failed calls does not have. */
static int check_failed(const struct request *q)
{
    const struct io_report_options *report = &q->want.report;
    if (!q->want.failed)
        return 0;
    if (q->backend && q->backend != &iostats_ptrace)
        return applet_misuse(&applet_iostats, "--failed: only ptrace sees the calls that failed");
    if (report->tree || report->latency || report->plan9)
        return applet_misuse(&applet_iostats, "--failed has no --tree, --latency or --plan9");
    if (report->sorted && report->sort != IO_SORT_CALLS && report->sort != IO_SORT_NAME)
        return applet_misuse(&applet_iostats, "--failed: --sort is by calls (default) or name");
    return 0;
}

static int check_by_process(const struct request *q)
{
    const struct io_report_options *report = &q->want.report;
    if (!q->want.by_process)
        return 0;
    if (q->backend && q->backend != &iostats_ptrace)
        return applet_misuse(&applet_iostats, "--by-process: only ptrace sees processes");
    if (q->want.failed || report->tree || report->latency || report->plan9 || report->path)
        return applet_misuse(&applet_iostats,
                             "--by-process has no --failed, --path, --tree, --latency or --plan9");
    return 0;
}

/* 0, or USAGE: what the report of the machine does not have. */
static int check_machine(const struct request *q)
{
    const struct io_report_options *report = &q->want.report;
    if (!q->all)
        return q->machine.top || q->machine.interval > 0
                   ? applet_misuse(&applet_iostats, "--top and -T need -a")
               : q->want.seconds > 0 && !q->want.pid
                   ? applet_misuse(&applet_iostats, "-t needs -a or -p")
                   : 0;
    if (q->backend || q->want.log || q->want.trace || q->want.failed || q->want.by_process ||
        report->path || report->tree || report->latency || report->plan9)
        return applet_misuse(&applet_iostats, "-a has only --top, -t, -T, -n, --sort and --json");
    if (q->machine.top && q->want.json)
        return applet_misuse(&applet_iostats, "--top has no --json: use -t SECONDS instead");
    if (report->sorted && (report->sort == IO_SORT_OPENS || report->sort == IO_SORT_CLOSED))
        return applet_misuse(&applet_iostats,
                             "-a: --sort is by bytes (default), read, written, calls or name");
    return 0;
}

static int check_between(const struct request *q)
{
    if (!q->want.failed && !q->want.by_process && !q->want.report.path)
        return 0;
    return applet_misuse(&applet_iostats, "-l: a proxy has no --failed, --by-process and --path");
}

static int count_machine(struct request *q)
{
    q->machine.seconds = q->want.seconds;
    q->machine.json = q->want.json;
    q->machine.size = q->want.report.size;
    q->machine.sort = q->want.report.sort;
    return iostats_of_machine(&q->machine);
}

/* strace's -f follows children; Plan 9's names a file, and takes the command's first word. */
static int misused(const struct request *q, bool command)
{
    const char *file = q->want.log;
    if (command || !file || !child_finds(file))
        return applet_usage(&applet_iostats);
    return applet_misuse(&applet_iostats,
                         "-f: %s: is the FILE of the log, and COMMAND is missing; children are "
                         "counted without -f",
                         file);
}

/* Exactly one of a command, a process, the machine and a proxy. */
static int run_request(struct request *q, const struct opt_state *o)
{
    int status;
    bool between = q->between.listen || q->between.server, pid = q->want.pid;
    if ((o->next < o->argc) + pid + between + q->all != 1)
        return misused(q, o->next < o->argc);
    if ((between && (status = check_between(q)) != 0) || (status = check_machine(q)) != 0 ||
        (status = check_failed(q)) != 0 || (status = check_by_process(q)) != 0)
        return status;
    if (between)
        return iostats_between(&q->between, &q->want);
    if (q->all)
        return count_machine(q);
    if (pid && q->backend && q->backend != &iostats_ptrace)
        return applet_misuse(&applet_iostats, "-p: a running process can only be traced by ptrace");
    q->want.command = pid ? NULL : o->argv + o->next;
    return count_io(q);
}

static int run_iostats(int argc, char **argv)
{
    struct request q = {0};
    struct opt_state o = opt_start(&applet_iostats, argc, argv);
    int status = opt_read(&o, members, parse_option, &q);
    return status == OPT_END ? run_request(&q, &o) : status;
}
