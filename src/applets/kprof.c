/* kprof: where the kernel spends its time: Plan 9's report of a histogram (FORMATS 6), or a
 * sampling of all CPUs in the same words. */
#include "sampling_request.h"

#include "core/base/buf.h"
#include "engine/symbols/kernel_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct opt options[] = {
    {OPT_COMMAND | 'x', NULL, NULL, "sample all CPUs while COMMAND runs; exit with its status"},
    {'t', "seconds", "SECONDS", "sample for SECONDS (default 10; with -x: until it ends)"},
    {OPT_ADVANCED | 'F', "rate", "HZ", "samples per second on each CPU (default 997)"},
    {'e', "event", "EVENT", "sample on cpu-clock, cycles, GROUP:NAME, rNNN"},
    {'I', "idle", NULL, "show idle time, too"},
    {'g', "chains", "[HOW]", "record call chains: by fp, cfi or auto (default)"},
    SAMPLING_CHAIN_OPTS,
    {OPT_ADVANCED | SAMPLING_BY_PROCESS, "by-process", NULL,
     "one table per process, busiest first"},
    {OPT_ADVANCED | 'm', "module", "MODULE", "show only functions of this module: ext4"},
    SAMPLING_TABLE_OPTS,
    {'o', "output", "[FORMAT:]FILE", "write the histogram, or the samples as FORMAT"},
    {OPT_ADVANCED | 'q', "quiet", NULL, "print no report; write only -o and --record"},
    {SAMPLING_RECORD, "record", "FILE", "also record, for `tprof FILE' (-: standard output)"},
    {OPT_ADVANCED | 'f', "force", NULL, "overwrite existing files"},
    {0},
};

enum { SECONDS = 10 };

static int run_kprof(int argc, char **argv);

const struct applet applet_kprof = {
    .name = "kprof",
    .usage = "TEXT DATA\n[OPTION...]\n[OPTION...] -x COMMAND [ARGUMENT...]",
    .opts = options,
    .notes = "TEXT is a vmlinux, a System.map or a saved /proc/kallsyms; DATA is a copy of\n"
             "/dev/kpdata, or written by -o. Without them kprof samples the running kernel; ^C\n"
             "ends that. With -x the report goes to standard error.",
    .run = run_kprof,
    .values = sampling_values,
};

static int report_file(const char *text, const char *data)
{
    struct fail f;
    SCOPED_BUF out = BUF_INIT;
    int r = kernel_file_report(text, data, &out, &f);
    int status = applet_print(&applet_kprof, &out, DONE);
    if (r < 0 && !f.err && !f.hint[0]) /* Plan 9's words name no file */
        fail_hint(&f, "text is %s, data is %s", text, data);
    else if (r < 0 && f.err == ENOENT && !f.hint[0])
        fail_hint(&f, "without TEXT and DATA kprof samples the running kernel");
    if (r < 0)
        status = applet_fail(&applet_kprof, &f);
    return status;
}

/* What kprof was asked for; how it samples and what it shows are sampling_request's. */
struct kprof_request {
    struct sampling_request ask;
    char module[64]; /* -m, in brackets */
};

/* The kernel's modules go by their names without the brackets, too. */
static int parse_module(struct kprof_request *q, const char *name)
{
    q->ask.view.module = name;
    if (name[0] != '[' && strlen(name) + 3 <= sizeof q->module) {
        snprintf(q->module, sizeof q->module, "[%s]", name);
        q->ask.view.module = q->module;
    }
    return 1;
}

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct kprof_request *q = request;
    switch (id) {
    case 'I':
        return q->ask.want.idle = true;
    case 'm':
        return parse_module(q, o->arg);
    case 'o':
        return sampling_parse_output(&q->ask, o, &q->ask.kpdata);
    default:
        return sampling_opt(&q->ask, o, id);
    }
}

static int sample_kernel(struct sampling_request *q)
{
    const char *conflict = sampling_conflict(q);
    if (conflict)
        return applet_misuse(&applet_kprof, "%s", conflict);
    if (q->kpdata && q->want.event)
        return applet_misuse(&applet_kprof,
                             "-o: %s: a histogram counts clock ticks: -e %s cannot be used with it",
                             q->kpdata, q->want.event);
    if (!q->want.command && !q->want.seconds)
        q->want.seconds = SECONDS;
    return sampling_session(q);
}

static int run_kprof(int argc, char **argv)
{
    struct sampling_want want = {
        .everything = true, .kernel = true, .no_user = true, .user_apart = true, .hz = SAMPLING_HZ};
    struct kprof_request q = {
        .ask = {.applet = &applet_kprof, .want = want, .view = {.kernel = true}}};
    struct opt_state o = opt_start(&applet_kprof, argc, argv);
    int status = opt_read(&o, NULL, parse_option, &q);
    if (status != OPT_END)
        return status;
    sampling_apply_defaults(&q.ask);
    int operands = argc - o.next;
    if (q.ask.list_events)
        return operands ? applet_misuse(&applet_kprof, "-e list takes no operand")
                        : sampling_print_events(&q.ask);
    if (!q.ask.command && o.next == 1 && operands == 2)
        return report_file(argv[1], argv[2]);
    if (q.ask.command && !operands)
        return applet_misuse(&applet_kprof, "-x: COMMAND is missing");
    if (operands && !q.ask.command)
        return applet_usage(&applet_kprof);
    q.ask.want.command = q.ask.command ? argv + o.next : NULL;
    return sample_kernel(&q.ask);
}
