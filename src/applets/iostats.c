/* iostats: what a command reads and writes, by standing in between. */
#include "applets/applet.h"

#include "core/base/buf.h"
#include "engine/iostats/iostats.h"
#include "iostats_proxy.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum { JSON = 256, SORT, TREE, LATENCY, PLAN9, TRACE, FORCE, NO_STANDARD };

static int run(int argc, char **argv);

static const struct opt options[] = {
    {'b', "by", "WAY", "9p, fuse, ptrace, or auto (default): the first that is allowed here"},
    {'p', "pid", "PID", "a running process, by ptrace, until it ends or ^C"},
    {'l', "listen", "ADDR", "stand between 9P clients that call ADDR and ..."},
    {'s', "server", "ADDR", "... the 9P server at ADDR, until ^C; SIGUSR1 reports"},
    {OPT_SELDOM | 'A', "anywhere", NULL, "-l: other machines may call, too"},
    {'n', "rows", "N", "show N files, the others as one"},
    {SORT, "sort", "ORDER", "files by closed, bytes, read, written, opens, calls, name"},
    {TREE, "tree", NULL, "by directory, with sums"},
    {LATENCY, "latency", NULL, "add each message's times: shares and a histogram"},
    {PLAN9, "plan9", NULL, "Plan 9's report to the letter: whole ms, no last line"},
    {'d', "debug", NULL, "log every message to iostats.out"},
    {'f', "debug-file", "FILE", "log every message to FILE"},
    {TRACE, "trace", "FILE", "Chrome trace of every message, for a viewer"},
    {OPT_SELDOM | NO_STANDARD, "no-standard", NULL,
     "by 9p and fuse, neither trace nor count standard descriptors"},
    {OPT_SELDOM | FORCE, "force", NULL, "replace a log or trace that exists"},
    {JSON, "json", NULL, "report one JSON object"},
    {0},
};

const struct applet applet_iostats = {
    .name = "iostats",
    .usage = "[-d] [-f debugfile] [OPTION...] cmds [args ...]",
    .opts = options,
    .notes = "The report goes to standard error when the command ends; what it left running\n"
             "goes on. Exit status: the command's, 128 + the signal that ended it, 127 not\n"
             "found, 126 not executable.",
    .run = run,
};

struct request {
    struct iostats_want want;
    const struct iostats_way *way;
    struct iostats_between between;
};

static int take_way(struct request *q, const char *name)
{
    if (strcmp(name, "auto") == 0)
        return 0;
    q->way = iostats_way_named(name);
    return q->way ? 0 : applet_misuse(&applet_iostats, "-b: %s: no such way", name);
}

static int take_sort(struct request *q, const char *name)
{
    q->want.report.sort = io_sort_named(name);
    if (q->want.report.sort != IO_SORTS)
        return 0;
    return applet_misuse(&applet_iostats, "--sort: %s: no such order", name);
}

static int take_rows(struct request *q, const struct opt_state *o)
{
    unsigned long long rows = 0;
    int r = opt_u64(o, "-n", 1, 1000000000, &rows);
    q->want.report.rows = (size_t)rows;
    return r < 0 ? USAGE : 0;
}

static int take_pid(struct request *q, const struct opt_state *o)
{
    unsigned long long pid = 0;
    int r = opt_u64(o, "-p", 1, INT_MAX, &pid);
    q->want.pid = (int)pid;
    return r < 0 ? USAGE : 0;
}

/* 0, or USAGE after having said what is wrong. */
static int take_option(struct request *q, struct opt_state *o, int id)
{
    struct io_report_want *report = &q->want.report;
    switch (id) {
    case 'b':
        return take_way(q, o->arg);
    case 'p':
        return take_pid(q, o);
    case 'l':
        q->between.listen = o->arg;
        return 0;
    case 's':
        q->between.server = o->arg;
        return 0;
    case 'A':
        q->between.anywhere = true;
        return 0;
    case 'n':
        return take_rows(q, o);
    case SORT:
        return take_sort(q, o->arg);
    case TREE:
        report->tree = true;
        return 0;
    case LATENCY:
        report->latency = true;
        return 0;
    case PLAN9:
        report->plan9 = true;
        return 0;
    case 'd':
        if (!q->want.log)
            q->want.log = "iostats.out";
        return 0;
    case 'f':
        q->want.log = o->arg;
        return 0;
    case TRACE:
        q->want.trace = o->arg;
        return 0;
    case FORCE:
        q->want.force = true;
        return 0;
    case NO_STANDARD:
        q->want.no_standard = true;
        return 0;
    default:
        q->want.json = true;
        return 0;
    }
}

static int watch(struct request *q)
{
    struct fail f;
    struct buf report = BUF_INIT;
    struct iostats_result result;
    int r = iostats_run(q->way, &q->want, &report, &result, &f);
    int status = result.status;
    if (r < 0) {
        int failed = applet_fail(&applet_iostats, &f);
        status = status ? status : failed;
    } else
        status =
            applet_print_err(&applet_iostats, &report, result.cut && !status ? FAILED : status);
    buf_release(&report);
    iostats_leave(&result, status);
    return status;
}

static int run(int argc, char **argv)
{
    struct request q = {0};
    struct opt_state o;
    int id, status;
    opt_start(&o, &applet_iostats, argc, argv);
    while ((id = opt_next(&o)) != OPT_END) {
        if (id < 0)
            return opt_status(id);
        if ((status = take_option(&q, &o, id)) != 0)
            return status;
    }
    bool between = q.between.listen || q.between.server;
    if ((o.next == argc) != (q.want.pid || between) || (q.want.pid && between))
        return applet_usage(&applet_iostats);
    if (between)
        return iostats_between(&q.between, &q.want);
    if (q.want.pid && q.way && q.way != &iostats_ptrace)
        return applet_misuse(&applet_iostats,
                             "-p: a process that runs can be watched by ptrace only");
    q.want.command = q.want.pid ? NULL : argv + o.next;
    return watch(&q);
}
