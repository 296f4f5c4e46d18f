/* prof: the exact call tree of an instrumented program. Plan 9's lines (FORMATS 4), over the files
 * of its prof and of ours. */
#include "prof_request.h"

#include <string.h>

enum {
    THREADS = 256,
    MARKS,
    ERRORS,
    DIFF,
    V1,
    CFLAGS,
    LIBS,
    DRY_RUN,
    UNPATCHED,
    COVERAGE,
    ANNOTATE,
    HEAP,
    HEAP_BY
};

static const struct opt options[] = {
    {'d', "graph", NULL, "the call tree, as Plan 9 draws it"},
    {OPT_ADVANCED | 'r', "recursion", NULL, "with -d: do not cut off recursion"},
    {OPT_ADVANCED | 'v', "verbose", NULL, "first list the nodes of the file, one per line"},
    {'c', "cumulative", NULL, "sort by cumulative time, callees included"},
    {SAMPLING_OF_TREE, "tree", NULL, "the call tree, with shares"},
    {OPT_ADVANCED | SAMPLING_OF_CALLERS, "callers", NULL, "the call tree upwards"},
    {OPT_ADVANCED | SAMPLING_OF_AROUND, "around", "FUNCTION",
     "this function's callers and callees"},
    {OPT_ADVANCED | THREADS, "threads", NULL, "one report per thread, busiest first"},
    {OPT_ADVANCED | MARKS, "marks", NULL, "the points in time that the program marked"},
    {OPT_ADVANCED | 'l', "lines", NULL, "add the source line where each function begins"},
    {OPT_ADVANCED | ERRORS, "errors", NULL, "add the error bound of each share"},
    {OPT_ADVANCED | 'R', "raw", NULL, "do not subtract the cost of the probes"},
    SAMPLING_TABLE_OPTS,
    {DIFF, "diff", NULL, "compare two profiles"},
    {'o', "output", "[FORMAT:]FILE", "write the report, or the calls as FORMAT"},
    {OPT_ADVANCED | V1, "v1", "FILE", "write the calls as Plan 9's prof.out"},
    {'q', "quiet", NULL, "print no report; write only -o and --v1"},
    {'f', "force", NULL, "overwrite existing files"},
    SYMBOL_OPTS,
    {OPT_ADVANCED | DRY_RUN, "dry-run", NULL, "say how functions of any program can be patched"},
    {OPT_ADVANCED | UNPATCHED, "unpatched", NULL, "with --dry-run: list those that cannot"},
    {COVERAGE, "coverage", NULL, "count executions of functions and lines"},
    {HEAP, "heap", NULL, "memory: who allocates, at the peak, at the end"},
    {OPT_ADVANCED | HEAP_BY, "by", "AMOUNT", "with --heap: sort by peak, end, allocated or calls"},
    {OPT_COMMAND | 'x', NULL, NULL, "with --coverage or --heap: run COMMAND"},
    {OPT_ADVANCED | 'm', "module", "FILE",
     "with --coverage: count this file of code instead of the program"},
    {OPT_ADVANCED | SAMPLING_RECORD, "record", "FILE", "with --coverage or --heap: record it, too"},
    {OPT_ADVANCED | ANNOTATE, "annotate", "FUNCTION",
     "with --coverage: this function's source, with counts"},
    {CFLAGS, "cflags", NULL, "print the compiler flags to build a program with"},
    {LIBS, "libs", NULL, "print the libraries to link it with"},
    {0},
};

static int run_prof(int argc, char **argv);
static void prof_values(const struct opt *o, struct buf *out);

const struct applet applet_prof = {
    .name = "prof",
    .usage = "[-drv] [OPTION...] [PROGRAM] [PROFILE]\n[OPTION...] --diff OLD NEW\n[OPTION...] "
             "--dry-run FILE...\n[OPTION...] {--coverage | --heap} {-x COMMAND [ARG...] | "
             "FILE...}\n--cflags | --libs",
    .opts = options,
    .notes = "PROFILE is the prof.PID that an instrumented program wrote (default prof.out).\n"
             "It names its program, so `prof prof.123' is enough. -: standard input.",
    .run = run_prof,
    .values = prof_values,
};

static void prof_values(const struct opt *o, struct buf *out)
{
    sampling_values(o, out);
    if (strcmp(o->arg, "FORMAT") == 0)
        buf_adds(out, "lcov\tlcov's trace file, with --coverage\n");
    else if (strcmp(o->arg, "AMOUNT") == 0)
        buf_adds(out, "peak\nend\nallocated\ncalls\n");
}

/* --- options --- */

struct prof_options {
    struct prof_request q;
    bool cflags, libs; /* to be printed */
};

static int add_module(struct prof_request *q, const struct opt_state *o)
{
    if (q->modules == PROF_MAX_MODULES)
        return opt_wrong(o, "at most %d files", PROF_MAX_MODULES);
    q->module[q->modules++] = o->arg;
    return 1;
}

static const struct opt_member members[] = {
    {'d', OPT_FLAG(struct prof_options, q.graph)},
    {'r', OPT_FLAG(struct prof_options, q.recursion)},
    {'v', OPT_FLAG(struct prof_options, q.nodes)},
    {'l', OPT_FLAG(struct prof_options, q.lines)},
    {'R', OPT_FLAG(struct prof_options, q.raw)},
    {ERRORS, OPT_FLAG(struct prof_options, q.errors)},
    {THREADS, OPT_FLAG(struct prof_options, q.threads)},
    {MARKS, OPT_FLAG(struct prof_options, q.marks)},
    {DIFF, OPT_FLAG(struct prof_options, q.diff)},
    {V1, OPT_TEXT(struct prof_options, q.v1)},
    {DRY_RUN, OPT_FLAG(struct prof_options, q.dry_run)},
    {UNPATCHED, OPT_FLAG(struct prof_options, q.unpatched)},
    {CFLAGS, OPT_FLAG(struct prof_options, cflags)},
    {LIBS, OPT_FLAG(struct prof_options, libs)},
    {COVERAGE, OPT_FLAG(struct prof_options, q.coverage)},
    {HEAP, OPT_FLAG(struct prof_options, q.heap)},
    {ANNOTATE, OPT_TEXT(struct prof_options, q.annotate)},
    {0},
};

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct prof_options *t = request;
    static const char lcov[] = "lcov:";
    if (id == 'o' && strncmp(o->arg, lcov, sizeof lcov - 1) == 0) {
        t->q.lcov = o->arg + sizeof lcov - 1;
        return 1;
    }
    if (id == 'm')
        return add_module(&t->q, o);
    if (id == HEAP_BY) {
        t->q.heap_by = true;
        return prof_heap_weight(&t->q, o);
    }
    return sampling_opt(&t->q.ask, o, id)
               ?: symbol_opt(&t->q.ask.want.search, &t->q.ask.view.no_demangle, o, id);
}

/* --- what goes together --- */

/* What only a profile of calls has. */
static bool has_call_option(const struct prof_request *q)
{
    return q->diff || q->v1 || q->graph || q->nodes || q->threads || q->marks || q->errors ||
           q->raw;
}

static bool has_tree_option(const struct prof_request *q)
{
    return has_call_option(q) || q->lines || q->ask.outputs || q->ask.view.form != SAMPLING_FLAT;
}

static const char *find_probes_conflict(const struct prof_request *q)
{
    if (q->unpatched && !q->dry_run)
        return "--unpatched needs --dry-run";
    if (q->dry_run && (has_tree_option(q) || q->ask.quiet))
        return "--dry-run reads no profile: of the other options, only --unpatched, --json, "
               "--rows, --no-demangle and -o FILE can be used";
    return NULL;
}

static const char *find_coverage_conflict(const struct prof_request *q)
{
    if (!q->coverage && !q->heap && (q->ask.command || q->ask.want.record))
        return "-x and --record need --coverage or --heap";
    if (!q->coverage && (q->lcov || q->annotate || q->modules))
        return "-o lcov:FILE, --annotate and -m need --coverage";
    if (q->coverage && (has_tree_option(q) || q->dry_run))
        return "--coverage reads no profile of calls: of the other options, only -x, -m, --record, "
               "--annotate, --json, --rows, -q, -f, -o FILE, -o lcov:FILE and those of symbols can "
               "be used";
    if (q->coverage && q->annotate && q->ask.view.json)
        return "--annotate cannot be used with --json, which has all lines";
    if (q->modules && !q->ask.command)
        return "-m needs -x: a recording has its modules";
    return NULL;
}

static const char *find_heap_conflict(const struct prof_request *q)
{
    if (q->heap_by && !q->heap)
        return "--by needs --heap";
    if (q->heap && (has_call_option(q) || q->dry_run || q->coverage))
        return "--heap reads no profile of calls: of the other options, only -x, --by, --record, "
               "-c, -l, --tree, --callers, --around, --json, --rows, -q, -f, -o and those of "
               "symbols can be used";
    return NULL;
}

static const char *find_conflict(const struct prof_request *q)
{
    const char *wrong =
        find_probes_conflict(q) ?: find_heap_conflict(q) ?: find_coverage_conflict(q);
    if (wrong)
        return wrong;
    if ((q->graph || q->nodes) && q->ask.view.form != SAMPLING_FLAT)
        return "-d and -v cannot be used with -c, --tree, --callers or --around";
    if (q->errors && (q->graph || q->diff || q->ask.view.form != SAMPLING_FLAT))
        return "--errors: only the table of functions has error bounds: leave out the other report";
    if (q->ask.view.json && q->ask.view.form == SAMPLING_AROUND)
        return "--around cannot be used with --json, which has all calls";
    if (sampling_stdout_users(&q->ask) + (q->v1 && strcmp(q->v1, "-") == 0) > 1)
        return "only one of -o FORMAT:- and --v1 - can use standard output: name files for the "
               "others";
    if (q->ask.quiet && !q->ask.report && !q->ask.outputs && !q->v1 && !q->lcov &&
        !q->ask.want.record)
        return "-q needs -o or --v1: without them there is no output";
    if (q->diff && (q->v1 || q->graph || q->nodes || q->threads || q->marks))
        return "--diff cannot be used with -d, -v, --threads, --marks or --v1";
    return NULL;
}

/* A profile stands where the program is expected: two profiles, or the wrong order. */
static int refuse_profile(const char *program, const char *path)
{
    struct fail f;
    fail_set(&f, 0, "%s: text file not an a.out: it is a profile", program);
    if (profile_is_ours(path))
        fail_hint(&f, "`psuite prof %s' shows one, `psuite prof --diff %s %s' compares the two",
                  program, program, path);
    else
        fail_hint(&f, "the program comes first: psuite prof %s %s", path, program);
    return applet_fail(&applet_prof, &f);
}

/* Of --heap and --coverage. */
static int missing_operand(const struct prof_request *q)
{
    return applet_misuse(&applet_prof, q->ask.command ? "-x: COMMAND is missing"
                                                      : "FILE, or -x and a COMMAND, is missing");
}

static int run_operands(struct prof_request *q, char **operand, int operands)
{
    if (q->heap)
        return operands ? prof_heap(q, operand, operands) : missing_operand(q);
    if (q->coverage)
        return operands ? prof_coverage(q, operand, operands) : missing_operand(q);
    if (q->dry_run)
        return operands ? prof_dry_run(q, operand, operands) : applet_usage(&applet_prof);
    if (q->diff && operands != 2)
        return applet_misuse(&applet_prof, "--diff takes two profiles: --diff OLD NEW");
    if (q->diff)
        return prof_diff(q, operand[0], operand[1]);
    if (operands > 2)
        return applet_usage(&applet_prof);
    if (operands == 1 && (strcmp(operand[0], "-") == 0 || profile_is_ours(operand[0])))
        return prof_show(q, NULL, operand[0]);
    if (operands == 2 && profile_is_ours(operand[0]))
        return refuse_profile(operand[0], operand[1]);
    return prof_show(q, operands ? operand[0] : NULL, operands > 1 ? operand[1] : NULL);
}

/* A line each. */
static int print_words(const struct prof_options *t)
{
    int status = t->cflags ? prof_print_cflags() : DONE;
    return status == DONE && t->libs ? prof_print_libs() : status;
}

static int run_prof(int argc, char **argv)
{
    struct prof_options t = {.q = {.ask = {.applet = &applet_prof}}};
    struct opt_state o = opt_start(&applet_prof, argc, argv);
    int status = opt_read(&o, members, parse_option, &t);
    if (status != OPT_END)
        return status;
    if (t.cflags || t.libs)
        return print_words(&t);
    const char *wrong = find_conflict(&t.q);
    if (wrong)
        return applet_misuse(&applet_prof, "%s", wrong);
    return run_operands(&t.q, argv + o.next, argc - o.next);
}
