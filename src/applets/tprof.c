/* tprof: where a running program, or the whole machine, spends its time. Plan 9's lines (FORMATS
 * 5), over perf events or ptrace. */
#include "tprof_request.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { CHILDREN = 256, THREADS, ANNOTATE, BUNDLE, DIFF, TOP };

static const struct opt options[] = {
    {'x', NULL, NULL, "run COMMAND; also what it starts; exit with its status"},
    {'a', "all", NULL, "every process on every CPU"},
    {'k', "kernel", NULL, "also what the kernel does"},
    {'g', "chains", "[HOW]", "with call chains: by fp, cfi or auto (default)"},
    {'e', "event", "EVENT", "by cpu-clock, cycles, page-faults, GROUP:NAME, rNNN"},
    {'E', "engine", "ENGINE", "perf or ptrace; without: perf, where it can be had"},
    {TOP, "top", NULL, "live, once a second, of -a or PID"},
    {'t', "seconds", "SECONDS", "stop after so long"},
    {'F', "rate", "HZ", "samples a second of running time (default 997)"},
    {CHILDREN, "children", NULL, "with PID: also what it starts"},
    {THREADS, "threads", NULL, "a table a thread, busiest first"},
    {'p', "processes", NULL, "a table a process, busiest first"},
    {'m', "module", "MODULE", "show only functions of this module"},
    {'i', "inlines", NULL, "by functions of the source, inlined ones too"},
    {'l', "lines", NULL, "by source line"},
    SAMPLING_CHAIN_OPTS,
    {ANNOTATE, "annotate", "FUNCTION", "this function's source or code, with time a line"},
    SAMPLING_TABLE_OPTS,
    {'o', "output", "[FORMAT:]FILE", "write the report, or the samples as FORMAT"},
    {'q', "quiet", NULL, "no report: only what -o and --record write"},
    {SAMPLING_RECORD, "record", "FILE", "also record, for `tprof FILE' (-: standard output)"},
    {BUNDLE, "bundle", "FILE", "make a recording readable anywhere"},
    {DIFF, "diff", NULL, "compare two recordings"},
    {'f', "force", NULL, "write over existing files"},
    SYMBOL_OPTS,
    {'n', NULL, "DIR", "no sampling: read DIR/proc/PID/{profile,text}"},
    {0},
};

static int run(int argc, char **argv);

const struct applet applet_tprof = {
    .name = "tprof",
    .usage = "[OPTION...] PID [BINARY]\n[OPTION...] -x COMMAND [ARGUMENT...]\n[OPTION...] -a\n"
             "[OPTION...] FILE\n[OPTION...] --diff OLD NEW",
    .opts = options,
    .notes = "FILE is a recording or perf.data; BINARY has a stripped program's symbols.\n"
             "^C ends it with the report: on standard output, with -x on standard error.",
    .run = run,
};

/* --- options --- */

static int take_engine(struct tprof_request *q, const char *name)
{
    enum sample_engine *engine = &q->ask.want.engine;
    *engine = strcmp(name, "perf") == 0     ? SAMPLE_PERF
              : strcmp(name, "ptrace") == 0 ? SAMPLE_PTRACE
                                            : SAMPLE_ANY;
    if (*engine != SAMPLE_ANY)
        return 1;
    applet_misuse(&applet_tprof, "-E %s: no such engine (perf, ptrace)", name);
    return -1;
}

/* What is sampled. 0: it is none of these. */
static int take_sampling(struct tprof_request *q, const struct opt_state *o, int id)
{
    switch (id) {
    case 'a':
        return q->all = true;
    case 'k':
        return q->ask.want.kernel = true;
    case 'E':
        return take_engine(q, o->arg);
    case TOP:
        return q->ask.top = true;
    case THREADS:
        q->ask.want.by = SAMPLED_BY_THREAD;
        return 1;
    case CHILDREN:
        return q->ask.want.children = true;
    default:
        return 0;
    }
}

/* How it is shown, and what else is done than sampling. */
static int take_rest(struct tprof_request *q, const struct opt_state *o, int id)
{
    switch (id) {
    case 'm':
        q->ask.view.module = o->arg;
        return 1;
    case 'i':
        q->ask.view.by = FLAT_INLINE;
        return 1;
    case 'l':
        q->ask.view.by = FLAT_LINE;
        return 1;
    case ANNOTATE:
        sampling_take_form(&q->ask, SAMPLING_ANNOTATE, o->arg);
        return 1;
    case BUNDLE:
        q->bundle = o->arg;
        return 1;
    case DIFF:
        return q->diff = true;
    case 'n':
        q->folder = o->arg;
        return 1;
    default:
        return symbol_opt(&q->ask.symbols, o, id);
    }
}

static int take_option(struct tprof_request *q, struct opt_state *o, int id)
{
    int r = take_sampling(q, o, id);
    if (r == 0)
        r = sampling_opt(&q->ask, o, id);
    return r ? r : take_rest(q, o, id);
}

/* A number is a process; anything else a file: ./123, too. */
static bool parse_pid(const char *text, int *pid)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    *pid = errno || v < 1 || v > INT_MAX ? 0 : (int)v;
    return !*end && end != text;
}

/* --- what goes together --- */

/* What a request is of, and which of its options that leaves without a meaning; NULL: all is well.
 */
static const char *odd_sampling(const struct tprof_request *q, int operands)
{
    if (q->all && (q->ask.command || operands))
        return "-a is of everything: it takes no PID, COMMAND or FILE";
    if (q->ask.command && !operands)
        return "-x: COMMAND is missing";
    if (q->ask.command && q->ask.top)
        return "--top: COMMAND would write over it; start it apart, and give its PID";
    return NULL;
}

static const char *odd_files(const struct tprof_request *q, int operands)
{
    if (q->diff && (q->all || q->ask.command || q->bundle || operands != 2))
        return "--diff takes two recordings: --diff OLD NEW";
    if (q->bundle && (q->all || q->ask.command || operands))
        return "--bundle FILE adds to that recording alone: no PID, COMMAND or other FILE";
    if (q->folder && (q->all || q->ask.command))
        return "-n DIR takes a PID whose files stand there: no -a, no -x";
    return NULL;
}

static const char *odd_view(const struct tprof_request *q)
{
    bool flat = q->ask.view.form == SAMPLING_FLAT;
    if (q->ask.view.module && !flat)
        return "-m: only the table of functions can be of one module (no -g, -c, --tree, ...)";
    if (q->ask.view.by == FLAT_LINE && !flat && q->ask.view.form != SAMPLING_ANNOTATE)
        return "-l: call chains are shown by functions";
    if (q->ask.view.json && q->ask.view.form == SAMPLING_AROUND)
        return "--around: it is a text; --json without it has all chains";
    return NULL;
}

static const char *odd_output(const struct tprof_request *q)
{
    if (sampling_stdout_users(&q->ask) > 1)
        return "standard output takes one of --record - and -o FORMAT:-; name files for the others";
    if (q->ask.quiet && !q->ask.report && !q->ask.outputs && !q->ask.want.record && !q->ask.top)
        return "-q: nothing would be told; name a file by -o or --record";
    return NULL;
}

static int check(const struct tprof_request *q, int operands)
{
    const char *odd = odd_sampling(q, operands);
    odd = odd ? odd : odd_files(q, operands);
    odd = odd ? odd : odd_view(q);
    odd = odd ? odd : odd_output(q);
    return odd ? applet_misuse(&applet_tprof, "%s", odd) : DONE;
}

static int of_file(struct tprof_request *q, const char *path)
{
    if (q->ask.top)
        return applet_misuse(&applet_tprof, "--top: %s is a file, not a process id", path);
    return tprof_from_file(q, path);
}

static int on_operands(struct tprof_request *q, char **operand, int operands)
{
    if (q->diff)
        return tprof_diff(q, operand[0], operand[1]);
    if (q->bundle)
        return tprof_bundle(q);
    if (q->all)
        return sampling_session(&q->ask);
    if (operands > 1 && operand[1][0] == '-')
        return applet_misuse(&applet_tprof, "%s: options stand before %s", operand[1], operand[0]);
    if (operands < 1 || operands > 2)
        return applet_usage(&applet_tprof);
    if (!parse_pid(operand[0], &q->ask.want.pid)) {
        q->ask.want.binary = operands > 1 ? operand[1] : NULL;
        return of_file(q, operand[0]);
    }
    if (!q->ask.want.pid)
        return applet_misuse(&applet_tprof, "%s: not a process id", operand[0]);
    if (q->folder)
        return tprof_from_folder(q, operand[0], operands > 1 ? operand[1] : NULL);
    q->ask.want.binary = operands > 1 ? operand[1] : NULL;
    return sampling_session(&q->ask);
}

static int run(int argc, char **argv)
{
    struct tprof_request q = {.ask = {.applet = &applet_tprof, .want = {.hz = SAMPLING_HZ}}};
    struct opt_state o;
    int id;
    opt_start(&o, &applet_tprof, argc, argv);
    while ((id = opt_next(&o)) != OPT_END)
        if (id < 0)
            return opt_status(id);
        else if (take_option(&q, &o, id) < 0)
            return USAGE;
    sampling_settle(&q.ask);
    q.ask.view.whole = q.ask.top && q.ask.want.by == SAMPLED_WHOLE;
    int status = check(&q, argc - o.next);
    if (status)
        return status;
    if (!q.ask.command)
        return on_operands(&q, argv + o.next, argc - o.next);
    q.ask.want.command = argv + o.next;
    return sampling_session(&q.ask);
}
