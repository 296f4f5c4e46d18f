/* time: run a command and tell the time it took. */
#include "applets/applet.h"

#include "applets/complete.h"
#include "applets/time_runs.h"
#include "core/base/buf.h"
#include "core/text/table.h"
#include "plat/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON = 256, MAX_RUNS = 100000 };

static int run_time(int argc, char **argv);

static const struct opt options[] = {
    {'v', "verbose", NULL, "show times in ns, peak RSS, page faults, switches, blocks"},
    {'c', "counters", "[EVENTS]",
     "count kernel and processor events of COMMAND and its children; EVENTS: perf's names, "
     "separated by commas, joined to the option"},
    {'n', "runs", "RUNS", "run it RUNS times and print statistics"},
    {'w', "warmup", "WARMUPS", "with -n: first do WARMUPS runs that do not count"},
    {'o', "output", "FILE",
     "write the report to FILE, - for standard output, instead of standard error"},
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
             "-n RUNS [-w WARMUPS] [OPTION...] COMMAND [ARGUMENT...]\n"
             "-n RUNS [-w WARMUPS] [OPTION...] -- COMMAND... [-- COMMAND...]...",
    .opts = options,
    .notes = "With -n, if `--' ends the options, each further `--' starts another command.\n"
             "The commands run in turn and are compared with the first. Exit status: the\n"
             "command's, 128 + the signal that ended it, 127 not found, 126 not executable;\n"
             "with -n that of the last run that failed.",
    .run = run_time,
    .begins_command = opt_any_command,
    .values = list_values,
    .operands = "COMMAND",
};

static const char default_events[] =
    "task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,"
    "branches,branch-misses,cache-references,cache-misses";

struct request {
    bool verbose, json, force;
    const char *events; /* NULL: no counters */
    const char *out;
    int handle;                       /* of out */
    unsigned long long runs, warmups; /* runs 0: not a series */
};

static int parse_option(struct opt_state *s, int o, struct request *want)
{
    switch (o) {
    case 'v':
        want->verbose = true;
        break;
    case 'c':
        want->events = s->arg ? s->arg : default_events;
        break;
    case 'n':
        return opt_u64(s, "-n", 1, MAX_RUNS, &want->runs);
    case 'w':
        return opt_u64(s, "-w", 0, MAX_RUNS, &want->warmups);
    case 'o':
        want->out = s->arg;
        break;
    case 'f':
        want->force = true;
        break;
    case JSON:
        want->json = true;
        break;
    default:
        return -1;
    }
    return 0;
}

static int list_events(void)
{
    struct buf text = BUF_INIT;
    struct table t;
    table_init(&t, "<known_are,_and_rHEX_for_the_processor's_own:");
    table_cell(&t, "%s", count_names());
    table_print(&t, &text, 80);
    table_release(&t);
    applet_print_err(&applet_time, &text, USAGE);
    buf_release(&text);
    return USAGE;
}

/* The comma list; 0, or USAGE after having said what is wrong. */
static int parse_events(const char *list, struct time_runs *t)
{
    struct fail f;
    for (const char *at = list;; at++) {
        size_t len = strcspn(at, ",");
        if (t->events == TIME_COUNTERS)
            return applet_misuse(&applet_time, "-c: %s: at most %d counters", at, TIME_COUNTERS);
        struct count_event *e = &t->event[t->events];
        if (count_find(at, len, e, &f) < 0) {
            applet_fail(&applet_time, &f);
            return list_events();
        }
        t->report.counter[t->events++].name = e->name;
        t->report.counters++;
        at += len;
        if (!*at)
            return 0;
    }
}

/* Splits the operands into commands; a separator's place is taken by the NULL that ends a vector.
 */
static int split_commands(char **argv, bool several, struct time_report *r)
{
    size_t max = 1;
    for (char **at = argv; *at; at++)
        max += strcmp(*at, "--") == 0;
    r->command = calloc(max, sizeof *r->command);
    if (!r->command)
        return applet_error(&applet_time, "commands: %s", strerror(ENOMEM));
    r->command[r->commands++].argv = argv;
    for (char **at = argv; several && *at; at++) {
        if (strcmp(*at, "--") != 0)
            continue;
        *at = NULL;
        r->command[r->commands++].argv = at + 1;
    }
    for (size_t i = 0; i < r->commands; i++)
        if (!r->command[i].argv[0])
            return applet_misuse(&applet_time, "--: COMMAND is missing");
    return 0;
}

static void report_text(const struct time_report *r, const struct request *want, struct buf *out)
{
    if (want->json)
        time_json(r, out);
    else if (want->runs)
        time_series(r, want->verbose, out);
    else if (r->command[0].runs) {
        const struct time_run *first = &r->command[0].run[0];
        time_line(&r->command[0], first, out);
        if (want->verbose)
            time_details(first, out);
        if (r->counters)
            time_counters(r, first, out);
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

static int print_report(const struct time_runs *t, const struct request *want)
{
    struct buf text = BUF_INIT;
    struct fail f;
    int status = t->status;
    report_text(&t->report, want, &text);
    if (!want->out || buf_error(&text))
        status = applet_print_err(&applet_time, &text, status);
    else if (write_output(want, &text, &f) < 0) {
        applet_fail(&applet_time, &f);
        status = status ? status : FAILED;
    }
    buf_release(&text);
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

static int time_all(struct time_runs *t, char **argv, bool several, struct request *want)
{
    int status = want->events ? parse_events(want->events, t) : 0;
    if (status == 0)
        status = split_commands(argv, several, &t->report);
    if (status == 0)
        status = claim_output(want);
    if (status == 0)
        status = time_runs_make(&applet_time, t);
    if (status == 0)
        status = print_report(t, want);
    for (size_t i = 0; i < t->report.commands; i++)
        time_command_release(&t->report.command[i]);
    free(t->report.command);
    return status;
}

static int run_time(int argc, char **argv)
{
    struct opt_state s;
    struct request want = {0};
    int o;
    opt_start(&s, &applet_time, argc, argv);
    while ((o = opt_next(&s)) != OPT_END) {
        if (o < 0)
            return opt_status(o);
        if (parse_option(&s, o, &want) < 0)
            return USAGE;
    }
    if (s.next >= argc) {
        fputs("usage: time command\n" /* Plan 9's */
              "time: see `psuite help time'\n",
              stderr);
        return USAGE;
    }
    if (want.warmups && !want.runs)
        return applet_misuse(&applet_time, "-w: only with -n");
    struct time_runs t = {.series = want.runs > 0};
    t.report.wanted = want.runs ? (unsigned long)want.runs : 1;
    t.report.warmups = (unsigned long)want.warmups;
    return time_all(&t, argv + s.next, want.runs && s.dashes, &want);
}
