/* tprof: where a running program, or the whole machine, spends its time. Plan 9's lines (FORMATS
 * 5), over perf events or ptrace. */
#include "tprof_request.h"

#include "plat/child.h"
#include "plat/folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHILDREN = 256, THREADS, ANNOTATE, BUNDLE, DIFF, TOP, BROWSE, ASM, GROUP };

static const struct opt options[] = {
    {OPT_COMMAND | 'x', NULL, NULL, "run COMMAND and sample it, exit as it does"},
    {'a', "all", NULL, "every process on every CPU"},
    {OPT_ADVANCED | 'p', "pid", "PID", "sample this process, or several (12,34); repeatable"},
    {'k', "kernel", NULL, "sample the kernel, too"},
    {'w', "wall", NULL, "wall clock: also sample waits"},
    {'g', "chains", "[HOW]", "record call chains: by fp, cfi or auto (default)"},
    {OPT_ADVANCED | 'e', "event", "EVENT",
     "sample on cpu-clock, cycles, GROUP:NAME, rNNN; several: A,B"},
    {OPT_ADVANCED | 'E', "engine", "ENGINE", "perf or ptrace (default: perf, if it is available)"},
    {TOP, "top", NULL, "live view of -a or PID, updated every second"},
    {'t', "seconds", "SECONDS", "stop after SECONDS"},
    {OPT_ADVANCED | 'F', "rate", "HZ", "samples per second of CPU time (default 997)"},
    {OPT_ADVANCED | SAMPLING_PERIOD, "period", "N", "a sample every N events, instead of -F"},
    {OPT_ADVANCED | SAMPLING_CPUS, "cpus", "LIST", "only what runs on these CPUs, as 0,2-3"},
    {OPT_ADVANCED | CHILDREN, "children", NULL, "with PID: also sample the processes it starts"},
    {OPT_ADVANCED | THREADS, "threads", NULL, "one table per thread, busiest first"},
    {OPT_ADVANCED | SAMPLING_BY_PROCESS, "by-process", NULL,
     "one table per process, busiest first"},
    {OPT_ADVANCED | GROUP, "group-by", "WHAT",
     "one table per machine, build-id or cgroup, largest first"},
    {OPT_ADVANCED | 'm', "module", "MODULE", "show only functions of this module"},
    {OPT_ADVANCED | 'i', "inlines", NULL, "by source functions, including inlined ones"},
    {'l', "lines", NULL, "by source line"},
    SAMPLING_CHAIN_OPTS,
    {OPT_FILES | BROWSE, "browse", NULL, "browse FILE: functions, callers, callees, source"},
    {ANNOTATE, "annotate", "FUNCTION", "this function's source or code, with time per line"},
    {OPT_ADVANCED | ASM, "asm", NULL, "with --annotate: instructions, below their source lines"},
    SAMPLING_TABLE_OPTS,
    {'o', "output", "[FORMAT:]FILE", "write the report, or the samples as FORMAT"},
    {OPT_ADVANCED | 'q', "quiet", NULL, "print no report; write only -o and --record"},
    {SAMPLING_RECORD, "record", "FILE", "also record, for `tprof FILE' (-: standard output)"},
    {OPT_ADVANCED | SAMPLING_KEEP, "keep", "SECONDS",
     "--record only the last SECONDS, on SIGUSR1 and at the end"},
    {OPT_ADVANCED | BUNDLE, "bundle", "FILE", "add symbols, to read the recording on any machine"},
    {OPT_ADVANCED | OPT_FILES | DIFF, "diff", NULL, "compare two recordings"},
    {OPT_ADVANCED | 'f', "force", NULL, "overwrite existing files"},
    SYMBOL_OPTS,
    {OPT_ADVANCED | 'n', NULL, "DIR", "no sampling: read DIR/proc/PID/{profile,text}"},
    {0},
};

static int run_tprof(int argc, char **argv);
static bool begins_command(const struct opt_state *o, const char *operand);
static void tprof_values(const struct opt *o, struct buf *out);

const struct applet applet_tprof = {
    .name = "tprof",
    .usage = "[OPTION...] PID [BINARY]\n[OPTION...] [-x] COMMAND [ARGUMENT...]\n"
             "[OPTION...] -a [-x COMMAND [ARGUMENT...]]\n"
             "[OPTION...] FILE...\n[OPTION...] --diff OLD NEW",
    .opts = options,
    .notes = "FILE: a recording or perf.data; BINARY: the program with symbols. ^C: report.",
    .run = run_tprof,
    .begins_command = begins_command,
    .values = tprof_values,
    .operands = "PID|FILE|COMMAND FILE",
};

/* --- options --- */

static void tprof_values(const struct opt *o, struct buf *out)
{
    if (strcmp(o->arg, "WHAT") == 0)
        tprof_group_values(out);
    else
        sampling_values(o, out);
}

static int parse_backend(struct tprof_request *q, const struct opt_state *o)
{
    const char *name = o->arg;
    enum sample_backend *backend = &q->ask.want.backend;
    *backend = strcmp(name, "perf") == 0     ? SAMPLE_PERF
               : strcmp(name, "ptrace") == 0 ? SAMPLE_PTRACE
                                             : SAMPLE_ANY;
    return *backend == SAMPLE_ANY ? opt_wrong(o, "no such engine (perf, ptrace)") : 1;
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

/* Twice the same is one. */
static void add_process(struct tprof_request *q, int pid)
{
    struct sampling_want *want = &q->ask.want;
    bool known = !want->pid || want->pid == pid;
    for (size_t i = 0; i < want->others; i++)
        known |= q->other[i] == pid;
    if (!want->pid)
        want->pid = pid;
    if (!known)
        q->other[want->others++] = pid;
    want->other = q->other;
}

/* The number before the next comma, which is passed over. 0: there is none. */
static int next_process(const char **list)
{
    char number[16];
    int pid;
    size_t len = strcspn(*list, ",");
    if (len >= sizeof number)
        return 0;
    memcpy(number, *list, len);
    number[len] = '\0';
    *list += len + ((*list)[len] == ',' && (*list)[len + 1]);
    return parse_pid(number, &pid) ? pid : 0;
}

/* One process, or several with commas between them. */
static int parse_processes(struct tprof_request *q, const struct opt_state *o)
{
    const char *left = o->arg;
    do {
        int pid = next_process(&left);
        if (!pid || *left == ',')
            return opt_wrong(o, "not a process id, or several as in 12,34 (--by-process prints one "
                                "table per process)");
        if (q->ask.want.others == SAMPLED_MAX_OTHERS)
            return opt_wrong(o, "at most %d processes; -a samples all", SAMPLED_MAX_OTHERS + 1);
        add_process(q, pid);
    } while (*left);
    return 1;
}

static const struct opt_member members[] = {
    {'a', OPT_FLAG(struct tprof_request, all)},
    {'k', OPT_FLAG(struct tprof_request, ask.want.kernel)},
    {'w', OPT_FLAG(struct tprof_request, ask.want.waits)},
    {TOP, OPT_FLAG(struct tprof_request, ask.top)},
    {CHILDREN, OPT_FLAG(struct tprof_request, ask.want.children)},
    {'m', OPT_TEXT(struct tprof_request, ask.view.module)},
    {ASM, OPT_FLAG(struct tprof_request, ask.view.code)},
    {BUNDLE, OPT_TEXT(struct tprof_request, bundle)},
    {DIFF, OPT_FLAG(struct tprof_request, diff)},
    {'n', OPT_TEXT(struct tprof_request, folder)},
    {THREADS, OPT_VALUE(struct tprof_request, ask.want.by, SAMPLED_BY_THREAD)},
    {'i', OPT_VALUE(struct tprof_request, ask.view.by, FLAT_INLINE)},
    {'l', OPT_VALUE(struct tprof_request, ask.view.by, FLAT_LINE)},
    {0},
};

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct tprof_request *q = request;
    switch (id) {
    case 'p':
        return parse_processes(q, o);
    case 'E':
        return parse_backend(q, o);
    case ANNOTATE:
        sampling_set_form(&q->ask, SAMPLING_ANNOTATE, o->arg);
        return 1;
    case GROUP:
        return tprof_parse_group(q, o);
    case BROWSE:
        q->ask.want.by = SAMPLED_BY_THREAD;
        return q->browse = q->ask.want.timeline = true;
    default:
        return sampling_opt(&q->ask, o, id)
                   ?: symbol_opt(&q->ask.want.search, &q->ask.view.no_demangle, o, id);
    }
}

/* --- operands --- */

/* A command that is named without -x: nothing else is meant, and it is there. A file of this name
 * in the current directory is taken as a recording. */
static bool begins_command(const struct opt_state *o, const char *operand)
{
    const struct tprof_request *q = o->request;
    struct folder_file file;
    int pid;
    if (o->passed || strcmp(operand, "-") == 0 || parse_pid(operand, &pid))
        return false;
    if (q && q->all)
        return o->dashes;
    if (q && (q->diff || q->bundle || q->folder || q->ask.top || q->ask.want.pid))
        return false;
    if (strchr(operand, '/'))
        return sampling_is_program(operand) && child_finds(operand);
    return folder_stat(operand, &file, NULL) < 0 && child_finds(operand);
}

/* --- what goes together --- */

/* What a request is of, and which of its options that leaves without a meaning; NULL: all is well.
 */
static const char *sampling_conflict_of(const struct tprof_request *q, int operands)
{
    if (q->all && (q->ask.want.pid || (operands && !q->ask.command)))
        return "-a samples every process: it cannot be used with PID or FILE";
    if (q->ask.command && q->ask.want.pid)
        return "-p cannot be used with -x";
    if (q->ask.command && !operands)
        return "-x: COMMAND is missing";
    if (q->ask.command && q->ask.top)
        return "--top cannot be used with -x: start COMMAND in another terminal, and give its PID";
    return NULL;
}

static const char *files_conflict(const struct tprof_request *q, int operands)
{
    if (q->diff && (q->all || q->ask.command || q->bundle || q->ask.want.pid || operands != 2))
        return "--diff: takes two recordings, OLD and NEW";
    if (q->bundle && (q->all || q->ask.command || q->ask.want.pid || operands))
        return "--bundle cannot be used with -a, -x, PID or another FILE";
    if (q->folder && (q->all || q->ask.command || q->ask.want.others))
        return "-n reads the files of one PID in DIR: it cannot be used with -a or -x";
    return NULL;
}

static const char *browse_conflict(const struct tprof_request *q, int operands)
{
    const struct sampling_request *ask = &q->ask;
    if (!q->browse)
        return NULL;
    if (q->all || q->diff || q->bundle || q->folder || ask->command || ask->top || ask->want.pid ||
        operands != 1)
        return "--browse takes one FILE: a recording or perf.data";
    if (ask->outputs || ask->report || ask->view.json || ask->quiet ||
        ask->view.form != SAMPLING_FLAT || ask->view.module)
        return "--browse cannot be used with options of reports: its keys choose what is shown";
    return NULL;
}

static const char *lines_conflict(const struct tprof_request *q)
{
    enum sampling_form form = q->ask.view.form;
    if (q->ask.view.code && form != SAMPLING_ANNOTATE)
        return "--asm needs --annotate FUNCTION";
    if (q->ask.view.by == FLAT_LINE && form != SAMPLING_FLAT && form != SAMPLING_ANNOTATE)
        return "-l cannot be used with call chains, which are shown by functions";
    return NULL;
}

/* perf's habit: a command behind -a, or behind a process, which is sampled while it runs. One word
 * behind a process is its BINARY. */
static bool is_command_behind(const struct tprof_request *q, char **operand, int operands)
{
    int pid, at = !q->all && !q->ask.want.pid, words = q->all ? 1 : 2;
    if (q->ask.command || operands < at + words || (at && !parse_pid(operand[0], &pid)))
        return false;
    return !parse_pid(operand[at], &pid) && !sampling_is_program(operand[at]) &&
           child_finds(operand[at]);
}

static int command_behind(const struct tprof_request *q, const char *command)
{
    if (q->all && !q->ask.want.pid)
        return applet_misuse(&applet_tprof, "-a: %s: a COMMAND needs -x; did you mean `-a -x %s'?",
                             command, command);
    return applet_misuse(&applet_tprof,
                         "%s: a COMMAND cannot be used with PID; -t SECONDS ends the sampling",
                         command);
}

static int check_request(const struct tprof_request *q, char **operand, int operands)
{
    if (is_command_behind(q, operand, operands))
        return command_behind(q, operand[!q->all && !q->ask.want.pid]);
    const char *conflict = sampling_conflict_of(q, operands) ?: files_conflict(q, operands)
        ?: browse_conflict(q, operands) ?: tprof_group_conflict(q) ?: lines_conflict(q)
        ?: sampling_conflict(&q->ask);
    return conflict ? applet_misuse(&applet_tprof, "%s", conflict) : DONE;
}

static int run_file(struct tprof_request *q, const char *path)
{
    if (q->ask.top)
        return applet_misuse(&applet_tprof, "--top: %s: not a process id", path);
    if (q->folder)
        return applet_misuse(
            &applet_tprof, "-n: %s: not a process id; --rows N limits the rows of a report", path);
    if (q->ask.want.keep_seconds > 0)
        return applet_misuse(&applet_tprof, "--keep: %s: not a process id", path);
    if (q->ask.want.mores)
        return applet_misuse(&applet_tprof, "-e: of FILE it chooses one event; without it, all are "
                                            "reported");
    return q->browse ? tprof_browse(q, path) : tprof_from_file(q, path);
}

/* A process, by -p or as the first operand, and its program. */
static int run_process(struct tprof_request *q, const char *pid, const char *binary)
{
    q->ask.want.binary = binary;
    return q->folder ? tprof_from_folder(q, pid) : tprof_sample(q);
}

static int run_named(struct tprof_request *q, char **operand, int operands)
{
    int other;
    char pid[16];
    if (operands > 1 || (operands && (q->ask.want.others || parse_pid(operand[0], &other))))
        return applet_misuse(&applet_tprof, "-p: %s: another process or file cannot be given",
                             operand[operands - 1]);
    snprintf(pid, sizeof pid, "%d", q->ask.want.pid);
    return run_process(q, pid, operand[0]);
}

static int run_operands(struct tprof_request *q, char **operand, int operands, bool with_options)
{
    int first;
    if (q->diff)
        return tprof_diff(q, operand[0], operand[1]);
    if (q->bundle)
        return tprof_bundle(q);
    if (q->all)
        return tprof_sample(q);
    if (q->ask.want.pid)
        return run_named(q, operand, operands);
    if (operands < 1 && with_options)
        return applet_misuse(&applet_tprof, "a PID, COMMAND or FILE is missing, or -a");
    if (operands < 1)
        return applet_usage(&applet_tprof);
    if (!parse_pid(operand[0], &first) && tprof_merges(q, operand, operands))
        return tprof_merge(q, operand, operands);
    if (operands > 2)
        return applet_usage(&applet_tprof);
    q->ask.want.binary = operand[1];
    if (!parse_pid(operand[0], &q->ask.want.pid))
        return run_file(q, operand[0]);
    if (!q->ask.want.pid)
        return applet_misuse(&applet_tprof, "%s: not a process id", operand[0]);
    return run_process(q, operand[0], operand[1]);
}

static int run_tprof(int argc, char **argv)
{
    struct tprof_request q = {.ask = {.applet = &applet_tprof, .want = {.hz = SAMPLING_HZ}}};
    struct opt_state o = opt_start(&applet_tprof, argc, argv);
    int status = opt_read(&o, members, parse_option, &q);
    if (status != OPT_END)
        return status;
    int operands = argc - o.next;
    o.passed = 0;
    if (q.ask.list_events)
        return operands ? applet_misuse(&applet_tprof, "-e list takes no operand")
                        : sampling_print_events(&q.ask);
    q.all |= q.ask.top && !operands && !q.ask.want.pid && !q.ask.command;
    q.ask.command |= operands && begins_command(&o, argv[o.next]);
    sampling_apply_defaults(&q.ask);
    status = check_request(&q, argv + o.next, operands);
    if (status)
        return status;
    if (!q.ask.command)
        return run_operands(&q, argv + o.next, operands, argc > 1);
    q.ask.want.command = argv + o.next;
    q.ask.want.everything = q.all;
    return tprof_sample(&q);
}
