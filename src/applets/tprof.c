/* tprof: where a running program, or the whole machine, spends its time. Plan 9's lines (FORMATS
 * 5), over perf events or ptrace. */
#include "tprof_request.h"

#include "applets/progress.h"

#include "core/buf.h"
#include "engine/sampling_top.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHILDREN = 256,
    THREADS,
    JSON,
    ROWS,
    ANNOTATE,
    TREE,
    CALLERS,
    AROUND,
    RECORD,
    BUNDLE,
    DIFF,
    TOP,
    DEFAULT_HZ = 997,
    MOST_HZ = 100000
};

static const struct opt options[] = {
    {'x', NULL, NULL, "run COMMAND; also what it starts; exit with its status"},
    {'a', "all", NULL, "every process on every CPU"},
    {'k', "kernel", NULL, "also what the kernel does"},
    {'g', "chains", "[fp]", "with call chains"},
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
    {'c', "cumulative", NULL, "by time in functions with all they call (with -g)"},
    {TREE, "tree", NULL, "the call tree (with -g)"},
    {CALLERS, "callers", NULL, "the call tree upwards (with -g)"},
    {AROUND, "around", "FUNCTION", "this function's callers and callees (with -g)"},
    {ANNOTATE, "annotate", "FUNCTION", "this function's source or code, with time a line"},
    {ROWS, "rows", "N", "at most N rows a table, the rest in one"},
    {JSON, "json", NULL, "one JSON object instead of the table"},
    {'o', "output", "[FORMAT:]FILE", "write the report, or the samples as FORMAT"},
    {'q', "quiet", NULL, "no report: only what -o and --record write"},
    {RECORD, "record", "FILE", "also record, for `tprof FILE' (-: standard output)"},
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

/* --- sampling --- */

static void show_progress(void *arg, const struct sampled *so_far)
{
    struct progress *p = arg;
    size_t width;
    uint64_t spent_ns;
    if (!progress_due(p, &width, &spent_ns))
        return;
    struct buf line = BUF_INIT;
    buf_printf(&line, "tprof: %.0f s, %llu samples, %llu lost; ^C ends", (double)spent_ns / 1e9,
               (unsigned long long)so_far->samples, (unsigned long long)so_far->lost);
    if (line.len <= width)
        progress_draw(p, buf_str(&line));
    buf_release(&line);
}

/* A command draws on the terminal itself. */
static int run_sampling(const struct tprof_request *q, struct sampling *s, struct fail *f)
{
    struct progress p;
    struct sampling_want want = q->want;
    progress_start(&p, !q->command);
    want.round = show_progress;
    want.arg = &p;
    int r = sampling_run(&want, s, f);
    progress_wipe(&p);
    return r;
}

static int not_executed(int error)
{
    return error == -ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

static int command_status(struct sampling *s, int status)
{
    struct fail f;
    if (sampling_wait(s, &f) < 0)
        return applet_fail(&applet_tprof, &f);
    return status == DONE ? child_status(&s->end) : status;
}

static void warn_of_rate(const struct tprof_request *q, const struct sampling *s)
{
    if (s->sampled.want.hz && s->sampled.want.hz < q->want.hz)
        applet_warn(&applet_tprof,
                    "the kernel allows %llu Hz at most (kernel.perf_event_max_sample_rate)",
                    (unsigned long long)s->sampled.want.hz);
}

static int sample(const struct tprof_request *q)
{
    struct fail f;
    struct sampling s;
    int status = tprof_check_outputs(q);
    if (status)
        return status;
    int r = q->top ? sampling_top(&q->want, q->view.no_demangle, &s, &f) : run_sampling(q, &s, &f);
    if (r < 0 && !s.sampled.samples) {
        status = applet_fail(&applet_tprof, &f);
        if (q->command && s.sampler && !s.executed)
            status = not_executed(r);
        sampling_wait(&s, NULL); /* a command that runs already runs on to its end */
    } else {
        status = r < 0 ? applet_fail(&applet_tprof, &f) : DONE; /* what was counted stands */
        warn_of_rate(q, &s);
        int reported = tprof_report(q, &s);
        status = status ? status : reported;
        if (q->command)
            status = command_status(&s, status);
    }
    sampling_release(&s);
    return status;
}

/* --- options --- */

static int take_form(struct tprof_request *q, enum sampling_form form, const char *function)
{
    q->view.form = form;
    q->view.function = function;
    q->want.chains |= form != SAMPLING_ANNOTATE;
    return 0;
}

static int take_chains(struct tprof_request *q, const char *how)
{
    if (how && strcmp(how, "fp") != 0) {
        applet_misuse(&applet_tprof,
                      "-g%s: chains are taken by frame pointers (-g or -gfp); other options stand "
                      "before the g or apart",
                      how);
        return -1;
    }
    q->want.chains = true;
    return 0;
}

static int take_engine(struct tprof_request *q, const char *name)
{
    q->want.engine = strcmp(name, "perf") == 0     ? SAMPLE_PERF
                     : strcmp(name, "ptrace") == 0 ? SAMPLE_PTRACE
                                                   : SAMPLE_ANY;
    if (q->want.engine != SAMPLE_ANY)
        return 0;
    applet_misuse(&applet_tprof, "-E %s: no such engine (perf, ptrace)", name);
    return -1;
}

static int take_number(struct opt_state *o, const char *name, unsigned long long most, uint64_t *to)
{
    unsigned long long n;
    if (opt_u64(o, name, 1, most, &n) < 0)
        return -1;
    *to = n;
    return 0;
}

/* What is sampled. 1: it is none of these. */
static int take_sampling(struct tprof_request *q, struct opt_state *o, int id)
{
    switch (id) {
    case 'x':
        return q->command = true, 0;
    case 'a':
        return q->all = true, 0;
    case 'k':
        return q->want.kernel = true, 0;
    case 'g':
        return take_chains(q, o->arg);
    case 'e':
        return q->want.event = o->arg, 0;
    case 'E':
        return take_engine(q, o->arg);
    case 't':
        return opt_seconds(o, "-t", 1e9, &q->want.seconds);
    case 'F':
        return take_number(o, "-F", MOST_HZ, &q->want.hz);
    case THREADS:
        return q->want.by = SAMPLED_BY_THREAD, 0;
    case 'p':
        return q->want.by = SAMPLED_BY_PROCESS, 0;
    case CHILDREN:
        return q->want.children = true, 0;
    case RECORD:
        return q->want.record = o->arg, 0;
    default:
        return 1;
    }
}

/* How it is shown. */
static int take_view(struct tprof_request *q, struct opt_state *o, int id)
{
    uint64_t rows;
    switch (id) {
    case 'm':
        return q->view.module = o->arg, 0;
    case 'i':
        return q->view.by = FLAT_INLINE, 0;
    case 'l':
        return q->view.by = FLAT_LINE, 0;
    case 'c':
        return q->view.by_cumulative = true, take_form(q, SAMPLING_CUMULATIVE, NULL);
    case TREE:
        return take_form(q, SAMPLING_TREE, NULL);
    case CALLERS:
        return take_form(q, SAMPLING_CALLERS, NULL);
    case AROUND:
        return take_form(q, SAMPLING_AROUND, o->arg);
    case ANNOTATE:
        return take_form(q, SAMPLING_ANNOTATE, o->arg);
    case ROWS:
        if (take_number(o, "--rows", SIZE_MAX, &rows) < 0)
            return -1;
        return q->view.rows = (size_t)rows, 0;
    case JSON:
        return q->view.json = true, 0;
    default:
        return 1;
    }
}

/* Where it goes, and the rest. */
static int take_rest(struct tprof_request *q, struct opt_state *o, int id)
{
    switch (id) {
    case 'o':
        return tprof_take_output(q, o->arg) == DONE ? 0 : -1;
    case 'q':
        return q->quiet = true, 0;
    case BUNDLE:
        return q->bundle = o->arg, 0;
    case TOP:
        return q->top = true, 0;
    case DIFF:
        return q->diff = true, 0;
    case 'f':
        return q->force = true, 0;
    case 'n':
        return q->folder = o->arg, 0;
    default:
        return symbol_opt(&q->symbols, o, id);
    }
}

static int take_option(struct tprof_request *q, struct opt_state *o, int id)
{
    int r = take_sampling(q, o, id);
    if (r == 1)
        r = take_view(q, o, id);
    return r == 1 ? take_rest(q, o, id) : r;
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

/* A chain's time is what -g is for: without another form, the table with both. */
static void settle(struct tprof_request *q)
{
    q->want.search = q->symbols.search;
    q->view.no_demangle = q->symbols.no_demangle;
    q->want.force = q->force;
    q->view.whole = q->top && q->want.by == SAMPLED_WHOLE;
    for (size_t i = 0; i < q->outputs; i++)
        q->want.timeline |= strcmp(q->output[i].writer->name, "firefox") == 0;
    if (q->want.chains && q->view.form == SAMPLING_FLAT && q->view.by != FLAT_LINE)
        q->view.form = SAMPLING_CUMULATIVE;
}

/* --- what goes together --- */

/* What a request is of, and which of its options that leaves without a meaning; NULL: all is well.
 */
static const char *odd_sampling(const struct tprof_request *q, int operands)
{
    if (q->all && (q->command || operands))
        return "-a is of everything: it takes no PID, COMMAND or FILE";
    if (q->command && !operands)
        return "-x: COMMAND is missing";
    if (q->command && q->top)
        return "--top: COMMAND would write over it; start it apart, and give its PID";
    return NULL;
}

static const char *odd_files(const struct tprof_request *q, int operands)
{
    if (q->diff && (q->all || q->command || q->bundle || operands != 2))
        return "--diff takes two recordings: --diff OLD NEW";
    if (q->bundle && (q->all || q->command || operands))
        return "--bundle FILE adds to that recording alone: no PID, COMMAND or other FILE";
    if (q->folder && (q->all || q->command))
        return "-n DIR takes a PID whose files stand there: no -a, no -x";
    return NULL;
}

static const char *odd_view(const struct tprof_request *q)
{
    bool flat = q->view.form == SAMPLING_FLAT;
    if (q->view.module && !flat)
        return "-m: only the table of functions can be of one module (no -g, -c, --tree, ...)";
    if (q->view.by == FLAT_LINE && !flat && q->view.form != SAMPLING_ANNOTATE)
        return "-l: call chains are shown by functions";
    if (q->view.json && q->view.form == SAMPLING_AROUND)
        return "--around: it is a text; --json without it has all chains";
    return NULL;
}

static const char *odd_output(const struct tprof_request *q)
{
    if (tprof_stdout_users(q) > 1)
        return "standard output takes one of --record - and -o FORMAT:-; name files for the others";
    if (q->quiet && !q->report && !q->outputs && !q->want.record && !q->top)
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
    if (q->top || q->want.record)
        return applet_misuse(&applet_tprof, "%s: %s is a file, not a process id",
                             q->top ? "--top" : "--record", path);
    return tprof_from_file(q, path);
}

static int on_operands(struct tprof_request *q, char **operand, int operands)
{
    if (q->diff)
        return tprof_diff(q, operand[0], operand[1]);
    if (q->bundle)
        return tprof_bundle(q);
    if (q->all)
        return sample(q);
    if (operands < 1 || operands > 2)
        return applet_usage(&applet_tprof);
    if (!parse_pid(operand[0], &q->want.pid)) {
        q->want.binary = operands > 1 ? operand[1] : NULL;
        return of_file(q, operand[0]);
    }
    if (!q->want.pid)
        return applet_misuse(&applet_tprof, "%s: not a process id", operand[0]);
    if (q->folder)
        return tprof_from_folder(q, operand[0], operands > 1 ? operand[1] : NULL);
    q->want.binary = operands > 1 ? operand[1] : NULL;
    return sample(q);
}

static int run(int argc, char **argv)
{
    struct tprof_request q = {.want = {.hz = DEFAULT_HZ}};
    struct opt_state o;
    int id;
    opt_start(&o, &applet_tprof, argc, argv);
    while ((id = opt_next(&o)) != OPT_END)
        if (id < 0)
            return opt_status(id);
        else if (take_option(&q, &o, id) < 0)
            return USAGE;
    settle(&q);
    int status = check(&q, argc - o.next);
    if (status)
        return status;
    if (!q.command)
        return on_operands(&q, argv + o.next, argc - o.next);
    q.want.command = argv + o.next;
    return sample(&q);
}
