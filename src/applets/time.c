/* time: run a command and tell the time it took. */
#include "applets/applet.h"

#include "applets/complete.h"
#include "applets/time_events.h"
#include "applets/time_running.h"
#include "core/base/buf.h"
#include "core/time/gate.h"
#include "core/time/table.h"
#include "plat/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON = 256, SHOW_OUTPUT, PREPARE, SETUP, CLEANUP, PARAMETER, MARKDOWN, CSV, GATE, CPU };
enum { GATE_IS_SLOWER = 3, GATE_IS_UNDECIDED = 4 }; /* exit statuses */

static int run_time(int argc, char **argv);

static const struct opt options[] = {
    {'v', "verbose", NULL, "show ns, peak RSS, faults, switches, blocks, too"},
    {'c', "counters", "[EVENTS]", "count EVENTS (perf's names, joined to -c) of COMMAND"},
    {'n', "runs", "RUNS", "a series: RUNS runs, or as 5s, or auto (3s, 10 runs)"},
    {'w', "warmup", "WARMUPS", "in a series: first do WARMUPS runs that do not count"},
    {'i' | OPT_ADVANCED, "ignore-failure", NULL, "in a series: go on after a run that failed"},
    {'p', "pid", "PID", "count events of running processes: PID,PID,..."},
    {'a', "all", NULL, "count events of the whole machine, until ^C"},
    {'t', "seconds", "SECONDS", "with -p or -a: stop after SECONDS"},
    {'I', "interval", "SECONDS", "with -p or -a: print the counts every SECONDS, too"},
    {GATE, "gate", "PERCENT", "is the second slower by that? 0 no, 3 yes, 4 unclear"},
    {CPU | OPT_ADVANCED, "cpu", NULL, "with --gate: by CPU time, not by real time"},
    {SHOW_OUTPUT | OPT_ADVANCED, "show-output", NULL, "in a series: do not hide standard output"},
    {PREPARE | OPT_ADVANCED, "prepare", "LINE", "run LINE by a shell before each run, unmeasured"},
    {SETUP | OPT_ADVANCED, "setup", "LINE", "run LINE by a shell before the series"},
    {CLEANUP | OPT_ADVANCED, "cleanup", "LINE", "run LINE by a shell after the series"},
    {PARAMETER | OPT_ADVANCED, "parameter", "NAME=VALUES",
     "replace {NAME} by each of the VALUES, as a,b,c or 1..8 or 0..100..25"},
    {MARKDOWN | OPT_ADVANCED, "markdown", NULL, "print a series as a table in Markdown"},
    {CSV | OPT_ADVANCED, "csv", NULL, "print a series as comma-separated values"},
    {'o', "output", "FILE", "write the report to FILE, - for standard output"},
    {'f', "force", NULL, "with -o: overwrite an existing file"},
    {JSON, "json", NULL, "print the report as one JSON object"},
    {0},
};

static void list_values(const struct opt *o, struct buf *out)
{
    if (strcmp(o->arg, "[EVENTS]") == 0)
        complete_add(count_names(), out);
}

const struct applet applet_time = {
    .name = "time",
    .usage = "[-v] [-c[EVENTS]] [--json] [-o FILE [-f]] COMMAND [ARGUMENT...]\n"
             "-p PID[,PID...]|-a [-c[EVENTS]] [-t SECONDS] [-I SECONDS]\n"
             "-n RUNS [-w WARMUPS] [OPTION...] [--] COMMAND... [-- COMMAND...]...\n"
             "--gate PERCENT [OPTION...] -- COMMAND... -- COMMAND...",
    .opts = options,
    .notes = "In a series, if `--' ends the options, each further `--' starts another command:\n"
             "they run in turn, and are compared with the first. Exit status: the command's.\n"
             "bash and zsh have a `time' of their own: type `psuite time'.",
    .run = run_time,
    .begins_command = opt_any_command,
    .values = list_values,
    .operands = "COMMAND",
};

#define MIN_INTERVAL_S 0.001 /* waits are of whole ms */

enum form { TEXT, AS_JSON, AS_MARKDOWN, AS_CSV };

struct request {
    bool verbose, force;
    enum form form;
    const char *events; /* NULL: no counters */
    const char *out;
    int handle; /* of out */
    const char *prepare;
    struct time_runs runs;
    struct time_running running;
};

static const struct opt_member members[] = {
    {'v', OPT_FLAG(struct request, verbose)},
    {'o', OPT_TEXT(struct request, out)},
    {'f', OPT_FLAG(struct request, force)},
    {'i', OPT_FLAG(struct request, runs.ignore_failure)},
    {SHOW_OUTPUT, OPT_FLAG(struct request, runs.show_output)},
    {SETUP, OPT_TEXT(struct request, runs.setup)},
    {CLEANUP, OPT_TEXT(struct request, runs.cleanup)},
    {CPU, OPT_FLAG(struct request, runs.report.gate_cpu)},
    {PREPARE, OPT_TEXT(struct request, prepare)},
    {'a', OPT_FLAG(struct request, running.machine)},
    {'t', OPT_SECONDS(struct request, running.seconds, TIME_MAX_SECONDS)},
    {'I', OPT_SECONDS(struct request, running.interval, TIME_MAX_SECONDS)},
    {JSON, OPT_VALUE(struct request, form, AS_JSON)},
    {MARKDOWN, OPT_VALUE(struct request, form, AS_MARKDOWN)},
    {CSV, OPT_VALUE(struct request, form, AS_CSV)},
    {0},
};

static int parse_runs(const struct opt_state *o, struct time_runs *t)
{
    t->series = true;
    if (time_plan_parse(o->arg, &t->plan))
        return 0;
    return opt_wrong(o, "not a number from 1 to 100000, nor a time as 5s, nor auto");
}

static int parse_warmups(const struct opt_state *o, struct time_report *r)
{
    uint64_t warmups = 0;
    int e = opt_u64(o, 0, TIME_MAX_RUNS, &warmups);
    r->warmups = (unsigned long)warmups;
    return e;
}

static int parse_gate(const struct opt_state *o, struct time_runs *t)
{
    char *end;
    double pct = strtod(o->arg, &end);
    t->plan.gate = t->series = true;
    t->report.gate_ratio = 1 + pct / 100;
    if (end != o->arg && (!*end || strcmp(end, "%") == 0) && pct > 0 && pct <= GATE_MAX_PCT)
        return 0;
    return opt_wrong(o, "not a percentage over 0, at most 1000");
}

static int parse_parameter(const struct opt_state *o, struct time_commands *c)
{
    if (c->parameters == TIME_PARAMETERS)
        return opt_wrong(o, "at most 8 parameters");
    switch (time_parameter_parse(o->arg, &c->parameter[c->parameters++])) {
    case 0:
        return 0;
    case -E2BIG:
        return opt_wrong(o, "over 1000 values");
    case -ENOMEM:
        return opt_wrong(o, "%s", strerror(ENOMEM));
    default:
        return opt_wrong(o, "not NAME=a,b,c nor NAME=1..8 nor NAME=0..100..25");
    }
}

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct request *want = request;
    switch (id) {
    case 'p':
        return time_running_pids(&applet_time, o->arg, &want->running) ? -1 : 0;
    case 'c':
        want->events = o->arg ? o->arg : time_default_events;
        return 0;
    case 'n':
        return parse_runs(o, &want->runs);
    case 'w':
        return parse_warmups(o, &want->runs.report);
    case PARAMETER:
        return parse_parameter(o, &want->runs.commands);
    default: /* GATE */
        return parse_gate(o, &want->runs);
    }
}

static int make_commands(struct time_runs *t, char **argv, bool several, const char *prepare)
{
    switch (time_commands_make(&t->commands, argv, several, prepare, &t->report)) {
    case 0:
        return 0;
    case -EINVAL:
        return applet_misuse(&applet_time, "--: COMMAND is missing");
    case -E2BIG:
        return applet_misuse(&applet_time, "commands: over %d by all parameters",
                             TIME_MAX_COMMANDS);
    default:
        return applet_error(&applet_time, "commands: %s", strerror(ENOMEM));
    }
}

static void report_single(const struct time_report *r, bool verbose, struct buf *out)
{
    if (!r->command[0].runs)
        return;
    const struct time_run *first = &r->command[0].run[0];
    time_line(&r->command[0], first, out);
    if (verbose)
        time_details(first, out);
    if (r->counters)
        time_counters(r, first, out);
}

static void report_text(const struct request *want, struct buf *out)
{
    const struct time_report *r = &want->runs.report;
    switch (want->form) {
    case AS_JSON:
        time_json(r, out);
        return;
    case AS_MARKDOWN:
        time_markdown(r, out);
        return;
    case AS_CSV:
        time_csv(r, out);
        return;
    case TEXT:
        if (want->runs.series)
            time_series(r, want->verbose, out);
        else
            report_single(r, want->verbose, out);
    }
}

static int write_output(const struct request *want, const struct buf *text, struct fail *f)
{
    int r = file_append(want->handle, buf_str(text), text->len, want->out, f);
    if (r == 0)
        return file_finish(want->handle, want->out, f);
    file_abandon(want->handle, want->out);
    return r;
}

/* A gate's 3 and 4 are not those of a run that failed. */
static int exit_status(const struct time_runs *t)
{
    if (!t->plan.gate || t->status >= SIGNALLED)
        return t->status;
    if (t->status)
        return FAILED;
    return t->report.gate == GATE_SLOWER       ? GATE_IS_SLOWER
           : t->report.gate == GATE_NOT_SLOWER ? DONE
                                               : GATE_IS_UNDECIDED;
}

static int print_report(const struct request *want)
{
    SCOPED_BUF text = BUF_INIT;
    struct fail f;
    int status = exit_status(&want->runs);
    report_text(want, &text);
    if (!want->out || buf_error(&text))
        status = applet_print_err(&applet_time, &text, status);
    else if (write_output(want, &text, &f) < 0) {
        applet_fail(&applet_time, &f);
        status = status ? status : FAILED;
    }
    if (want->runs.report.stopped)
        applet_warn(&applet_time, "stopped at the first run that failed; -i goes on");
    return status;
}

/* The report's file is made before the command runs: after an hour is too late to hear that it
 * exists. */
static int claim_output(struct request *want)
{
    struct fail f;
    want->handle = want->out ? file_create(want->out, want->force, &f) : 0;
    return want->handle < 0 ? applet_fail(&applet_time, &f) : 0;
}

static int time_all(char **argv, bool several, struct request *want)
{
    struct time_runs *t = &want->runs;
    int status = want->events ? time_events_parse(&applet_time, want->events, t) : 0;
    if (status == 0)
        status = make_commands(t, argv, several, want->prepare);
    if (status == 0 && t->plan.gate && t->report.commands != 2)
        status = applet_misuse(&applet_time, "--gate: two commands are compared: -- OLD -- NEW");
    if (status == 0)
        status = claim_output(want);
    if (status == 0)
        status = time_runs_make(&applet_time, t);
    if (status == 0)
        status = print_report(want);
    return status;
}

/* An option that only a series has; NULL: none was given. */
static const char *series_option(const struct request *want)
{
    const struct time_runs *t = &want->runs;
    return t->report.warmups           ? "-w"
           : t->ignore_failure         ? "-i"
           : t->show_output            ? "--show-output"
           : want->prepare             ? "--prepare"
           : t->setup                  ? "--setup"
           : t->cleanup                ? "--cleanup"
           : t->commands.parameters    ? "--parameter"
           : want->form == AS_MARKDOWN ? "--markdown"
                                       : NULL;
}

static bool is_running(const struct request *want)
{
    return want->running.pids || want->running.machine;
}

/* What is only for a series, of which there is none. */
static int check_series(const struct request *want)
{
    const struct time_runs *t = &want->runs;
    const char *option = series_option(want);
    if (!option && want->form == AS_CSV)
        option = "--csv";
    if (want->running.seconds > 0 || want->running.interval > 0)
        return applet_misuse(&applet_time, "%s: only with -p or -a",
                             want->running.seconds > 0 ? "-t" : "-I");
    if (t->report.gate_cpu && !t->plan.gate)
        return applet_misuse(&applet_time, "--cpu: only with --gate");
    if (t->plan.gate && (t->plan.rounds || t->plan.seconds > 0))
        return applet_misuse(&applet_time,
                             "--gate: it makes as many runs as are needed: without -n");
    return !t->series && option ? applet_misuse(&applet_time, "%s: only with -n", option) : 0;
}

/* What is only for a command. */
static int check_running(const struct request *want, const char *command)
{
    const char *of = want->running.machine ? "-a" : "-p", *option = series_option(want);
    if (!option)
        option = want->verbose                ? "-v"
                 : want->runs.plan.gate       ? "--gate"
                 : want->runs.report.gate_cpu ? "--cpu"
                 : want->runs.series          ? "-n"
                                              : NULL;
    if (want->running.machine && want->running.pids)
        return applet_misuse(&applet_time, "-a: it counts all processes: without -p");
    if (command)
        return applet_misuse(&applet_time, "%s: %s: it takes no COMMAND; -t SECONDS ends it", of,
                             command);
    if (want->running.interval > 0 && want->running.interval < MIN_INTERVAL_S)
        return applet_misuse(&applet_time, "-I: not less than 1ms");
    return option ? applet_misuse(&applet_time, "%s: not with %s", option, of) : 0;
}

static int count_running(struct request *want, const char *command)
{
    struct time_running *t = &want->running;
    struct time_runs *runs = &want->runs;
    int status = check_running(want, command);
    const char *events = want->events ? want->events
                         : t->machine ? time_machine_events
                                      : time_default_events;
    if (status == 0)
        status = time_events_parse(&applet_time, events, runs);
    if (status == 0)
        status = claim_output(want);
    if (status)
        return status;
    t->form = want->form == AS_JSON  ? RUNNING_JSON
              : want->form == AS_CSV ? RUNNING_CSV
                                     : RUNNING_TEXT;
    t->out = want->out;
    t->handle = want->handle;
    t->report = &runs->report;
    t->event = runs->event;
    t->events = runs->events;
    return time_running_count(&applet_time, t);
}

static int run_request(struct request *want, char **operand, bool dashes)
{
    if (is_running(want))
        return count_running(want, operand[0]);
    if (!operand[0] && want->runs.series)
        return applet_misuse(&applet_time, "COMMAND is missing");
    if (!operand[0]) {
        fputs("usage: time command\n" /* Plan 9's */
              "time: see `psuite help time'\n",
              stderr);
        return USAGE;
    }
    int status = check_series(want);
    if (!want->runs.series)
        want->runs.plan.rounds = 1;
    return status ? status : time_all(operand, want->runs.series && dashes, want);
}

static int run_time(int argc, char **argv)
{
    struct request want = {.runs.plan.rounds = 0};
    struct opt_state s = opt_start(&applet_time, argc, argv);
    int status = opt_read(&s, members, parse_option, &want);
    if (status == OPT_END)
        status = run_request(&want, argv + s.next, s.dashes);
    time_commands_release(&want.runs.commands, &want.runs.report);
    return status;
}
